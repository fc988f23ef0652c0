import { expect, test } from 'bun:test'
import { estimateIndexEnd } from '#rules/photos/picture-index/pace.ts'

const NOW = new Date('2026-11-27T18:00:00Z')

/** Pictures at equal intervals, the last of them some seconds ago. */
function pace(count: number, seconds: number, ago = 1) {
  const last = NOW.getTime() - 1_000 * ago
  const first_at = new Date(last - 1_000 * seconds).toISOString()
  return { count, first_at, last_at: new Date(last).toISOString() }
}

test('an index ends when the waiting pictures take as long as the last ones', () => {
  // Ten in a second: 36,000 take an hour.
  expect(estimateIndexEnd(36_000, pace(301, 30), NOW)).toEqual(new Date('2026-11-27T19:00:00Z'))
})

test.each([
  ['nothing waits', 0, pace(301, 30)],
  ['too few pictures were tried', 36_000, pace(19, 30)],
  ['no picture was tried', 36_000, { count: 0, first_at: null, last_at: null }],
  ['the index does not grow', 36_000, pace(301, 30, 61)],
])('no end is estimated if %s', (_, waiting, lately) => {
  expect(estimateIndexEnd(waiting, lately, NOW)).toBeUndefined()
})
