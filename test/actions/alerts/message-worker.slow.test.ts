import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { addChannel } from '#actions/alerts/manage-channels.ts'
import {
  createMessageWorker,
  SEND_TIMING,
  type SendTiming,
} from '#actions/alerts/message-worker.ts'
import { openDatabase } from '#store/db.ts'
import {
  createDeliveryWorld,
  type DeliveryWorld,
  FAST_TIMING,
} from '../../support/alerts/delivery-world.ts'
import type { Behavior } from '../../support/alerts/receivers.ts'
import { closeAfterEach } from '../../support/closers.ts'
import type { TestAppOptions } from '../../support/test-app.ts'
import { waitFor } from '../../support/wait-for.ts'

setDefaultTimeout(120_000)

const closers = closeAfterEach()

async function open(options: TestAppOptions = {}): Promise<DeliveryWorld> {
  const world = await createDeliveryWorld(options)
  closers.push(world.close)
  return world
}

function start(world: DeliveryWorld, timing: SendTiming = FAST_TIMING, deps = world.deps) {
  const sending = createMessageWorker(deps, timing)
  closers.push(sending.close)
  return sending
}

/** Holds a receiver's responses back until it is released. */
function openHolding(world: DeliveryWorld, isHeld: (message: { path: string }) => boolean) {
  let underWay = 0
  let most = 0
  const order: string[] = []
  const answers: (() => void)[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { pathname: path } = new URL(request.url)
      order.push(path)
      most = Math.max(most, ++underWay)
      if (isHeld({ path })) await new Promise<void>((answer) => void answers.push(answer))
      underWay--
      return new Response(null, { status: 204 })
    },
  })
  world.onClose(() => server.stop(true))
  return {
    url: `http://127.0.0.1:${server.port}`,
    order,
    underWay: () => underWay,
    most: () => most,
    answerAll: () => {
      for (const answer of answers.splice(0)) answer()
    },
  }
}

describe('limits', () => {
  test('one message of a webhook is sent at a time, in order of creation', async () => {
    const world = await open()
    const receiver = openHolding(world, () => false)
    const watch = await world.addWebhook(await world.addAccount(), receiver.url)
    const ids = await world.addAlerts(watch, 20)
    await start(world).tick()
    const all = () => Promise.all(ids.map((id) => world.getDelivery(watch, id)))
    await waitFor(async () => (await all()).every(({ state }) => state === 'delivered'))
    expect([receiver.order.length, receiver.most()]).toEqual([20, 1])
    const times = (await world.deps.ledger.messages.list(watch, { limit: 20, offset: 0 })).rows
    expect(times.every(({ tries }) => tries === 1)).toBe(true)
  })

  test('at most four messages of a host are sent at a time, whichever accounts they belong to', async () => {
    const world = await open()
    const receiver = openHolding(world, () => true)
    for (let index = 0; index < 6; index++) {
      await world.addAlerts(await world.addWebhook(await world.addAccount(), receiver.url))
    }
    const sending = start(world)
    await sending.tick()
    await waitFor(() => receiver.underWay() === 4)
    // The slow messages all belong to this host.
    await Bun.sleep(3 * FAST_TIMING.slowMs)
    await sending.tick()
    expect(receiver.order.length).toBe(4)
    receiver.answerAll()
    await waitFor(() => receiver.order.length === 6)
    receiver.answerAll()
    expect(receiver.most()).toBe(4)
  })
})

describe('a receiver that hangs', () => {
  test('of webhooks takes no places from the channels of people', async () => {
    const world = await open()
    const account_id = await world.addAccount()
    const hanging = world.receiver({ behave: () => 'never' })
    for (let index = 0; index < 2; index++) {
      await world.addAlerts(await world.addWebhook(account_id, hanging.url))
    }
    const chat = world.receiver()
    const owner = { account_id, tier: 'pro' } as const
    await addChannel(world.deps, owner, { kind: 'slack', address: `${chat.url}/x` }, '192.0.2.1')
    const { ledger, now } = world.deps
    const price = { card_id: 7, printing: null, condition: 'below', threshold: 500 } as const
    await ledger.priceAlerts.create({ id: 'al_1', account_id, ...price }, 9, world.auditContext())
    const facts = { card_id: 7, card_name: 'Card', condition: 'below', threshold: 5 }
    const body = JSON.stringify({ ...facts, current_price: 4 })
    const alert = { id: 'msg_1', rule_id: 'al_1', body, created_at: +now() }
    await ledger.relayedAlerts.relay([alert], now())
    const webhooks = { ...SEND_TIMING.limits.webhooks, quick: 1, slow: 0 }
    const limits = { ...SEND_TIMING.limits, webhooks }
    await start(world, { ...FAST_TIMING, limits }).tick()
    await waitFor(() => chat.received.length === 1)
    expect(hanging.received).toHaveLength(1)
  })

  test('does not delay those of others, not even twenty of them', async () => {
    const world = await open()
    const hanging = Array.from({ length: 20 }, () => world.receiver({ behave: () => 'never' }))
    for (const { url } of hanging) {
      const account = await world.addAccount()
      // These are due first, and exceed the total limit.
      for (let index = 0; index < 4; index++) {
        await world.addAlerts(await world.addWebhook(account, url), 3)
      }
    }
    const well = world.receiver()
    const watch = await world.addWebhook(await world.addAccount(), well.url)
    await world.addAlerts(watch, 30)
    await start(world).tick()
    await waitFor(() => well.received.length === 30)
    // None of them has ended when the last of the others arrives.
    const hung = hanging.flatMap(({ received }) => received)
    expect(hung).toHaveLength(80)
    const list = await world.deps.ledger.messages.list(watch, { limit: 1, offset: 0 })
    expect(list.total).toBe(30)
  })

  test('and 2,000 messages that wait for one host delay no other', async () => {
    const world = await open()
    const slow = openHolding(world, () => true)
    for (let index = 0; index < 4; index++) {
      await world.addAlerts(await world.addWebhook(await world.addAccount(), slow.url), 500)
    }
    const well = world.receiver()
    const watch = await world.addWebhook(await world.addAccount(), well.url)
    await world.addAlerts(watch, 10)
    await start(world).tick()
    await waitFor(() => well.received.length === 10)
    expect(slow.order.length).toBe(4)
  })
})

describe('close', () => {
  test('lets running deliveries end, and starts no new ones', async () => {
    const world = await open()
    const receiver = openHolding(world, () => true)
    const watch = await world.addWebhook(await world.addAccount(), receiver.url)
    const [first = '', second = ''] = await world.addAlerts(watch, 2)
    const sending = start(world, { ...FAST_TIMING, graceMs: 10_000 })
    await sending.tick()
    await waitFor(() => receiver.underWay() === 1)
    const closed = sending.close()
    receiver.answerAll()
    await closed
    await sending.tick()
    expect((await world.getDelivery(watch, first)).state).toBe('delivered')
    expect(await world.getDelivery(watch, second)).toMatchObject({ state: 'pending', tries: 0 })
    expect(receiver.order).toHaveLength(1)
  })

  test('releases attempts that do not end, so that another process sends the messages immediately', async () => {
    const world = await open()
    let behavior: Behavior = 'never'
    const receiver = world.receiver({ behave: () => behavior })
    const watch = await world.addWebhook(await world.addAccount(), receiver.url)
    const [id = ''] = await world.addAlerts(watch)
    const sending = start(world)
    await sending.tick()
    await waitFor(() => receiver.received.length === 1)
    await sending.close()
    expect(await world.getDelivery(watch, id)).toMatchObject({
      tries: 0,
      owner: null,
      attempts: [],
    })
    behavior = 'ok'
    await start(world).tick()
    await waitFor(async () => (await world.getDelivery(watch, id)).state === 'delivered')
    expect(receiver.received.map((one) => one.id)).toEqual([id, id])
  })
})

describe('an inactive webhook', () => {
  async function openWaiting() {
    const world = await open()
    const receiver = world.receiver()
    const account = await world.addAccount()
    const watch = await world.addWebhook(account, receiver.url)
    const by = { id: watch, account_id: account }
    const { ledger } = world.deps
    return { ...world, receiver, account, watch, by, ledger, sending: start(world) }
  }

  test('below Pro keeps its messages; they are sent once its account is Pro again', async () => {
    const { receiver, account, sending, ...world } = await openWaiting()
    const [id = ''] = await world.addAlerts(world.watch)
    await world.putTier(account, 'starter')
    await sending.tick()
    expect((await world.getDelivery(world.watch, id)).next_at).toBe(+world.deps.now() + 600_000)
    // This tier is still too low.
    await world.putTier(account, 'hobby')
    await sending.tick()
    expect(receiver.received).toEqual([])
    world.setClock(new Date(+world.deps.now() + 60_000).toISOString())
    await world.putTier(account, 'business')
    await sending.tick()
    await waitFor(() => receiver.received.length === 1)
  })

  test('delays no other: behind 500 of them a message is sent in the same turn', async () => {
    const { receiver, account, by, ledger, sending, ...world } = await openWaiting()
    await ledger.webhooks.update(by, { is_paused: true }, world.auditContext())
    await world.addAlerts(world.watch, 500)
    await world.addAlerts(await world.addWebhook(account, receiver.url))
    await sending.tick()
    await waitFor(() => receiver.received.length === 1)
    const { rows } = await ledger.messages.list(world.watch, { limit: 500, offset: 0 })
    expect(new Set(rows.map(({ next_at }) => next_at))).toEqual(
      new Set([+world.deps.now() + 600_000]),
    )
  })
})

describe('a message that becomes due', () => {
  const pass = (world: Pick<DeliveryWorld, 'deps' | 'setClock'>, ms: number) =>
    world.setClock(new Date(+world.deps.now() + ms).toISOString())

  async function openTurning() {
    const world = await open()
    const receiver = world.receiver()
    const account = await world.addAccount()
    const watch = await world.addWebhook(account, receiver.url)
    const sending = start(world)
    await sending.tick()
    pass(world, 60_000)
    await sending.tick()
    return { ...world, receiver, account, watch, sending }
  }

  test('by its time, or is recorded late by another process, is sent in the next turn', async () => {
    const { receiver, account, watch, sending, ...world } = await openTurning()
    await world.addAlerts(watch, 1, new Date(+world.deps.now() + 3_000))
    await sending.tick()
    expect(receiver.received).toEqual([])
    pass(world, 3_000)
    await sending.tick()
    await waitFor(() => receiver.received.length === 1)
    const other = await world.addWebhook(account, receiver.url)
    await world.addAlerts(other, 1, new Date(+world.deps.now() - 4_900))
    await sending.tick()
    await waitFor(() => receiver.received.length === 2)
  })

  test('long before it was recorded, because of another clock, is sent within a minute', async () => {
    const { receiver, watch, sending, ...world } = await openTurning()
    await world.addAlerts(watch, 1, new Date(0))
    for (let turn = 0; turn < 60; turn++) await sending.tick()
    await waitFor(() => receiver.received.length > 0)
    expect(receiver.received).toHaveLength(1)
  })

  test('during a test of its webhook is sent in the turn after the test', async () => {
    const { receiver, account, watch, sending, ...world } = await openTurning()
    const { messages } = world.deps.ledger
    await world.addAlerts(watch)
    const made = +world.deps.now()
    const test = {
      id: 'msg_test',
      channel_id: watch,
      kind: 'test',
      body: '{}',
      owner: 'tester',
    } as const
    const max = { perAccount: 1, total: 1 }
    expect(await messages.create(test, 60_000, world.deps.now(), max)).toBeDefined()
    await sending.tick()
    pass(world, 14_000)
    await sending.tick()
    expect(receiver.received).toEqual([])
    const answered = { status: 204, error: null, latency_ms: 1, answer: null }
    const attempt = { message_id: 'msg_test', owner: 'tester', url: receiver.url, at: made }
    const result = { ...attempt, ...answered, now: world.deps.now() }
    await messages.record(result, { kind: 'delivered' }, undefined)
    await sending.tick()
    await waitFor(() => receiver.received.length === 1)
  })
})

describe('a clock', () => {
  test('that is set back by days delays no message at a start', async () => {
    const world = await open()
    const receiver = world.receiver()
    const watch = await world.addWebhook(await world.addAccount(), receiver.url)
    const soon = new Date(+world.deps.now() + 5 * 86_400_000)
    await world.addAlerts(watch, 1, soon)
    await start(world).tick()
    await waitFor(() => receiver.received.length > 0)
    expect(receiver.received).toHaveLength(1)
  })

  test('that changes during a delivery sends nothing twice', async () => {
    const world = await open()
    const receiver = openHolding(world, () => true)
    const watch = await world.addWebhook(await world.addAccount(), receiver.url)
    const [id = ''] = await world.addAlerts(watch)
    const sending = start(world)
    await sending.tick()
    await waitFor(() => receiver.underWay() === 1)
    world.setClock(new Date(+world.deps.now() - 86_400_000).toISOString())
    for (let pump = 0; pump < 601; pump++) await sending.tick()
    receiver.answerAll()
    await waitFor(async () => (await world.getDelivery(watch, id)).state === 'delivered')
    expect(receiver.order).toHaveLength(1)
  })
})

describe('a ledger that cannot be written', () => {
  /** A connection that holds the file while it is in a transaction. */
  function openBlocker(world: DeliveryWorld) {
    const blocker = openDatabase(join(world.deps.config.dataDir, 'ledger.db'))
    closers.push(() => blocker.close())
    return blocker
  }

  test('stops nothing: messages that could not be leased are leased later', async () => {
    const world = await open({ onDisk: true })
    const receiver = world.receiver()
    const watch = await world.addWebhook(await world.addAccount(), receiver.url)
    await world.addAlerts(watch, 3)
    const blocker = openBlocker(world)
    blocker.exec('BEGIN IMMEDIATE')
    const sending = start(world)
    await sending.tick()
    expect(receiver.received).toEqual([])
    expect(world.log.filter(({ level }) => level === 'error').length).toBeGreaterThan(0)
    blocker.exec('COMMIT')
    await sending.tick()
    await waitFor(() => receiver.received.length === 3)
  })

  test('for a minute loses nothing that becomes due in between', async () => {
    const world = await open({ onDisk: true })
    const receiver = world.receiver()
    const account = await world.addAccount()
    const watch = await world.addWebhook(account, receiver.url)
    const sending = start(world)
    await sending.tick()
    const soon = new Date(+world.deps.now() + 1_000)
    await world.addAlerts(watch, 1, soon)
    world.setClock(soon.toISOString())
    const blocker = openBlocker(world)
    blocker.exec('BEGIN IMMEDIATE')
    await sending.tick()
    world.setClock(new Date(+soon + 60_000).toISOString())
    await sending.tick()
    blocker.exec('COMMIT')
    await sending.tick()
    await waitFor(() => receiver.received.length === 1)
    expect(receiver.received).toHaveLength(1)
  })

  test('sends an unrecorded message again after its lease', async () => {
    const world = await open({ onDisk: true })
    const receiver = openHolding(world, () => true)
    const watch = await world.addWebhook(await world.addAccount(), receiver.url)
    const [id = ''] = await world.addAlerts(watch)
    const blocker = openBlocker(world)
    const sending = start(world)
    await sending.tick()
    await waitFor(() => receiver.underWay() === 1)
    blocker.exec('BEGIN IMMEDIATE')
    receiver.answerAll()
    await waitFor(() => world.log.some(({ event }) => event === 'failed to record delivery'))
    blocker.exec('COMMIT')
    await sending.tick()
    expect(receiver.order).toHaveLength(1)
    world.setClock(new Date(+world.deps.now() + SEND_TIMING.leaseMs).toISOString())
    await sending.tick()
    await waitFor(() => receiver.underWay() === 1)
    receiver.answerAll()
    await waitFor(async () => (await world.getDelivery(watch, id)).state === 'delivered')
  })
})
