import { describe, expect, test } from 'bun:test'
import { staleSince } from '#rules/catalog/freshness.ts'

const DAY = 86_400_000
const PUBLISHED = '2026-11-01T07:00:00.000Z'

const game = (priority: number, more: object = {}) => ({
  priority,
  published_at: PUBLISHED,
  stale_since: null,
  ...more,
})

const after = (days: number, ms = 0) => new Date(Date.parse(PUBLISHED) + days * DAY + ms)

describe('a game', () => {
  // Maximum days between two refreshes plus a day's grace, from the upstream's publication.
  test.each([
    [3, 2],
    [2, 4],
    [1, 5],
    [0, 8],
  ])('of priority %i is fresh for %i days', (priority, days) => {
    expect(staleSince(game(priority), after(0))).toBeUndefined()
    expect(staleSince(game(priority), after(days))).toBeUndefined()
    expect(staleSince(game(priority), after(days, 1))).toEqual(after(days))
    expect(staleSince(game(priority), after(1_000))).toEqual(after(days))
  })

  test('of an unknown priority is treated as the lowest', () => {
    expect(staleSince(game(9), after(100))).toEqual(after(8))
  })

  test('whose refresh failed is stale from then on, however new its data is', () => {
    const since = '2026-11-01T08:00:00.000Z'
    expect(staleSince(game(3, { stale_since: since }), after(0.1))).toEqual(new Date(since))
  })

  test('that was never refreshed is stale since an unknown time', () => {
    expect(staleSince(game(3, { published_at: null }), after(0))).toBeNull()
  })
})
