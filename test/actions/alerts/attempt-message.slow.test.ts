import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { attemptMessage } from '#actions/alerts/attempt-message.ts'
import { openWebhookClient } from '#outbound/webhooks/webhook-client.ts'
import { CONSECUTIVE_FAILURES_MAX } from '#rules/alerts/retry-schedule.ts'
import type { WebhookChanges } from '#store/ledger/alerts/price-rules.ts'
import { createDeliveryWorld, type DeliveryWorld } from '../../support/alerts/delivery-world.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'

const NOW = Date.parse(FROZEN_TIME)
const HOUR = 3_600_000
const after = (ms: number) => new Date(NOW + ms).toISOString()

let world: DeliveryWorld
let account = 0
beforeEach(async () => {
  world = await createDeliveryWorld()
  account = await world.addAccount()
})
afterEach(() => world.close())

/** Attempts a message now, as its owner. */
async function attempt(id: string, signal?: AbortSignal, webhookClient = world.deps.webhookClient) {
  const { deps } = world
  const [due] = await deps.ledger.messages.lease(
    { owner: 'me', now: deps.now(), leaseMs: 60_000, pausedMs: 60_000 },
    [id],
  )
  if (due === undefined) throw new Error('it is not due')
  await attemptMessage({ ...deps, webhookClient }, { due, owner: 'me', ...(signal && { signal }) })
}

const changeWebhook = (id: string, changes: WebhookChanges) =>
  world.deps.ledger.webhooks.update({ id, account_id: account }, changes, world.auditContext())

const watchRow = (id: string) => world.deps.ledger.webhooks.get({ id: id, account_id: account })

test('a message arrives signed, byte for byte as stored, and is delivered', async () => {
  const receiver = world.receiver({ behave: () => 'ok with body' })
  const watch = await world.addWebhook(account, `${receiver.url}/alerts?a=b`)
  const [id = ''] = await world.addAlerts(watch)
  await attempt(id)
  const message = await world.getDelivery(watch, id)
  const [got] = receiver.received
  expect(got).toMatchObject({ id, path: '/alerts?a=b', body: message.body })
  expect(got?.timestamp).toBe(String(Math.floor(NOW / 1000)))
  expect(got?.headers.has('cardstock-test')).toBe(false)
  expect(new Webhook(world.secretOf(watch)).sign(id, new Date(NOW), message.body)).toBe(
    got?.signature ?? '',
  )
  expect(message).toMatchObject({ state: 'delivered', tries: 1, owner: null })
  expect(message.attempts).toMatchObject([{ status: 200, error: null, answer: 'Thank you.' }])
})

test('attempts are counted by result once they are recorded', async () => {
  const { messages } = world.deps.ledger
  const before = { ...messages.getCounts() }
  const good = world.receiver({ behave: () => 'ok' })
  const bad = world.receiver({ behave: () => 'fail' })
  for (const { url } of [good, bad]) {
    const [id = ''] = await world.addAlerts(await world.addWebhook(account, url))
    await attempt(id)
  }
  expect(messages.getCounts()).toEqual({
    delivered: before.delivered + 1,
    again: before.again + 1,
    dead: before.dead,
  })
  const ours = {
    message_id: 'none',
    owner: 'me',
    url: good.url,
    at: NOW,
    now: new Date(NOW),
    status: 200,
    error: null,
  }
  await messages.record({ ...ours, latency_ms: 1, answer: null }, { kind: 'dead' }, undefined)
  expect(messages.getCounts().dead).toBe(before.dead)
})

test('it is also signed with the previous secret for a day', async () => {
  const receiver = world.receiver({ behave: () => 'fail' })
  const watch = await world.addWebhook(account, receiver.url)
  const secret = 'whsec_bmV3IHNlY3JldCBvZiB0aGlydHktdHdvIGJ5dGVzISE='
  const change = {
    secret: { sealed: world.deps.secrets.seal(secret, watch), oldUntil: new Date(NOW + 1) },
  }
  await changeWebhook(watch, change)
  const [id = '', later = ''] = await world.addAlerts(watch, 2)
  await attempt(id)
  world.setClock(after(1))
  await attempt(later)
  expect(receiver.received.map(({ signature }) => signature.split(' ').length)).toEqual([2, 1])
  const [got, one] = receiver.received
  const macOf = (of: string, id: string, at: number, body = '') =>
    new Webhook(of).sign(id, new Date(at), body)
  expect(got?.signature.split(' ')).toEqual([
    macOf(secret, id, NOW, got?.body),
    macOf(world.secretOf(watch), id, NOW, got?.body),
  ])
  expect(one?.signature).toBe(macOf(secret, later, NOW, one?.body))
})

test('a failed attempt is repeated unchanged, the first time after five seconds', async () => {
  const answers = ['fail', 'cut', 'ok'] as const
  const receiver = world.receiver({ behave: () => answers[receiver.received.length] ?? 'ok' })
  const watch = await world.addWebhook(account, receiver.url)
  const [id = ''] = await world.addAlerts(watch)
  const waits: number[] = []
  for (let tries = 0; tries < 3; tries++) {
    await attempt(id)
    const { next_at } = await world.getDelivery(watch, id)
    waits.push(next_at - world.deps.now().getTime())
    world.setClock(new Date(next_at).toISOString())
  }
  expect(waits[0]).toBeWithin(4_000, 6_001)
  expect(waits[1]).toBeWithin(240_000, 360_001)
  const { state, tries, attempts } = await world.getDelivery(watch, id)
  expect([state, tries]).toEqual(['delivered', 3])
  expect(attempts.map(({ status }) => status)).toEqual([500, null, 204])
  expect(attempts.map(({ error }) => error !== null)).toEqual([true, true, false])
  const { received } = receiver
  expect(new Set(received.map((one) => one.id))).toEqual(new Set([id]))
  expect(new Set(received.map((one) => one.body)).size).toBe(1)
  expect(new Set(received.map((one) => one.signature)).size).toBe(3)
})

test('a receiver may delay the next attempt, by a day at most', async () => {
  const receiver = world.receiver({
    behave: ({ path }) => ({ busy: path === '/hour' ? '3600' : '999999999' }),
  })
  const waits: number[] = []
  for (const path of ['/hour', '/long']) {
    const watch = await world.addWebhook(account, receiver.url + path)
    const [id = ''] = await world.addAlerts(watch)
    await attempt(id)
    waits.push((await world.getDelivery(watch, id)).next_at - NOW)
  }
  expect(waits).toEqual([HOUR, 24 * HOUR])
})

test('a redirect is a failure, and is not followed', async () => {
  const other = world.receiver()
  const receiver = world.receiver({ behave: () => ({ moved: other.url }) })
  const watch = await world.addWebhook(account, receiver.url)
  const [id = ''] = await world.addAlerts(watch)
  await attempt(id)
  expect((await world.getDelivery(watch, id)).attempts).toMatchObject([{ status: 307 }])
  expect([receiver.received.length, other.received.length]).toEqual([1, 0])
})

test('after ten attempts over three days a message is dead, and can be sent again', async () => {
  const receiver = world.receiver({ behave: () => 'refuse' })
  const watch = await world.addWebhook(account, receiver.url)
  const [id = ''] = await world.addAlerts(watch)
  for (let tries = 0; tries < 10; tries++) {
    world.setClock(new Date((await world.getDelivery(watch, id)).next_at).toISOString())
    await attempt(id)
  }
  const dead = await world.getDelivery(watch, id)
  expect([dead.state, dead.tries, dead.attempts.length]).toEqual(['dead', 10, 10])
  expect((dead.ended_at ?? 0) - dead.created_at).toBeWithin(60 * HOUR, 91 * HOUR)
  expect((await watchRow(watch))?.disabled_for).toBeNull()
  await world.deps.ledger.messages.markPending(id, world.deps.now())
  await attempt(id)
  expect(await world.getDelivery(watch, id)).toMatchObject({ state: 'pending', tries: 1 })
})

test('410 ends the message and disables its webhook', async () => {
  const watch = await world.addWebhook(account, world.receiver({ behave: () => 'gone' }).url)
  const [id = ''] = await world.addAlerts(watch)
  await attempt(id)
  expect((await world.getDelivery(watch, id)).state).toBe('dead')
  expect((await watchRow(watch))?.disabled_for).toBe('gone')
})

describe('an attempt while the owner changes the URL', () => {
  /** @returns what happened to message and webhook, and whether the address was different at the end */
  async function attemptWhileMoved(behavior: 'gone' | 'fail' | 'ok', to = 'https://new.example/') {
    const by = { id: '', account_id: account }
    const move = () => world.deps.ledger.webhooks.update(by, { url: to }, world.auditContext())
    const receiver = world.receiver({ behave: () => behavior })
    const webhookClient = {
      async post(...given: Parameters<typeof world.deps.webhookClient.post>) {
        await move()
        return world.deps.webhookClient.post(...given)
      },
    }
    by.id = await world.addWebhook(account, `${receiver.url}/old`)
    const [id = ''] = await world.addAlerts(by.id)
    await attempt(id, undefined, webhookClient)
    return { message: await world.getDelivery(by.id, id), watch: await watchRow(by.id), by }
  }

  test.each(['gone', 'fail'] as const)(
    'that ended with %p does not count for the new URL, which is tried immediately',
    async (behavior) => {
      const { message, watch } = await attemptWhileMoved(behavior)
      expect(watch?.disabled_for).toBeNull()
      expect(message).toMatchObject({ state: 'pending', tries: 1, owner: null })
      expect(message.next_at - NOW).toBeWithin(0, 2_000)
      expect(message.attempts).toHaveLength(1)
    },
  )
  test('does not count among the failures of the new one', async () => {
    const { by } = await attemptWhileMoved('fail', world.receiver({ behave: () => 'fail' }).url)
    world.setClock(after(72 * HOUR))
    for (const id of await world.addAlerts(by.id, CONSECUTIVE_FAILURES_MAX - 1)) await attempt(id)
    expect((await watchRow(by.id))?.disabled_for).toBeNull()
  })
  test('and that was delivered is delivered', async () => {
    expect((await attemptWhileMoved('ok')).message.state).toBe('delivered')
  })
})

describe('failures in a row', () => {
  /** Returns the given number of failures, the last of them after the given time; one may be a success. */
  async function failFor(ms: number, okAt: number, kind: 'alert' | 'secret') {
    let count = 0
    const behave = () => (count === okAt ? ('ok' as const) : ('fail' as const))
    const watch = await world.addWebhook(account, world.receiver({ behave }).url)
    const ids = await world.addAlerts(watch, CONSECUTIVE_FAILURES_MAX)
    if (kind === 'secret') {
      const sealed = world.deps.secrets.seal('whsec_AAAA', 'another watch')
      const secret = { sealed, oldUntil: new Date(0) }
      await changeWebhook(watch, { secret })
    }
    for (const [index, id] of ids.entries()) {
      count = index
      if (index === ids.length - 1) world.setClock(after(ms))
      await attempt(id)
    }
    return (await watchRow(watch))?.disabled_for
  }

  test.each([
    ['twenty over three days disable a webhook', 72 * HOUR, -1, 'alert', 'failing'],
    ['twenty in a shorter time do not', 72 * HOUR - 1, -1, 'alert', null],
    ['those with a success in between do not', 72 * HOUR, 10, 'alert', null],
    ['internal errors do not', 72 * HOUR, -1, 'secret', null],
  ] as const)('%s', async (_, ms, okAt, kind, disabledFor) => {
    expect(await failFor(ms, okAt, kind)).toBe(disabledFor)
  })

  test('those of a previous URL do not', async () => {
    const watch = await world.addWebhook(account, world.receiver({ behave: () => 'fail' }).url)
    const ids = await world.addAlerts(watch, CONSECUTIVE_FAILURES_MAX)
    const last = ids.pop() ?? ''
    for (const id of ids) await attempt(id)
    world.setClock(after(72 * HOUR))
    const { url } = world.receiver({ behave: () => 'fail' })
    await changeWebhook(watch, { url })
    await attempt(last)
    expect((await watchRow(watch))?.disabled_for).toBeNull()
  })
})

test('a secret that cannot be decrypted is reported to owner and operator, and nothing is sent', async () => {
  const receiver = world.receiver()
  const watch = await world.addWebhook(account, receiver.url)
  const [id = ''] = await world.addAlerts(watch)
  const sealed = world.deps.secrets.seal('whsec_AAAA', 'another watch')
  const secret = { sealed, oldUntil: new Date(0) }
  await changeWebhook(watch, { secret })
  await attempt(id)
  const { state, attempts } = await world.getDelivery(watch, id)
  expect([state, receiver.received.length]).toEqual(['pending', 0])
  expect(attempts).toMatchObject([{ status: null, error: expect.stringContaining('secret') }])
  expect(world.log).toContainEqual(
    expect.objectContaining({ level: 'error', facts: { webhook: watch } }),
  )
})

test('an exception of the client is a failed attempt, and is reported to the operator', async () => {
  const watch = await world.addWebhook(account, 'https://hooks.example/')
  const [id = ''] = await world.addAlerts(watch)
  const webhookClient = { post: () => Promise.reject(new Error('a bug')) }
  await attempt(id, undefined, webhookClient)
  expect(await world.getDelivery(watch, id)).toMatchObject({ state: 'pending', tries: 1 })
  expect(world.log.some(({ level }) => level === 'error')).toBe(true)
})

test('an aborted attempt does not count', async () => {
  const receiver = world.receiver({ behave: () => 'never' })
  const watch = await world.addWebhook(account, receiver.url)
  const [id = ''] = await world.addAlerts(watch)
  const ending = new AbortController()
  const attempted = attempt(id, ending.signal)
  while (receiver.received.length === 0) await Bun.sleep(1)
  ending.abort()
  await attempted
  expect(await world.getDelivery(watch, id)).toMatchObject({ tries: 0, owner: 'me', attempts: [] })
})

test('a receiver that does not respond in time has failed', async () => {
  const watch = await world.addWebhook(account, world.receiver({ behave: () => 'never' }).url)
  const [id = ''] = await world.addAlerts(watch)
  await attempt(id, undefined, openWebhookClient({ network: 'loopback-ok', timeoutMs: 30 }))
  const { state, attempts } = await world.getDelivery(watch, id)
  expect([state, attempts[0]?.status]).toEqual(['pending', null])
})
