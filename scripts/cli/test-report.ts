// The JUnit report of Bun's test runner.

/** Numbers of tests by their outcome. */
export type Counts = { passed: number; failed: number; skipped: number }

export type ReportedTest = {
  /** Place and title, as `file:line group > name`. */
  id: string
  file: string
  /** Title of its innermost group; its own if it has none. */
  group: string
  outcome: keyof Counts
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
    const isSkipped = result.includes('<skipped')
    const isEmpty = result === '' && assertions === '0'
    const hasPassed = result === '' && !isEmpty
    return {
      id: time === 1 ? title : `${title} (${time})`,
      file: file ?? '',
      // Bun lists the innermost group first.
      group: decodeText(classname || name || '').split(' > ')[0] ?? '',
      outcome: isSkipped ? 'skipped' : hasPassed ? 'passed' : 'failed',
      isEmpty,
    }
  })
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decodeText(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
    code === undefined ? (ENTITIES[name] ?? '') : String.fromCodePoint(Number(code)),
  )
}

/** Returns a pattern of `bun test` that selects the groups of tests. */
export function selectGroups(tests: readonly ReportedTest[]): string {
  const groups = new Set(tests.map(({ group }) => group))
  return [...groups].map((group) => group.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')
}

/**
 * Returns how a second run of some tests changes the counts of the first. Each test counts once: as failed if it
 * failed in one of the runs, as skipped only if both skipped it.
 */
export function compareRuns(
  first: readonly ReportedTest[],
  second: readonly ReportedTest[],
): Counts {
  const outcomes = new Map(first.map(({ id, outcome }) => [id, outcome]))
  const change: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { id, outcome } of second) {
    const before = outcomes.get(id)
    if (before !== undefined) change[before]--
    if (before === 'failed' || outcome === 'skipped') change[before ?? outcome]++
    else change[outcome]++
  }
  return change
}
