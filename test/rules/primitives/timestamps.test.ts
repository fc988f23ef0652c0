import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nextTimestamp, parseTimestamp, TIMESTAMP_LENGTH_MAX } from '#rules/primitives/days.ts'

const isoOf = (text: string) => {
  const moment = parseTimestamp(text)
  return moment === undefined ? undefined : new Date(moment).toISOString()
}

describe('a timestamp', () => {
  test.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-20T00:00:00Z', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20t21:30z', '2026-11-20T21:30:00.000Z'],
    ['2026-11-20T21:30:05.25Z', '2026-11-20T21:30:05.250Z'],
    ['2026-11-20T21:30:05.001999999Z', '2026-11-20T21:30:05.001Z'],
    ['2026-11-20T00:30:00+02:00', '2026-11-19T22:30:00.000Z'],
    ['2026-11-20T00:30:00 02:00', '2026-11-19T22:30:00.000Z'],
    ['2026-11-20T23:30:00-05:30', '2026-11-21T05:00:00.000Z'],
    ['0000-01-01', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, wanted) => {
    expect(isoOf(text)).toBe(wanted)
  })

  test.each([
    '',
    'yesterday',
    '2026',
    '2026-11',
    '2026-11-31',
    '2026-02-29',
    '2026-13-01',
    '20261120',
    '26-11-20',
    '+002026-11-20',
    '2026-11-20Z',
    '2026-11-20T',
    '2026-11-20T00:00:00',
    '2026-11-20 00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T12:60:00Z',
    '2026-11-20T12:00:60Z',
    '2026-11-20T12:00:00+24:00',
    '2026-11-20T12:00:00+0200',
    '2026-11-20T12:00:00.Z',
    '2026-11-20T12:00:00Z\n',
    ' 2026-11-20',
    '1795132800',
  ])('%j is invalid', (text) => {
    expect(parseTimestamp(text)).toBeUndefined()
  })

  test('is parsed to the millisecond', () => {
    const [min, max] = [new Date('0000-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59.999Z')]
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
        expect(parseTimestamp(date.toISOString())).toBe(date.getTime())
        expect(date.toISOString().length).toBeLessThanOrEqual(TIMESTAMP_LENGTH_MAX)
      }),
    )
  })
})

describe('the time of a version', () => {
  test('is now, but always later than the previous one', () => {
    const now = new Date('2026-11-20T12:00:00Z')
    expect(nextTimestamp(undefined, now)).toBe(now.getTime())
    expect(nextTimestamp(now.getTime() - 5, now)).toBe(now.getTime())
    expect(nextTimestamp(now.getTime(), now)).toBe(now.getTime() + 1)
    expect(nextTimestamp(now.getTime() + 3_600_000, now)).toBe(now.getTime() + 3_600_001)
  })
})
