import { expect, test } from 'bun:test'
import { parseTestReport, readFailures } from '../../scripts/cli/test-report.ts'

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

test('a report lists each test with its place, and marks those without assertions', () => {
  const tests = parseTestReport(REPORT)
  expect(tests.map(({ id, isEmpty }) => [id, isEmpty])).toEqual([
    ['test/a.test.ts:3 sums > adds &lt;two&gt;', false],
    ['test/a.test.ts:5 sums > row', false],
    ['test/a.test.ts:5 sums > row (2)', true],
    ['test/a.test.ts:7 sums > fails', false],
    ['test/a.test.ts:9 of &quot;(a)&quot; &gt; sums > is left out', false],
    ['test/a.test.ts:11  > comes later', false],
  ])
})

test('a failure is read with its file and its cause, once', () => {
  const output = `bun test v1.4.5 (a7733435c)

test/a.test.ts:
(pass) sums > adds two
7 | expect(1 + 1).toBe(3)
error: expect(received).toBe(expected)
(fail) sums > fails [0.21ms]
(skip) sums > is left out

test/b.test.ts:
error: no such table
(fail) rows > are read

2 tests failed:
(fail) sums > fails [0.21ms]
(fail) rows > are read

 1 pass
 2 fail`
  expect(readFailures(output)).toEqual([
    '7 | expect(1 + 1).toBe(3)\nerror: expect(received).toBe(expected)\n(fail) sums > fails [0.21ms]',
    'test/b.test.ts:\nerror: no such table\n(fail) rows > are read',
  ])
})
