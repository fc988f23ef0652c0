/** The daily quota: one per account, charged for accepted requests. */
import { describe, expect, test } from 'bun:test'
import { TIERS } from '#rules/accounts/tiers.ts'
import { createTestApp, QUOTA_RESET, SECONDS_TO_RESET, type TestApp } from '../support/test-app.ts'
import type { TestResponse } from '../support/test-client.ts'

const testApp = await createTestApp()

const get: TestApp['client']['get'] = (...of) => testApp.client.get(...of)

describe('the quota', () => {
  test.each([
    ['free', 100],
    ['hobby', 1_000],
    ['starter', 2_500],
    ['pro', 10_000],
    ['business', 50_000],
  ] as const)('of the tier %s is %i requests a day', async (as, limit) => {
    const own = await createTestApp()
    const { body, headers } = await own.client.get('/v1/sets', { as })
    expect(body.rate_limit).toEqual({
      daily_limit: limit,
      daily_remaining: limit - 1,
      daily_reset: QUOTA_RESET,
    })
    expect(headers.get('ratelimit-policy')).toBe(`"daily";q=${limit};w=86400`)
    expect(headers.get('ratelimit')).toBe(`"daily";r=${limit - 1};t=${SECONDS_TO_RESET}`)
  })

  test('of 100 allows exactly 100 requests, then returns 429 with Retry-After', async () => {
    const own = await createTestApp()
    const replies = await Promise.all(
      Array.from({ length: 130 }, () => own.client.get('/v1/sets/90011', { as: 'free' })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(100)
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(30)
    for (const { body, headers } of refused) {
      expect(body.error.code).toBe('RATE_LIMIT_EXCEEDED')
      expect(body.rate_limit.daily_remaining).toBe(0)
      expect(headers.get('retry-after')).toBe(String(SECONDS_TO_RESET))
    }
    const left = replies.map(({ body }) => body.rate_limit.daily_remaining)
    expect(left.slice(0, 100).sort((a, b) => b - a)).toEqual(
      Array.from({ length: 100 }, (_, index) => 99 - index),
    )
  })

  test('resets at midnight UTC', async () => {
    const own = await createTestApp()
    expect((await own.client.get('/v1/sets', { as: 'exhausted' })).status).toBe(429)
    own.setClock('2026-11-15T23:59:59.999Z')
    const late = await own.client.get('/v1/sets', { as: 'exhausted' })
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1'])
    own.setClock(QUOTA_RESET)
    const { status, body } = await own.client.get('/v1/sets', { as: 'exhausted' })
    expect(status).toBe(200)
    expect(body.rate_limit).toEqual({
      daily_limit: 100,
      daily_remaining: 99,
      daily_reset: '2026-11-17T00:00:00.000Z',
    })
  })

  test('is shared by all keys of an account and by no other account', async () => {
    const own = await createTestApp()
    for (const as of TIERS) await own.client.get('/v1/sets', { as })
    for (const as of TIERS) {
      const { body } = await own.client.get('/v1/sets', { as })
      expect(body.rate_limit.daily_remaining).toBe(body.rate_limit.daily_limit - 2)
    }
  })

  test('is charged for a 404', async () => {
    const before = await get('/v1/sets/90011', { as: 'pro' })
    await get('/v1/sets/1', { as: 'pro' })
    const after = await get('/v1/sets/90011', { as: 'pro' })
    expect(remaining(before) - remaining(after)).toBe(2)
  })

  test('is not charged for a rejected request', async () => {
    const before = await get('/v1/sets', { as: 'starter' })
    const refused = await get('/v1/cards/900401/history/detailed', { as: 'starter' })
    const malformed = await get('/v1/sets?page=0', { as: 'starter' })
    expect([remaining(refused), remaining(malformed)]).toEqual([
      remaining(before),
      remaining(before),
    ])
  })

  test('is complete when the first request is rejected', async () => {
    const own = await createTestApp()
    const { body } = await own.client.get('/v1/sets?page=0', { as: 'hobby' })
    expect(body.rate_limit.daily_remaining).toBe(1_000)
  })
})

function remaining({ body }: TestResponse<unknown>): number {
  return body.rate_limit.daily_remaining
}
