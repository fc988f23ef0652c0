import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isRefreshDue, SCHEDULE_TIMEZONE } from '#rules/sync/refresh-schedule.ts'

const HOUR = 3_600_000
const due = (priority: number, last: string | null, now: string) =>
  isRefreshDue({ priority, last_synced_at: last }, new Date(now))

describe('a game', () => {
  test.each([3, 2, 1, 0, 7, -1])('of priority %i that was never refreshed is due', (priority) => {
    expect(due(priority, null, '2026-08-05T12:00:00Z')).toBe(true)
    expect(due(priority, 'not a time', '2026-08-05T12:00:00Z')).toBe(true)
  })

  test.each([
    ['the same day', '2026-08-05T06:00:00Z', '2026-08-06T05:59:59Z', false],
    ['the next day at 02:00', '2026-08-05T06:00:00Z', '2026-08-06T06:00:00Z', true],
    ['the next day, after a late refresh', '2026-08-06T05:59:59Z', '2026-08-06T06:00:00Z', true],
    // New York is five hours behind in winter.
    ['a winter day before 02:00', '2026-01-05T07:00:00Z', '2026-01-06T06:59:59Z', false],
    ['a winter day at 02:00', '2026-01-05T07:00:00Z', '2026-01-06T07:00:00Z', true],
    // The hour from 02:00 is skipped on 8 March, and the hour from 01:00 occurs twice on 1 November.
    ['the start of summer time', '2026-03-07T07:00:00Z', '2026-03-08T06:59:59Z', false],
    ['the start of summer time at 03:00', '2026-03-07T07:00:00Z', '2026-03-08T07:00:00Z', true],
    ['the end of summer time', '2026-10-31T06:00:00Z', '2026-11-01T06:59:59Z', false],
    ['the end of summer time at 02:00', '2026-10-31T06:00:00Z', '2026-11-01T07:00:00Z', true],
  ])('of priority 3 on %s', (_, last, now, expected) => {
    expect(due(3, last, now)).toBe(expected)
  })

  test.each([
    ['two days on', '2026-08-07T12:00:00Z', false],
    ['three days on before 03:00', '2026-08-08T06:59:59Z', false],
    ['three days on at 03:00', '2026-08-08T07:00:00Z', true],
    ['ten days on', '2026-08-15T06:00:00Z', true],
  ])('of priority 2, %s', (_, now, expected) => {
    expect(due(2, '2026-08-05T07:00:00Z', now)).toBe(expected)
  })

  // 5 August 2026 is a Wednesday.
  test.each([
    ['Thursday before 04:00', '2026-08-06T07:59:59Z', false],
    ['Thursday at 04:00', '2026-08-06T08:00:00Z', true],
    ['the same Wednesday', '2026-08-05T20:00:00Z', false],
    ['Friday, when Thursday was missed', '2026-08-07T08:00:00Z', true],
  ])('of priority 1, refreshed on a Wednesday, on %s', (_, now, expected) => {
    expect(due(1, '2026-08-05T12:00:00Z', now)).toBe(expected)
  })

  test.each([
    ['Saturday', '2026-08-08T20:00:00Z', false],
    ['Sunday before 05:00', '2026-08-09T08:59:59Z', false],
    ['Sunday at 05:00', '2026-08-09T09:00:00Z', true],
    ['Monday, when Sunday was missed', '2026-08-10T09:00:00Z', true],
  ])('of priority 0, refreshed on a Wednesday, on %s', (_, now, expected) => {
    expect(due(0, '2026-08-05T12:00:00Z', now)).toBe(expected)
  })

  test('whose last refresh is in the future is due, because the clock was wrong', () => {
    expect(due(0, '2027-08-05T12:00:00Z', '2026-08-05T12:00:00Z')).toBe(true)
  })
})

describe('over a year with both daylight saving changes', () => {
  /** Returns the refreshes of a game, checked every three hours of 2026. */
  function refreshes(priority: number): Date[] {
    const times: Date[] = []
    let last: string | null = '2025-12-31T12:00:00Z'
    for (
      let time = Date.parse('2026-01-01T05:00:00Z');
      time < Date.parse('2027-01-01T05:00:00Z');
      time += 3 * HOUR
    ) {
      const now = new Date(time)
      if (!isRefreshDue({ priority, last_synced_at: last }, now)) continue
      times.push(now)
      last = now.toISOString()
    }
    return times
  }
  const weekday = new Intl.DateTimeFormat('en-US', {
    timeZone: SCHEDULE_TIMEZONE,
    weekday: 'short',
  })
  const weekdays = (times: Date[]) => [...new Set(times.map((time) => weekday.format(time)))].sort()

  test('priority 3 is refreshed once on every day', () => {
    expect(refreshes(3)).toHaveLength(365)
  })

  test('priority 2 is refreshed on every third day', () => {
    expect(refreshes(2)).toHaveLength(121)
  })

  test('priority 1 is refreshed on every Monday and Thursday', () => {
    const times = refreshes(1)
    expect(weekdays(times)).toEqual(['Mon', 'Thu'])
    expect(times).toHaveLength(105)
  })

  test('priority 0 is refreshed on every Sunday', () => {
    const times = refreshes(0)
    expect(weekdays(times)).toEqual(['Sun'])
    expect(times).toHaveLength(52)
  })
})

test('a due game stays due until it is refreshed', () => {
  const time = fc.date({
    min: new Date('2026-01-01'),
    max: new Date('2027-01-01'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3 }),
      time,
      time,
      fc.nat(400),
      (priority, last, now, later) => {
        fc.pre(last <= now)
        const game = { priority, last_synced_at: last.toISOString() }
        if (isRefreshDue(game, now)) {
          expect(isRefreshDue(game, new Date(now.getTime() + later * HOUR))).toBe(true)
        }
        expect(isRefreshDue({ priority, last_synced_at: now.toISOString() }, now)).toBe(false)
      },
    ),
  )
})
