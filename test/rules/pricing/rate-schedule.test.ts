import { expect, test } from 'bun:test'
import { areRatesDue, areRatesStale } from '#rules/pricing/rate-schedule.ts'
import { parseDate } from '#rules/primitives/days.ts'

const dayOn = (date: string) => parseDate(date) ?? Number.NaN

// 25 November 2026 is a Wednesday. Berlin is an hour ahead of UTC in winter, and two in summer.
test.each([
  ['2026-11-24', '2026-11-25T14:59:00Z', false],
  ['2026-11-24', '2026-11-25T15:00:00Z', true],
  ['2026-11-25', '2026-11-25T22:00:00Z', false],
  ['2026-11-20', '2026-11-22T20:00:00Z', false],
  ['2026-11-20', '2026-11-23T14:00:00Z', false],
  ['2026-11-20', '2026-11-23T16:00:00Z', true],
  ['2026-11-19', '2026-11-22T12:00:00Z', true],
  ['2026-07-14', '2026-07-15T14:00:00Z', true],
])('with rates of %s, newer ones are due at %s: %p', (newest, now, isDue) => {
  expect(areRatesDue(dayOn(newest), new Date(now))).toBe(isDue)
})

test('the first rates are due at any time', () => {
  expect(areRatesDue(undefined, new Date('2026-11-22T03:00:00Z'))).toBe(true)
})

test.each([
  ['2026-11-25', '2026-11-25T20:00:00Z', false],
  ['2026-11-19', '2026-11-25T20:00:00Z', false],
  ['2026-11-18', '2026-11-25T14:00:00Z', false],
  ['2026-11-18', '2026-11-25T20:00:00Z', true],
  // Easter: no rates from Good Friday to Monday.
  ['2026-04-02', '2026-04-07T13:00:00Z', false],
  ['2020-01-02', '2026-11-25T20:00:00Z', true],
])('rates of %s are stale at %s: %p', (newest, now, isStale) => {
  expect(areRatesStale(dayOn(newest), new Date(now))).toBe(isStale)
})
