import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { dayOf, formatDate, monthOf, nextMidnight, parseDate } from '#rules/primitives/days.ts'

const time = fc.date({
  min: new Date('1970-01-01'),
  max: new Date('2200-01-01'),
  noInvalidDate: true,
})

describe('a day', () => {
  test('is the same from UTC midnight to midnight', () => {
    expect(dayOf(new Date('1970-01-01T00:00:00Z'))).toBe(0)
    expect(dayOf(new Date('1970-01-01T23:59:59.999Z'))).toBe(0)
    expect(dayOf(new Date('1970-01-02T00:00:00Z'))).toBe(1)
  })

  test('and its date convert into each other', () => {
    fc.assert(
      fc.property(time, (at) => {
        const day = dayOf(at)
        expect(formatDate(day)).toBe(at.toISOString().slice(0, 10))
        expect(parseDate(formatDate(day))).toBe(day)
      }),
    )
  })

  test.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '26-01-01',
    '2026-01-01T00:00',
    '',
    ' 2026-01-01',
  ])('%j is not a date', (text) => expect(parseDate(text)).toBeUndefined())

  test('exists in leap years', () => {
    expect(formatDate((parseDate('2028-02-28') ?? 0) + 1)).toBe('2028-02-29')
  })
})

describe('a month', () => {
  test('is the same for all its days, and the next one after the last', () => {
    fc.assert(
      fc.property(time, (at) => {
        const day = dayOf(at)
        const sameMonth = formatDate(day).slice(0, 7) === formatDate(day + 1).slice(0, 7)
        expect(monthOf(day + 1) - monthOf(day)).toBe(sameMonth ? 0 : 1)
      }),
    )
  })

  test('counts from year 0', () => {
    expect(monthOf(parseDate('2026-01-31') ?? 0)).toBe(2026 * 12)
    expect(monthOf(parseDate('2026-12-01') ?? 0)).toBe(2026 * 12 + 11)
  })
})

describe('the next midnight', () => {
  test('is later than now, within a day, and starts the next day', () => {
    fc.assert(
      fc.property(time, (at) => {
        const midnight = new Date(nextMidnight(at))
        const ahead = midnight.getTime() - at.getTime()
        expect(ahead).toBeGreaterThan(0)
        expect(ahead).toBeLessThanOrEqual(86_400_000)
        expect(dayOf(midnight)).toBe(dayOf(at) + 1)
      }),
    )
  })
})
