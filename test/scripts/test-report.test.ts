import { describe, expect, test } from 'bun:test'
import { compareRuns, parseTestReport, selectGroups } from '../../scripts/cli/test-report.ts'

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="6" assertions="3" failures="1" skipped="2" time="0.03">
  <testsuite name="test/a.test.ts" file="test/a.test.ts" tests="6" time="0.03" hostname="vm">
    <testcase name="adds &lt;two&gt;" classname="sums" time="0" file="test/a.test.ts" line="3" assertions="1" />
    <testcase name="row" classname="sums" time="0" file="test/a.test.ts" line="5" assertions="1" />
    <testcase name="row" classname="sums" time="0" file="test/a.test.ts" line="5" assertions="0" />
    <testcase name="fails" classname="sums" time="0" file="test/a.test.ts" line="7" assertions="1">
      <failure type="AssertionError" message="expected: 2">expected: 2 &lt;skipped /&gt;</failure>
    </testcase>
    <testcase name="is left out" classname="of &quot;(a)&quot; &gt; sums" time="0" file="test/a.test.ts" line="9" assertions="0">
      <skipped />
    </testcase>
    <testcase name="comes later" classname="" time="0" file="test/a.test.ts" line="11" assertions="0">
      <skipped message="TODO" />
    </testcase>
  </testsuite>
</testsuites>`

test('a report lists each test with its place and outcome', () => {
  const tests = parseTestReport(REPORT)
  expect(tests.map(({ id, outcome, isEmpty }) => [id, outcome, isEmpty])).toEqual([
    ['test/a.test.ts:3 sums > adds &lt;two&gt;', 'passed', false],
    ['test/a.test.ts:5 sums > row', 'passed', false],
    ['test/a.test.ts:5 sums > row (2)', 'failed', true],
    ['test/a.test.ts:7 sums > fails', 'failed', false],
    ['test/a.test.ts:9 of &quot;(a)&quot; &gt; sums > is left out', 'skipped', false],
    ['test/a.test.ts:11  > comes later', 'skipped', false],
  ])
  expect(new Set(tests.map(({ file }) => file))).toEqual(new Set(['test/a.test.ts']))
})

test('a pattern selects the innermost groups of tests, and tests without one', () => {
  const skipped = parseTestReport(REPORT).filter(({ outcome }) => outcome === 'skipped')
  expect(skipped.map(({ group }) => group)).toEqual(['of "(a)"', 'comes later'])
  expect(selectGroups(skipped)).toBe('of "\\(a\\)"|comes later')
  expect(new RegExp(selectGroups(skipped)).test('sums of "(a)" is left out')).toBe(true)
})

describe('a test that runs twice counts once', () => {
  test.each([
    ['skipped', 'passed', 'passed'],
    ['skipped', 'failed', 'failed'],
    ['skipped', 'skipped', 'skipped'],
    ['passed', 'passed', 'passed'],
    ['passed', 'failed', 'failed'],
    ['passed', 'skipped', 'passed'],
    ['failed', 'passed', 'failed'],
    ['failed', 'failed', 'failed'],
    ['failed', 'skipped', 'failed'],
    [undefined, 'passed', 'passed'],
    [undefined, 'skipped', 'skipped'],
  ] as const)('%p and then %p: %p', (before, after, together) => {
    const report = (outcome: typeof after) => ({
      id: 'a',
      file: 'a',
      group: 'a',
      outcome,
      isEmpty: false,
    })
    const counts = { passed: 0, failed: 0, skipped: 0 }
    if (before !== undefined) counts[before]++
    const change = compareRuns(before === undefined ? [] : [report(before)], [report(after)])
    for (const outcome of ['passed', 'failed', 'skipped'] as const)
      counts[outcome] += change[outcome]
    expect(counts).toEqual({ passed: 0, failed: 0, skipped: 0, [together]: 1 })
  })
})
