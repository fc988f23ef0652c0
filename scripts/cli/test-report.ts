// The output and the JUnit report of Bun's test runner.

export type ReportedTest = {
  /** Place and title, as `file:line group > name`. */
  id: string
  /** True if it passed without any assertion, which makes it a failure. */
  isEmpty: boolean
}

const TEST = /<testcase((?:\s+[\w-]+="[^"]*")*)\s*(?:\/>|>([\s\S]*?)<\/testcase>)/g

export function parseTestReport(junit: string): ReportedTest[] {
  const times = new Map<string, number>()
  return [...junit.matchAll(TEST)].map(([, text = '', result = '']) => {
    const attributes = [...text.matchAll(/([\w-]+)="([^"]*)"/g)]
    const { file, line, classname, name, assertions } = Object.fromEntries(
      attributes.map(([, key, value]) => [key, value]),
    )
    const title = `${file}:${line} ${classname} > ${name}`
    const time = (times.get(title) ?? 0) + 1
    times.set(title, time)
    return {
      id: time === 1 ? title : `${title} (${time})`,
      isEmpty: result === '' && assertions === '0',
    }
  })
}

/** Returns what the output says of each failed test: the lines from the test before it to its `(fail)` line. */
export function readFailures(output: string): string[] {
  const failures: string[] = []
  let lines: string[] = []
  for (const line of output.split('\n')) {
    // The list of failed tests repeats their titles only.
    if (/^\d+ tests? failed:$/.test(line)) break
    lines.push(line)
    if (!/^\((pass|fail|skip|todo)\) /.test(line)) continue
    if (line.startsWith('(fail)')) failures.push(lines.join('\n').trim())
    lines = []
  }
  return failures
}
