import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changeTier } from '#actions/accounts/manage-accounts.ts'
import { choosePrices } from '#actions/pricing/choose-prices.ts'
import { pickOrigin } from '#rules/pricing/price-view.ts'
import type { ViewedPrice } from '#rules/pricing/viewed-prices.ts'
import { createSecretBox } from '#rules/primitives/secret-box.ts'
import type { CreatedWebhook } from '../../../src/client/endpoints.ts'
import { acceptingClient, addAlert, WEBHOOK_INPUT } from '../../support/alerts/webhook-fixtures.ts'
import { addPriceSources } from '../../support/pricing/price-sources.ts'
import { expectRefusal } from '../../support/refusal.ts'
import {
  createTestApp,
  FROZEN_TIME,
  type TestAccount,
  type TestApp,
  type TestAppOptions,
} from '../../support/test-app.ts'
import type { TestResponse } from '../../support/test-client.ts'

// Creating, reading, changing and deleting webhooks.

/** Members of a test message that do not depend on the currency. */
const ALERT_FACTS = {
  event: 'price_alert',
  card_id: 900401,
  card_name: 'T.S.V. Marigold',
  condition: 'above',
  threshold: 19.99,
  timestamp: FROZEN_TIME,
}

const SECRET = /whsec_[A-Za-z0-9+/]{43}=/
const HOUR_MS = 3_600_000

async function owner(testApp: TestApp, testAccount: TestAccount = 'pro') {
  const session = await testApp.createSession(testAccount)
  const { request, get, post, delete: remove } = testApp.client
  return {
    session,
    make: (json: object = {}) =>
      post<CreatedWebhook>('/v1/webhooks', { ...WEBHOOK_INPUT, ...json }, { session }),
    list: async () => (await get<CreatedWebhook[]>('/v1/webhooks', { session })).body.data,
    look: (id: string) => get<CreatedWebhook>(`/v1/webhooks/${id}`, { session }),
    change: (id: string, json: object) =>
      request<CreatedWebhook>('PATCH', `/v1/webhooks/${id}`, { session, json }),
    remove: (id: string) => remove<CreatedWebhook>(`/v1/webhooks/${id}`, { session }),
  }
}

/** Creates an app with an account and a webhook. */
async function made(options: TestAppOptions = {}, testAccount: TestAccount = 'pro') {
  const testApp = await createTestApp(options)
  const own = await owner(testApp, testAccount)
  const { body } = await own.make()
  return { testApp, ...own, watch: body.data, secret: body.data.secret ?? '' }
}

describe('a webhook', () => {
  test('is listed in order of creation', async () => {
    const { testApp, make, list, watch } = await made()
    const ids = [watch.id]
    for (let more = 0; more < 2; more++) {
      testApp.advance(HOUR_MS)
      ids.push((await make()).body.data.id)
    }
    expect((await list()).map(({ id }) => id)).toEqual(ids)
  })

  test('has no card name if its card has left the catalog', async () => {
    const { testApp, list } = await made()
    testApp.catalogDb.pragma('foreign_keys = OFF')
    testApp.publish(`DELETE FROM cards WHERE id = ${WEBHOOK_INPUT.card_id}`)
    expect(await list()).toMatchObject([{ card_id: WEBHOOK_INPUT.card_id, card_name: null }])
  })
})

test('the threshold is exact to the cent', async () => {
  const { make, change, watch } = await made()
  for (const threshold of [0.01, 0.07, 0.29, 1.1, 4.35, 9_999_999.99, 10_000_000]) {
    expect((await make({ threshold })).body.data.threshold).toBe(threshold)
    expect((await change(watch.id, { threshold })).body.data.threshold).toBe(threshold)
  }
})

test('the minimum confidence is any unless it is sent, and can be changed', async () => {
  const { make, change, look, watch } = await made()
  expect(watch.min_confidence).toBe('low')
  const { data: strict } = (await make({ min_confidence: 'high' })).body
  expect(strict.min_confidence).toBe('high')
  const { body } = await change(strict.id, { min_confidence: 'medium' })
  expect(body.data).toMatchObject({ min_confidence: 'medium', threshold: strict.threshold })
  await change(strict.id, { threshold: 7 })
  expect((await look(strict.id)).body.data.min_confidence).toBe('medium')
})

describe('the currency', () => {
  test('is that of the threshold, and prices with it are compared', async () => {
    const { testApp, make, look, list } = await made()
    addPriceSources(testApp)
    for (const [choice, expected] of [
      [{ currency: 'EUR' }, { currency: 'EUR', source: null }],
      [
        { currency: 'GBP', source: 'tcgplayer' },
        { currency: 'GBP', source: 'tcgplayer' },
      ],
      [{ source: 'cardmarket' }, { currency: 'EUR', source: 'cardmarket' }],
      [{ currency: 'USD' }, { currency: 'USD', source: null }],
    ] as const) {
      const { status, body } = await make({ ...choice, threshold: 12.5 })
      expect([status, body.data]).toMatchObject([201, { ...expected, threshold: 12.5 }])
      expect((await look(body.data.id)).body.data).toMatchObject(expected)
    }
    expect((await list()).map(({ currency }) => currency)).toEqual([
      undefined,
      'EUR',
      'GBP',
      'EUR',
      'USD',
    ])
  })

  test.each([{ currency: 'EUR' }, { currency: 'GBP' }, { source: 'cardmarket' }])(
    'of %j has the price that the endpoints show',
    async (choice) => {
      const { testApp, make, session } = await made({ webhookClient: acceptingClient() })
      addPriceSources(testApp)
      const { id } = (await make(choice)).body.data
      const { body } = await testApp.client.post(`/v1/webhooks/${id}/test`, {}, { session })
      const { payload } = body.data as { payload: object }
      const view = choosePrices(testApp.deps, choice)
      const { json = '[]' } = view.prices.getByCard(WEBHOOK_INPUT.card_id) ?? {}
      const shown: ViewedPrice[] = JSON.parse(json)
      const highest = shown.toSorted((a, b) => (b.market_price ?? 0) - (a.market_price ?? 0))[0]
      const { market_price, ...price } = highest ?? expect.unreachable()
      expect(payload).toEqual({
        ...ALERT_FACTS,
        current_price: market_price,
        ...pickOrigin(price),
      })
    },
  )

  test('stays undefined without a choice', async () => {
    const { watch } = await made()
    expect(Object.keys(watch).filter((name) => /currency|source/.test(name))).toEqual([])
  })

  test.each([{ currency: 'XXX' }, { source: 'nobody' }])('is not %j', async (choice) => {
    const { testApp, make, list } = await made()
    addPriceSources(testApp)
    expectRefusal(await make(choice), 400, 'VALIDATION_ERROR')
    expect(await list()).toHaveLength(1)
  })
})

describe('the card', () => {
  test('must be in the catalog', async () => {
    const { make, list } = await made()
    expectRefusal(await make({ card_id: 1 }), 404, 'NOT_FOUND')
    expect(await list()).toHaveLength(1)
  })

  test('has its printings, and no other', async () => {
    const { make } = await made()
    for (const printing of ['Normal', 'Foil', 'Cold Foil']) {
      expect((await make({ printing })).body.data.printing).toBe(printing)
    }
    for (const printing of ['foil', 'Gold', 'Foil ']) {
      expectRefusal(await make({ printing }), 400, 'VALIDATION_ERROR')
    }
  })

  test('accepts any printing if it has no prices', async () => {
    const { testApp, make } = await made()
    testApp.publish(`DELETE FROM price_texts WHERE card_id = ${WEBHOOK_INPUT.card_id}`)
    const { status, body } = await make({ printing: 'Gold' })
    expect([status, body.data.printing]).toEqual([201, 'Gold'])
  })
})

describe('the URL', () => {
  test('is stored in its normalized form', async () => {
    const { make } = await made()
    const { body } = await make({ url: 'HTTPS://Shop.Example:443/a b?c=ä#d' })
    expect(body.data.url).toBe('https://shop.example/a%20b?c=%C3%A4')
  })

  // Which URLs are refused is tested on the rule (test/rules/primitives/webhook-url.test.ts).
  test('in a private network returns 400, on creation and on change', async () => {
    const { make, change, watch, list } = await made()
    const url = 'https://169.254.169.254/latest/meta-data'
    for (const refused of [await make({ url }), await change(watch.id, { url })]) {
      expectRefusal(refused, 400, 'INVALID_WEBHOOK_URL')
    }
    expect(await list()).toMatchObject([{ url: WEBHOOK_INPUT.url }])
  })

  test.each(['http://127.0.0.1:8080/alerts', 'http://localhost/', 'https://[::1]/'])(
    '%p is accepted only with WEBHOOK_NETWORK=loopback-ok',
    async (url) => {
      for (const [network, status] of [
        ['public', 400],
        ['loopback-ok', 201],
      ] as const) {
        const { make } = await made({ env: { WEBHOOK_NETWORK: network } })
        expect((await make({ url })).status).toBe(status)
      }
    },
  )
})

describe('changing a webhook', () => {
  test('changes the sent members and nothing else', async () => {
    const { testApp, watch, change, look } = await made()
    const { secret: _, ...before } = watch
    testApp.advance(HOUR_MS)
    const updated_at = '2026-11-15T22:30:00.000Z'
    const url = 'https://other.example/a'
    const steps = [
      [{ threshold: 25 }, { threshold: 25 }],
      [{ url }, { url, threshold: 25 }],
      [{ paused: true }, { url, threshold: 25, status: 'paused', status_reason: 'paused' }],
      [{ paused: true, card_id: 900402, condition: 'below', id: 'wh_0' }, undefined],
      [{ paused: false }, { url, threshold: 25 }],
    ] as const
    let expectedBody: object = {}
    for (const [json, expected] of steps) {
      expectedBody = expected === undefined ? expectedBody : { ...before, updated_at, ...expected }
      const { status, body } = await change(watch.id, json)
      expect([status, body.data as object]).toEqual([200, expectedBody])
      expect((await look(watch.id)).body.data as object).toEqual(expectedBody)
    }
  })
})

describe('a webhook’s status', () => {
  test.each(['gone', 'failing'] as const)(
    'is disabled for %s, until it is resumed',
    async (reason) => {
      const { testApp, watch, look, change } = await made()
      await disable(testApp, watch.id, reason)
      const shown = (await look(watch.id)).body.data
      expect([shown.status, shown.status_reason]).toEqual(['disabled', reason])
      // Neither another address nor a pause enables it.
      await change(watch.id, { url: 'https://other.example/' })
      const paused = (await change(watch.id, { paused: true })).body.data
      expect([paused.status, paused.status_reason]).toEqual(['disabled', reason])
      const resumed = (await change(watch.id, { paused: false })).body.data
      expect([resumed.status, resumed.status_reason]).toEqual(['active', null])
    },
  )

  test('is paused by a lower tier, and resumed by a higher one', async () => {
    const { testApp, watch, look, change, make, list, remove } = await made()
    await changeTier(testApp.deps, { email: 'pro@guests.example', tier: 'starter' })
    const shown = (await look(watch.id)).body.data
    expect([shown.status, shown.status_reason]).toEqual(['paused', 'tier'])
    expectRefusal(await make(), 403, 'TIER_REQUIRED')
    // Existing webhooks can be read, updated and deleted.
    expect((await change(watch.id, { threshold: 3, paused: true })).body.data).toMatchObject({
      threshold: 3,
      status: 'paused',
      status_reason: 'paused',
    })
    expect((await change(watch.id, { paused: false })).body.data.status_reason).toBe('tier')
    expect(await list()).toHaveLength(1)
    await changeTier(testApp.deps, { email: 'pro@guests.example', tier: 'business' })
    expect((await look(watch.id)).body.data.status).toBe('active')
    await changeTier(testApp.deps, { email: 'pro@guests.example', tier: 'free' })
    expect((await remove(watch.id)).status).toBe(200)
    expect(await list()).toEqual([])
  })
})

test('deleting a webhook returns it and deletes its messages', async () => {
  const { testApp, watch, remove, look, list, session } = await made()
  await addAlert(testApp, watch.id)
  const { secret: _, ...rest } = watch
  const { status, body } = await remove(watch.id)
  expect(status).toBe(200)
  expect(body.data as object).toEqual({ ...rest, last_alert_at: '2026-11-15T21:30:00.000Z' })
  expect(await list()).toEqual([])
  expectRefusal(await look(watch.id), 404, 'NOT_FOUND')
  expect((await remove(watch.id)).status).toBe(404)
  const page = { limit: 10, offset: 0 }
  expect((await testApp.deps.ledger.messages.list(watch.id, page)).total).toBe(0)
  const path = `/v1/webhooks/${watch.id}/deliveries`
  expect((await testApp.client.get(path, { session })).status).toBe(404)
})

describe('the secret', () => {
  test('is in no other response, in no log, and not in plain text in the ledger', async () => {
    const webhookClient = acceptingClient()
    const { testApp, watch, secret, change, list, look, session } = await made({
      onDisk: true,
      webhookClient,
    })
    const { get, post } = testApp.client
    const path = `/v1/webhooks/${watch.id}`
    const rotated = await change(watch.id, { rotate_secret: true, threshold: 3 })
    const second = rotated.body.data.secret ?? ''
    expect(second).toMatch(SECRET)
    expect(second).not.toBe(secret)
    const { id } = await addAlert(testApp, watch.id)
    await list()
    const replies: TestResponse<unknown>[] = [
      await get('/v1/webhooks', { session }),
      await look(watch.id),
      await change(watch.id, { paused: true }),
      await change(watch.id, { paused: false }),
      await change(watch.id, { rotate_secret: 1 }),
      await post(`${path}/test`, undefined, { session }),
      await get(`${path}/deliveries`, { session }),
      await post(`${path}/redeliver/${id}`, undefined, { session }),
      await get('/v1/auth/me', { session }),
      await get('/v1/usage', { session }),
      await get('/metrics'),
    ]
    const folder = testApp.deps.config.dataDir
    const files = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
    expect(files.includes(watch.id)).toBe(true)
    testApp.deps.ledger.close()
    replies.push(await look(watch.id))
    expect(replies.at(-1)?.status).toBe(500)
    expect(webhookClient.posts).toHaveLength(1)

    const outputs = [
      ...replies.map(({ text, headers }) => text + JSON.stringify([...headers])),
      ...testApp.log.map(({ event, facts }) => event + Bun.inspect(facts)),
      ...webhookClient.posts.map((post) => JSON.stringify(post)),
    ].join('\n')
    expect(outputs).not.toMatch(SECRET)
    for (const one of [secret, second]) {
      const bytes = Buffer.from(one.slice('whsec_'.length), 'base64')
      for (const form of [one, one.slice(6), bytes.toString('hex'), bytes.toString('base64url')]) {
        expect(outputs).not.toContain(form)
        expect(files.includes(form)).toBe(false)
      }
      expect(files.includes(bytes)).toBe(false)
    }
    testApp.deps.catalog.close()
  })

  test('that was replaced also signs for another day', async () => {
    const webhookClient = acceptingClient()
    const { testApp, watch, change, look, session } = await made({ webhookClient })
    const { body } = await change(watch.id, { rotate_secret: true })
    expect(body.data.previous_secret_until).toBe('2026-11-16T21:30:00.000Z')
    const signatures = async () => {
      await testApp.client.post(`/v1/webhooks/${watch.id}/test`, undefined, { session })
      return webhookClient.posts.at(-1)?.headers['webhook-signature']?.split(' ').length
    }
    expect(await signatures()).toBe(2)
    testApp.advance(24 * HOUR_MS - 1)
    expect((await look(watch.id)).body.data.previous_secret_until).not.toBeNull()
    expect(await signatures()).toBe(2)
    testApp.advance(1)
    expect((await look(watch.id)).body.data.previous_secret_until).toBeNull()
    expect(await signatures()).toBe(1)
  })

  test('that cannot be decrypted is reported, and a new one resolves it', async () => {
    const webhookClient = acceptingClient()
    const { testApp, watch, change, session } = await made({ webhookClient })
    // As after a restart with another APP_SECRET.
    testApp.deps.secrets = createSecretBox('another secret of 32 or more signs', randomBytes)
    const path = `/v1/webhooks/${watch.id}/test`
    type Tested = { state: string; attempts: { status: number | null; error: string }[] }
    const { status, body } = await testApp.client.post<Tested>(path, undefined, { session })
    const [attempt] = body.data.attempts
    expect([status, body.data.state, attempt?.status, webhookClient.posts.length]).toEqual([
      200,
      'dead',
      null,
      0,
    ])
    expect(attempt?.error).toContain('signing secret')
    expect(testApp.log).toContainEqual({
      level: 'error',
      event: 'a signing secret cannot be decrypted: has APP_SECRET changed?',
      facts: { webhook: watch.id },
    })

    await change(watch.id, { rotate_secret: true })
    const repaired = await testApp.client.post<Tested>(path, undefined, { session })
    expect(repaired.body.data.state).toBe('delivered')
    expect(webhookClient.posts[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
  })
})

/** Disables it like failed deliveries do. */
async function disable(testApp: TestApp, webhook_id: string, reason: 'gone' | 'failing') {
  const { messages } = testApp.deps.ledger
  const { id } = await addAlert(testApp, webhook_id)
  const now = testApp.deps.now()
  const hold = { owner: 'test', now, leaseMs: HOUR_MS, pausedMs: HOUR_MS }
  const [due] = await messages.lease(hold, [id])
  if (due === undefined) throw new Error('nothing is due')
  const made = {
    message_id: due.id,
    owner: 'test',
    url: due.url,
    at: now.getTime(),
    latency_ms: 5,
    status: reason === 'gone' ? 410 : 500,
    error: 'it was refused',
    answer: null,
  }
  const conclusion =
    reason === 'gone' ? ({ kind: 'dead', stops: 'gone' } as const) : ({ kind: 'dead' } as const)
  await messages.record({ ...made, now }, conclusion, () => true)
}
