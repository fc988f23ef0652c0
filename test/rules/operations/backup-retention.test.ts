import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  expiredBackups,
  formatBackupName,
  isBackupDue,
  isCatalogDue,
  parseBackupName,
} from '#rules/operations/backup-retention.ts'

const NOW = new Date('2026-11-15T21:30:00.000Z')
const HOUR = 3_600_000
const before = (hours: number) => new Date(NOW.getTime() - hours * HOUR)

describe('the name of a backup', () => {
  test('contains its start time, and no other file has such a name', () => {
    expect(formatBackupName(NOW)).toBe('cardstock-2026-11-15T21-30-00.000Z')
    expect(parseBackupName(formatBackupName(NOW))).toEqual(NOW)
    for (const name of [
      'cardstock',
      'cardstock-2026-13-45T21-30-00.000Z',
      `.${formatBackupName(NOW)}`,
    ]) {
      expect(parseBackupName(name)).toBeUndefined()
    }
  })
})

describe('of backups', () => {
  const keeping = { hours: 24, days: 14 }

  test('all of one day and the last one of each of 14 days are kept', () => {
    const hourly = Array.from({ length: 24 * 20 }, (_, hour) => before(hour))
    const over = expiredBackups(hourly, NOW, keeping)
    const kept = hourly.filter((time) => !over.has(time))
    // 0 to 24 hours ago, and the last hours of the 12 days before yesterday.
    expect(kept).toHaveLength(25 + 12)
    expect(kept.at(-1)?.toISOString()).toBe('2026-11-02T23:30:00.000Z')
  })

  test('the newest one is kept at any age, and so is one from the future', () => {
    const [old, older, future] = [before(9_000), before(9_001), before(-3)]
    expect([...expiredBackups([old, older], NOW, keeping)]).toEqual([older])
    expect([...expiredBackups([old, future], NOW, keeping)]).toEqual([old])
  })

  test('a removed backup would not be kept on any later day', () => {
    const hours = fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), {
      minLength: 1,
      maxLength: 60,
    })
    fc.assert(
      fc.property(hours, fc.integer({ min: 0, max: 500 }), (ages, later) => {
        const times = ages.map(before)
        const now = expiredBackups(times, NOW, keeping)
        const then = expiredBackups(times, new Date(NOW.getTime() + later * HOUR), keeping)
        for (const time of now) expect(then.has(time)).toBe(true)
        const newest = times[ages.indexOf(Math.min(...ages))]
        expect(newest !== undefined && then.has(newest)).toBe(false)
      }),
    )
  })

  test('the next one is due after half an hour, and its catalog copy after a day', () => {
    expect(isBackupDue(undefined, NOW)).toBe(true)
    expect(isBackupDue(before(0.4), NOW)).toBe(false)
    expect(isBackupDue(before(0.5), NOW)).toBe(true)
    expect(isCatalogDue(before(23), NOW)).toBe(false)
    expect(isCatalogDue(before(24), NOW)).toBe(true)
  })
})
