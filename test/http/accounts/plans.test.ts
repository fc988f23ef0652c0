import { describe, expect, test } from 'bun:test'
import type { Offers } from '#client/endpoints.ts'
import {
  ACCESS_POLICIES,
  DAILY_REQUESTS,
  FEATURES,
  lowestTier,
  TIERS,
} from '#rules/accounts/tiers.ts'
import { PRICE_CENTS } from '#rules/billing/plans.ts'
import { createTestApp, type TestAppOptions } from '../../support/test-app.ts'

async function offersOf(options: TestAppOptions = {}): Promise<Offers> {
  const testApp = await createTestApp(options)
  const { status, body } = await testApp.client.get<Offers>('/v1/plans')
  expect(status).toBe(200)
  return body.data
}

describe('200', () => {
  test('lists every tier with its price and its quota, lowest first', async () => {
    const { plans } = await offersOf()
    expect(plans.map(({ plan }) => plan)).toEqual([...TIERS])
    expect(plans.map(({ daily_requests }) => daily_requests)).toEqual(Object.values(DAILY_REQUESTS))
    expect(plans.map(({ price_cents }) => price_cents)).toEqual([0, 999, 1_999, 4_999, 9_999])
  })

  test('states the depth of histories, the items per bulk request, and the license', async () => {
    const { plans } = await offersOf()
    const limits = plans.map(({ history_days, resolve_items, commercial_use }) => [
      history_days,
      resolve_items,
      commercial_use,
    ])
    expect(limits).toEqual([
      [0, null, false],
      [7, null, false],
      [30, 100, false],
      [null, 500, true],
      [null, 1_000, true],
    ])
  })

  test.each(ACCESS_POLICIES)(
    'lists the features of each tier under the policy %s',
    async (policy) => {
      const { plans } = await offersOf({ accessPolicy: policy })
      for (const feature of FEATURES) {
        const first = plans.find(({ features }) => features.includes(feature))
        expect([feature, first?.plan]).toEqual([feature, lowestTier(feature, policy)])
      }
    },
  )

  test('lists no history for a tier without access to it', async () => {
    const { plans } = await offersOf({ accessPolicy: 'strict' })
    expect(plans.map(({ history_days }) => history_days)).toEqual([0, 0, 0, null, null])
  })

  test.each(['manual', 'off'])('has the provider %s and its offers', async (by) => {
    const { provider, packs } = await offersOf({ env: { BILLING_PROVIDER: by } })
    expect(provider).toBe(by)
    expect(packs[0]).toEqual({
      pack: 'scans_1000',
      scans: 1_000,
      price_cents: PRICE_CENTS.scans_1000,
    })
  })

  test('is never cached', async () => {
    const testApp = await createTestApp()
    const { headers } = await testApp.client.get('/v1/plans')
    expect(headers.get('cache-control')).toContain('no-store')
  })
})
