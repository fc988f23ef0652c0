import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { purgeLedger } from '#actions/operations/purge-ledger.ts'
import { checkScanBalances } from '#actions/photos/maintain-scans.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ReviewedIdentification, ScanUsage } from '../../../src/client/endpoints.ts'
import { fakeReader, OBSERVATION, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, type TestApp, type TestUser } from '../../support/test-app.ts'

// Stored identifications and scans of an account.

const MS_A_DAY = 86_400_000
const CARD = 900402

let testApp: TestApp
const reader = fakeReader()
afterEach(() => reader.script(() => OBSERVATION))

beforeEach(async () => {
  testApp = await createTestApp({ reader })
})

const identify = (as: TestUser = 'pro') =>
  testApp.client.request<{ id: string; status: string }>('POST', '/v1/identify', {
    as,
    body: PHOTO.jpeg,
    headers: { 'content-type': 'image/jpeg' },
  })

const usageOf = async (as: TestUser = 'pro') =>
  (await testApp.client.get<ScanUsage>('/v1/identify/usage', { as })).body.data

const after = (ms: number) => new Date(Date.parse('2026-11-15T21:30:00Z') + ms).toISOString()

describe('GET /v1/identify/usage', () => {
  test('of a new account has a pending trial and thirty days without scans', async () => {
    const { days, ...rest } = await usageOf()
    const pictures = { is_enabled: true, cards: 116, waiting: 116, indexed: 0, ready_at: null }
    const page = { cards: 0, done: 0 }
    expect(rest).toEqual({ balance: 0, debt: 0, trial_pending: true, ledger: [], pictures, page })
    expect(days).toHaveLength(30)
    expect([days[0]?.date, days.at(-1)?.date]).toEqual(['2026-10-17', '2026-11-15'])
  })

  test('counts each photo on its UTC day by result, and forgets it after thirty days', async () => {
    const first = await identify()
    reader.script(() => ({ ...OBSERVATION, kind: undefined, neighbors: [] }))
    await identify()
    reader.script(() => {
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'The reader died.', { retryAfter: 2 })
    })
    await identify()
    testApp.setClock('2026-11-16T00:00:00.000Z')
    reader.script(() => OBSERVATION)
    await identify()
    const { days } = await usageOf()
    expect(days.slice(-2)).toMatchObject([
      { date: '2026-11-15', scans: 2, refunded: 1, retake: 1, [first.body.data.status]: 1 },
      { date: '2026-11-16', scans: 1, refunded: 0, [first.body.data.status]: 1 },
    ])
    testApp.setClock('2026-12-14T12:00:00Z')
    expect((await usageOf()).days[0]).toMatchObject({ date: '2026-11-15', scans: 2 })
    testApp.setClock('2026-12-15T00:00:00Z')
    const later = await usageOf()
    expect(later.days).toHaveLength(30)
    expect(later.days[0]).toMatchObject({ date: '2026-11-16', scans: 1 })
  })

  test('lists the sources of scans, newest first', async () => {
    await identify()
    testApp.setClock(after(60_000))
    const account_id = await testApp.accountId('pro')
    const context = { now: testApp.deps.now(), address: undefined }
    await testApp.deps.ledger.scans.grant({ account_id, n: 1_000, ref: 'a gift' }, context)
    const { balance, trial_pending, ledger } = await usageOf()
    expect([balance, trial_pending]).toEqual([1_024, false])
    expect(ledger).toEqual([
      { reason: 'grant', scans: 1_000, amount_cents: null, created_at: after(60_000) },
      { reason: 'trial', scans: 25, amount_cents: null, created_at: after(0) },
    ])
  })

  test('agrees with /v1/usage, and is not charged', async () => {
    const session = await testApp.createSession('pro')
    for (let photos = 0; photos < 3; photos++) {
      const { balance, trial_pending } = await usageOf()
      const { body } = await testApp.client.get('/v1/usage', { session })
      expect(body.data.scans).toEqual({ balance, trial_pending })
      expect(body.rate_limit.daily_remaining).toBe(10_000)
      await identify()
    }
  })

  test('is equal for a session and a key, with the same quota and scans', async () => {
    await identify()
    const session = await testApp.createSession('pro')
    const byKey = await testApp.client.get('/v1/identify/usage', { as: 'pro' })
    const bySession = await testApp.client.get('/v1/identify/usage', { session })
    expect(bySession.body).toEqual(byKey.body)
    for (const { status, headers } of [byKey, bySession]) {
      expect([status, headers.get('x-scans-remaining')]).toEqual([200, '24'])
      expect(headers.get('x-ratelimit-limit')).toBe('10000')
    }
  })
})

describe('an identification', () => {
  test('is returned unchanged, with its feedback', async () => {
    const { body } = await identify()
    const path = `/v1/identify/${body.data.id}`
    const session = await testApp.createSession('pro')
    for (const credentials of [{ as: 'pro' } as const, { session }]) {
      const again = await testApp.client.get<ReviewedIdentification>(path, credentials)
      expect(again.body.data as object).toEqual({ ...body.data, feedback: null })
    }
  })

  test('is stored for thirty days, and its photo never', async () => {
    const { body } = await identify()
    const path = `/v1/identify/${body.data.id}`
    const statusAfter = async (ms: number) => {
      testApp.setClock(after(ms))
      await purgeLedger(testApp.deps)
      return (await testApp.client.get(path, { as: 'pro' })).status
    }
    expect(await statusAfter(30 * MS_A_DAY)).toBe(200)
    expect(await statusAfter(30 * MS_A_DAY + 1)).toBe(404)
    const { balance } = await usageOf()
    expect(balance).toBe(24)
    await checkScanBalances(testApp.deps)
    expect(testApp.log).toEqual([])
  })
})

describe('feedback', () => {
  test('is the id of any card, or null; the last one counts', async () => {
    const { body } = await identify()
    const path = `/v1/identify/${body.data.id}`
    const session = await testApp.createSession('pro')
    for (const [card_id, credentials] of [
      [CARD, { as: 'pro' }],
      [null, { session }],
      [900401, { session }],
    ] as const) {
      const reply = await testApp.client.post<ReviewedIdentification>(
        `${path}/feedback`,
        { card_id },
        credentials,
      )
      const feedback = { card_id, created_at: after(0) }
      expect([reply.status, reply.body.data.feedback]).toEqual([200, feedback])
      expect(
        (await testApp.client.get<ReviewedIdentification>(path, credentials)).body.data,
      ).toEqual(reply.body.data)
    }
    expect((await usageOf()).balance).toBe(24)
  })

  test('on a card that is not in the catalog is 404', async () => {
    const { body } = await identify()
    const path = `/v1/identify/${body.data.id}/feedback`
    expectRefusal(await testApp.client.post(path, { card_id: 1 }, { as: 'pro' }), 404, 'NOT_FOUND')
  })
})

describe('the balances', () => {
  test('are checked: one that differs from the sum of its ledger is logged as an error', async () => {
    await identify()
    const found = { account_id: 3, balance: 25, sum: 24 }
    const { scans } = testApp.deps.ledger
    const ledger = {
      ...testApp.deps.ledger,
      scans: { ...scans, listUnbalanced: async () => [found] },
    }
    await checkScanBalances({ ...testApp.deps, ledger })
    expect(testApp.log).toEqual([
      { level: 'error', event: expect.stringContaining('balance'), facts: found },
    ])
  })
})
