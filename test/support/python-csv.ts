const PROGRAM = `import csv, io, json, sys
text = io.StringIO(sys.stdin.buffer.read().decode(), newline="")
print(json.dumps(list(csv.reader(text))))`

/** A table as Python's own csv module reads it; undefined without Python, which is printed. */
export async function parseCsvWithPython(text: string): Promise<string[][] | undefined> {
  if (Bun.which('python3') === null) {
    console.log('python3 is missing: its csv module is not asked')
    return undefined
  }
  const child = Bun.spawn(['python3', '-c', PROGRAM], { stdin: 'pipe', stdout: 'pipe' })
  child.stdin.write(text)
  child.stdin.end()
  return JSON.parse(await new Response(child.stdout).text())
}
