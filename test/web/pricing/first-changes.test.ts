import { describe, expect, test } from 'bun:test'
import { firstChangesText } from '#web/pricing/first-changes.ts'

const now = Date.parse('2026-11-25T14:00:00Z')

describe('the first changes', () => {
  test.each([
    ['2026-11-25', '24h', 'Prices since today. First movers tomorrow.'],
    ['2026-11-24', '24h', 'Prices since yesterday. First movers today.'],
    ['2026-11-23', '24h', undefined],
    ['2026-11-25', '7d', 'Prices since today. First movers over 7 days on Dec 2, 2026.'],
    ['2026-11-19', '7d', 'Prices since Nov 19, 2026. First movers over 7 days tomorrow.'],
    ['2026-11-17', '7d', undefined],
    ['2026-11-20', '30d', 'Prices since Nov 20, 2026. First movers over 30 days on Dec 20, 2026.'],
    ['2026-10-25', '30d', undefined],
  ] as const)('of prices since %s, over %s: %p', (since, period, text) => {
    expect(firstChangesText('movers', since, { period, now })).toBe(text)
  })

  test('are those of a card, too', () => {
    expect(firstChangesText('changes', '2026-11-25', { period: '24h', now })).toBe(
      'Prices since today. First changes tomorrow.',
    )
  })

  test.each([null, undefined])('are not expected without prices (%p)', (since) => {
    expect(firstChangesText('movers', since, { period: '24h', now })).toBeUndefined()
  })
})
