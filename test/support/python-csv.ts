const PROGRAM = `import csv, io, json, sys
text = io.StringIO(sys.stdin.buffer.read().decode(), newline="")
print(json.dumps(list(csv.reader(text))))`

/** Parses a table with Python's csv module; undefined without Python, with a printed message. */
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
