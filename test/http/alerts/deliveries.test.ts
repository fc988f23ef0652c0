import { describe, expect, test } from 'bun:test'
import type { AttemptOutcome, WebhookClient } from '#outbound/webhooks/webhook-client.ts'
import type { DeliveryAttempt, WebhookDelivery } from '../../../src/client/endpoints.ts'
import {
  ALERT_BODY,
  acceptingClient,
  addAlert,
  WEBHOOK_INPUT,
} from '../../support/alerts/webhook-fixtures.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

// Deliveries and their attempts, as shown to the owner; test deliveries and redeliveries.

async function watching(client: WebhookClient = acceptingClient()) {
  const testApp = await createTestApp({ webhookClient: client })
  const session = await testApp.createSession('pro')
  const { get, post } = testApp.client
  const made = await post<{ id: string }>('/v1/webhooks', WEBHOOK_INPUT, { session })
  const webhook_id = made.body.data.id
  const path = `/v1/webhooks/${webhook_id}`
  return {
    testApp,
    session,
    webhook_id,
    list: (query = '') => get<WebhookDelivery[]>(`${path}/deliveries${query}`, { session }),
    test: () => post<WebhookDelivery>(`${path}/test`, undefined, { session }),
    redeliver: (id: string) =>
      post<WebhookDelivery>(`${path}/redeliver/${id}`, undefined, { session }),
    pause: (paused: boolean) =>
      testApp.client.request('PATCH', path, { session, json: { paused } }),
  }
}

/** Creates a receiver with scripted responses. */
function clientOf(attemptOutcome: Partial<AttemptOutcome>): WebhookClient {
  const usual = { status: 200, error: null, latency_ms: 12, retry_after_ms: 0, answer: null }
  return { post: async () => ({ ...usual, ...attemptOutcome }) }
}

/** Attempts a waiting message once, like the job. */
async function attempt(
  testApp: TestApp,
  id: string,
  made: Partial<DeliveryAttempt>,
  ends?: 'dead',
) {
  const { messages } = testApp.deps.ledger
  const now = testApp.deps.now()
  const hold = { owner: 'test', now, leaseMs: 60_000, pausedMs: 60_000 }
  const [due] = await messages.lease(hold, [id])
  if (due === undefined) throw new Error('it is not due')
  const usual = { status: null, error: null, latency_ms: 5, answer: null }
  const by = { message_id: id, owner: 'test', url: due.url }
  const done = { ...usual, ...made, ...by, at: now.getTime(), now }
  const again = { kind: 'again', delayMs: 0 } as const
  await messages.record(done, ends === undefined ? again : { kind: ends }, undefined)
}

describe('the list of deliveries', () => {
  test('lists each message with the sent body, and the time of its next attempt', async () => {
    const { testApp, list, webhook_id } = await watching()
    const { id } = await addAlert(testApp, webhook_id, '2026-11-15T21:00:00.000Z')
    const [delivery] = (await list()).body.data
    expect(delivery).toEqual({
      id,
      webhook_id,
      kind: 'alert',
      state: 'pending',
      payload: JSON.parse(ALERT_BODY),
      created_at: '2026-11-15T21:00:00.000Z',
      next_attempt_at: '2026-11-15T21:00:00.000Z',
      ended_at: null,
      attempts: [],
    })
  })

  test('has the result of each attempt, oldest first, at most twenty', async () => {
    const { testApp, list, webhook_id } = await watching()
    const { id } = await addAlert(testApp, webhook_id)
    await attempt(testApp, id, { error: 'No name server knows the name.' })
    await attempt(testApp, id, { status: 503, error: 'It answered 503.', answer: 'come later' })
    const of = async () => (await list()).body.data[0]?.attempts ?? []
    expect(await of()).toEqual([
      {
        at: '2026-11-15T21:30:00.000Z',
        status: null,
        error: 'No name server knows the name.',
        latency_ms: 5,
        answer: null,
      },
      {
        at: '2026-11-15T21:30:00.000Z',
        status: 503,
        error: 'It answered 503.',
        latency_ms: 5,
        answer: 'come later',
      },
    ])
    for (let more = 0; more < 20; more++) await attempt(testApp, id, { status: 500 + more })
    expect((await of()).map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, (_, index) => 500 + index),
    )
  })
})

describe('a test delivery', () => {
  test('is sent at once, and the response has its result', async () => {
    const webhookClient = acceptingClient()
    const { test: send, list, webhook_id } = await watching(webhookClient)
    const { status, body } = await send()
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ webhook_id, kind: 'test', state: 'delivered' })
    expect(body.data.attempts).toMatchObject([{ status: 204, error: null, latency_ms: 12 }])
    expect(body.data.next_attempt_at).toBeNull()
    expect((await list()).body.data).toEqual([body.data])
    expect(webhookClient.posts).toMatchObject([{ url: WEBHOOK_INPUT.url }])
    expect(webhookClient.posts[0]?.headers['webhook-id']).toBe(body.data.id)
    expect(JSON.parse(String(webhookClient.posts[0]?.body))).toEqual(body.data.payload)
  })

  test('that fails returns 200: the failure is the requested information', async () => {
    const error = 'It answered 500.'
    const { test: send } = await watching(clientOf({ status: 500, error, answer: 'oh' }))
    const { status, body } = await send()
    expect([status, body.data.state]).toEqual([200, 'dead'])
    expect(body.data.attempts).toMatchObject([{ status: 500, error, answer: 'oh' }])
  })
})

describe('redelivering', () => {
  test('sends a dead message with its id and body, now and with all attempts', async () => {
    const { testApp, list, redeliver, webhook_id } = await watching()
    const { id } = await addAlert(testApp, webhook_id)
    await attempt(testApp, id, { status: 500, error: 'It answered 500.' }, 'dead')
    const dead = (await list()).body.data[0]
    expect(dead).toMatchObject({ state: 'dead', next_attempt_at: null })
    expect(dead?.ended_at).toBe('2026-11-15T21:30:00.005Z')
    testApp.setClock('2026-11-16T08:00:00.000Z')
    const { status, body } = await redeliver(id)
    expect([status, body.data as object]).toEqual([
      200,
      { ...dead, state: 'pending', next_attempt_at: '2026-11-16T08:00:00.000Z', ended_at: null },
    ])
    expect((await testApp.deps.ledger.messages.get(id, webhook_id))?.tries).toBe(0)
  })
})
