import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  createMessageWorker,
  type MessageWorker,
  SEND_TIMING,
} from '#actions/alerts/message-worker.ts'
import { makeDigests } from '#actions/alerts/relay-alerts.ts'
import { startPushReceiver } from '../../support/alerts/push-receiver.ts'
import { type Behavior, type Receiver, startReceiver } from '../../support/alerts/receivers.ts'
import {
  type MailBehavior,
  type MailServer,
  startMailServer,
} from '../../support/mail/mail-server.ts'
import { createTestApp, emailOf, type TestApp } from '../../support/test-app.ts'
import { waitFor } from '../../support/wait-for.ts'

// Channels of alerts, from the relay to the receivers on this machine.

const ADA = 'ada@mail.example'
let mailServer: MailServer
let receiver: Receiver
let mailBehavior: (to: string) => MailBehavior
let behavior: () => Behavior
let testApp: TestApp
let worker: MessageWorker
let account_id: number
let alerts = 0

beforeAll(async () => {
  mailServer = await startMailServer({ behave: (to) => mailBehavior(to) })
  receiver = startReceiver({ behave: () => behavior() })
})
afterAll(async () => {
  receiver.stop()
  await mailServer.close()
})

beforeEach(async () => {
  mailBehavior = () => 'ok'
  behavior = () => 'ok'
  mailServer.received.length = 0
  receiver.received.length = 0
  const env = { SMTP_URL: mailServer.url, MAIL_FROM: 'cards@shop.example' }
  testApp = await createTestApp({ env })
  const { deps } = testApp
  account_id = (await deps.ledger.accounts.getByEmail(emailOf('free')))?.id ?? 0
  const price = { card_id: 900401, printing: null, currency: null, source: null }
  const alert = { ...price, condition: 'below', threshold: 500 } as const
  await deps.ledger.priceAlerts.create({ id: 'al_1', account_id, ...alert }, 9, {
    now: deps.now(),
    address: undefined,
  })
  worker = createMessageWorker(deps, { ...SEND_TIMING, wait: () => 0, graceMs: 1 })
})
afterEach(async () => {
  await worker.close()
  testApp.close()
})

const as = { as: 'free' } as const
type Shown = { id: string; status: string; disabled_for: string | null; last_error: string | null }

const add = async (json: object) =>
  (await testApp.client.post<Shown>('/v1/channels', json, as)).body.data.id

async function channel(id: string): Promise<Shown | undefined> {
  const { body } = await testApp.client.get<Shown[]>('/v1/channels', as)
  return body.data.find((one) => one.id === id)
}

/** Relays an alert. @returns the id of its message */
async function relay(price = 4): Promise<string> {
  const { ledger, now } = testApp.deps
  const id = `msg_${String(++alerts).padStart(32, '0')}`
  const facts = { card_id: 900401, card_name: 'Marigold <b>', condition: 'below', threshold: 5 }
  const body = JSON.stringify({ event: 'price_alert', ...facts, current_price: price })
  const alert = { id, rule_id: 'al_1', body, created_at: now().getTime() }
  await ledger.relayedAlerts.relay([alert], now())
  return id
}

/** Sends until a condition is met. */
async function send(isDone: () => boolean | Promise<boolean>): Promise<void> {
  await waitFor(async () => {
    await worker.tick()
    return isDone()
  })
}

/** Sends until nothing is waiting. */
const sendAll = () =>
  send(async () => {
    const all = { after: { next_at: 0, id: '' }, limit: 1 }
    const { heads } = await testApp.deps.ledger.messages.listDue(new Date('9999-01-01'), all)
    return heads.length === 0
  })

const pathIn = (text: string, page: string) => new RegExp(`/${page}/(\\S+)`).exec(text)?.[1] ?? ''

/** Adds a mail address and opens the confirmation link. */
async function addMail(): Promise<string> {
  const id = await add({ kind: 'email', address: ADA })
  expect((await channel(id))?.status).toBe('unconfirmed')
  await relay()
  await send(() => mailServer.received.length > 0)
  const [mail] = mailServer.received.splice(0)
  expect(mail?.headers.get('subject')).toBe('Confirm your address for price alerts')
  const link = pathIn(mail?.text ?? '', 'confirm')
  expect((await testApp.client.post(`/v1/confirm/${link}x`)).status).toBe(404)
  expect((await testApp.client.post(`/v1/confirm/${link}`)).status).toBe(200)
  expect((await channel(id))?.status).toBe('active')
  return id
}

describe('a mail address', () => {
  test('gets alerts once it is confirmed, and none after one click', async () => {
    const id = await addMail()
    const message = await relay()
    await sendAll()
    const [mail, ...others] = mailServer.received
    expect(others).toEqual([])
    expect(mail?.headers.get('message-id')).toBe(`<${message}.${id}@shop.example>`)
    expect(mail?.headers.get('subject')).toBe('Marigold <b> is at $4.00')
    expect(mail?.text).toContain('Your alert: $5.00 or less.')
    expect(mail?.html).not.toContain('<b>')
    expect(mail?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const { pathname } = new URL(mail?.headers.get('list-unsubscribe')?.slice(1, -1) ?? '')
    expect(pathIn(mail?.text ?? '', 'unsubscribe')).toBe(pathname.split('/').at(-1) ?? '')
    await relay()
    const clicked = await testApp.client.request('POST', pathname, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(clicked.status).toBe(200)
    await relay()
    await sendAll()
    expect(mailServer.received).toHaveLength(1)
    expect(await channel(id)).toMatchObject({ status: 'disabled', disabled_for: 'unsubscribed' })
    // Only its owner can enable it again.
    const resumed = await testApp.client.request('PATCH', `/v1/channels/${id}`, {
      json: { is_paused: false },
      ...as,
    })
    expect(resumed.body.data).toMatchObject({ status: 'unconfirmed' })
  })

  test('is repeated if the server requests a delay, is down, or closes the connection', async () => {
    const id = await addMail()
    const outcomes: MailBehavior[] = [
      { recipient: 450 },
      { recipient: 421 },
      { content: 451 },
      'cut',
    ]
    mailBehavior = () => outcomes.shift() ?? 'ok'
    const message = await relay()
    await sendAll()
    expect(outcomes).toEqual([])
    expect(mailServer.received).toHaveLength(2)
    // The aborted request had been stored: both have the same id.
    const ids = mailServer.received.map(({ headers }) => headers.get('message-id'))
    expect(new Set(ids)).toEqual(new Set([`<${message}.${id}@shop.example>`]))
    expect(await channel(id)).toMatchObject({ status: 'active', last_error: null })
  })

  test('that bounces stops, with a notification', async () => {
    const id = await addMail()
    mailBehavior = () => ({ recipient: 550 })
    await relay()
    await relay()
    await sendAll()
    expect(await channel(id)).toMatchObject({
      status: 'disabled',
      disabled_for: 'refused',
      last_error: 'The mail server does not accept mail to this address (550).',
    })
    const { body } = await testApp.client.get<{ kind: string; source_id: string }[]>(
      '/v1/notifications',
      as,
    )
    const notice = body.data.find(({ kind }) => kind === 'channel')
    expect(notice).toMatchObject({ source_id: id, alert: null })
    const tries = mailServer.tries()
    await relay()
    await sendAll()
    expect(mailServer.tries()).toBe(tries)
  })

  test('gets only a few mails while it is not confirmed', async () => {
    const id = await add({ kind: 'email', address: ADA })
    const again = () => testApp.client.post(`/v1/channels/${id}/confirmation`, undefined, as)
    expect((await again()).status).toBe(202)
    expect((await again()).status).toBe(202)
    expect((await again()).body.error.code).toBe('TOO_MANY_ATTEMPTS')
    const tested = await testApp.client.post(`/v1/channels/${id}/test`, undefined, as)
    expect(tested.body.error.code).toBe('CHANNEL_UNAVAILABLE')
  })
})

describe('a daily digest', () => {
  const preferDigest = (digest_hour: number | null) =>
    testApp.client.request('PATCH', '/v1/alert-preferences', { json: { digest_hour }, ...as })

  test('is one mail with the alerts since the last, also after a restart', async () => {
    const id = await addMail()
    await preferDigest(23)
    testApp.setClock('2026-11-15T22:00:00Z')
    await relay(4)
    await relay(3)
    expect(await makeDigests(testApp.deps)).toBe(0)
    testApp.setClock('2026-11-15T23:00:01Z')
    await relay(2)
    expect(await makeDigests(testApp.deps)).toBe(1)
    // A restarted server creates no second digest, and sends the existing one.
    expect(await makeDigests(testApp.deps)).toBe(0)
    mailBehavior = () => (mailServer.received.length === 0 ? 'cut' : 'ok')
    await sendAll()
    const [first, second] = mailServer.received
    expect(first?.headers.get('subject')).toBe('2 price alerts')
    expect(first?.text).toContain('$4.00')
    expect(first?.text).toContain('$3.00')
    expect(first?.text).not.toContain('$2.00')
    expect(second?.headers.get('message-id')).toBe(first?.headers.get('message-id') ?? '')
    testApp.setClock('2026-11-16T23:00:00Z')
    expect(await makeDigests(testApp.deps)).toBe(1)
    await sendAll()
    expect(mailServer.received.at(-1)?.headers.get('subject')).toBe('Marigold <b> is at $2.00')
    expect((await channel(id))?.status).toBe('active')
  })

  test('is sent at once when single messages are chosen again', async () => {
    await addMail()
    await preferDigest(5)
    await relay()
    await preferDigest(null)
    expect(await makeDigests(testApp.deps)).toBe(1)
    await relay()
    await sendAll()
    expect(mailServer.received).toHaveLength(2)
  })
})

describe('a chat', () => {
  test.each(['ntfy', 'discord', 'slack'] as const)(
    '%s gets each alert with an id that repeats',
    async (kind) => {
      const id = await add({ kind, address: `${receiver.url}/topic`, token: 'tk_1' })
      const outcomes: Behavior[] = [
        'accept then fail',
        { status: 429, headers: { 'retry-after': '0' } },
      ]
      behavior = () => outcomes.pop() ?? 'ok'
      const message = await relay()
      await sendAll()
      expect(receiver.received).toHaveLength(3)
      for (const { body } of receiver.received) {
        expect(body).toContain(message)
        expect(body).toContain('is at $4.00')
        expect(body).not.toContain(kind === 'slack' ? '<b>' : '@everyone')
      }
      const [{ headers, path } = { headers: new Headers(), path: '' }] = receiver.received
      expect(headers.get('authorization')).toBe(kind === 'ntfy' ? 'Bearer tk_1' : null)
      expect(path).toBe(kind === 'ntfy' ? '/' : '/topic')
      const { text } = await testApp.client.post(`/v1/channels/${id}/test`, undefined, as)
      expect(text).toContain('"error":null')
      expect(receiver.received.at(-1)?.body).toContain('Test: Example card (Foil) is at $4.50')
      const token = pathIn(receiver.received.at(-1)?.body ?? '', 'unsubscribe').replace(
        /["|)\\].*/s,
        '',
      )
      expect((await testApp.client.post(`/v1/unsubscribe/${token}`)).status).toBe(200)
      const count = receiver.received.length
      await relay()
      await sendAll()
      expect(receiver.received).toHaveLength(count)
    },
  )

  test('that was deleted stops its channel', async () => {
    const id = await add({ kind: 'discord', address: `${receiver.url}/x` })
    behavior = () => ({ status: 404 })
    await relay()
    await sendAll()
    expect(await channel(id)).toMatchObject({ status: 'disabled', disabled_for: 'gone' })
  })

  test('that requests a delay gets no message until the delay is over', async () => {
    await add({ kind: 'ntfy', address: `${receiver.url}/x` })
    behavior = () => ({ status: 429, headers: { 'retry-after': '90' } })
    await worker.close()
    worker = createMessageWorker(testApp.deps, SEND_TIMING)
    await relay()
    await send(() => receiver.received.length === 1)
    const { messages } = testApp.deps.ledger
    const at = (seconds: number) => new Date(testApp.deps.now().getTime() + seconds * 1000)
    const due = async (seconds: number) =>
      (await messages.listDue(at(seconds), { after: { next_at: 0, id: '' }, limit: 9 })).heads
    // It is leased for 60 seconds until the outcome is recorded.
    await waitFor(async () => (await due(89)).length === 0)
    expect(await due(90)).toHaveLength(1)
  })
})

describe('a push subscription', () => {
  test('gets encrypted messages whose topic is their id', async () => {
    const push = await startPushReceiver()
    await add({ kind: 'push', ...push.subscription })
    const message = await relay()
    await sendAll()
    const [pushed] = await push.readAll()
    expect(pushed?.content).toMatchObject({
      id: message,
      title: 'Marigold <b> is at $4.00',
      body: 'Your alert: $5.00 or less.',
      url: 'https://cards.example/cards/900401',
      unsubscribe: expect.stringContaining('https://cards.example/unsubscribe/'),
    })
    expect(pushed?.headers.get('topic')).toBe(message.slice(4))
    expect(pushed?.headers.get('content-encoding')).toBe('aes128gcm')
    expect(pushed?.headers.get('authorization')).toStartWith('vapid t=')
    push.stop()
  })

  test('that has ended stops its channel, which resumes when the browser subscribes again', async () => {
    let answer: Behavior = 'gone'
    const push = await startPushReceiver({ behave: () => answer })
    const id = await add({ kind: 'push', ...push.subscription })
    await relay()
    await sendAll()
    expect(await channel(id)).toMatchObject({ status: 'disabled', disabled_for: 'gone' })
    answer = 'ok'
    expect(await add({ kind: 'push', ...push.subscription })).toBe(id)
    await relay()
    await sendAll()
    expect(push.received).toHaveLength(2)
    push.stop()
  })
})

test('a test that arrives ends the failures of a channel', async () => {
  const failures = async () => {
    const pages = testApp.deps.ledger.personalData.read('alert_channels', account_id, 1)
    const [first = []] = await Array.fromAsync(pages)
    return first.map((row) => row.failures)
  }
  behavior = () => 'fail'
  await worker.close()
  worker = createMessageWorker(testApp.deps, { ...SEND_TIMING, wait: () => 3_600_000 })
  const id = await add({ kind: 'ntfy', address: `${receiver.url}/cards` })
  await relay()
  await send(async () => (await channel(id))?.last_error !== null)
  expect(await failures()).toEqual([1])
  behavior = () => 'ok'
  await testApp.client.post(`/v1/channels/${id}/test`, {}, as)
  expect(await failures()).toEqual([0])
})

test('the answer of a service is not stored: it may repeat the address', async () => {
  behavior = () => 'ok with body'
  const id = await add({ kind: 'ntfy', address: `${receiver.url}/cards` })
  const message = await relay()
  await sendAll()
  const attempts = await testApp.deps.ledger.messages.listAttempts(`${message}.${id}`, 9)
  expect(attempts).toMatchObject([{ status: 200, answer: null }])
})

test('a free account has three channels', async () => {
  for (const path of ['a', 'b', 'c'])
    await add({ kind: 'ntfy', address: `${receiver.url}/${path}` })
  const json = { kind: 'ntfy', address: `${receiver.url}/d` }
  const { status, body } = await testApp.client.post('/v1/channels', json, as)
  expect([status, body.error.code]).toEqual([409, 'TOO_MANY_CHANNELS'])
})
