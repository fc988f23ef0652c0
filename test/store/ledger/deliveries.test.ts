import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { MessageOutcome } from '#store/ledger/alerts/message-outcomes.ts'
import type { DueCursor, MessageHead } from '#store/ledger/alerts/message-queue.ts'
import type { DueMessage } from '#store/ledger/alerts/messages.ts'
import { createDeliveryWorld, type DeliveryWorld } from '../../support/alerts/delivery-world.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'

const NOW = Date.parse(FROZEN_TIME)
const LEASE = 60_000
const DAY = 86_400_000
const at = (ms = 0) => new Date(NOW + ms)

describe.each(LEDGERS)('deliveries on %s', (_name, create) => {
  let ledgers: TestLedgers
  let world: DeliveryWorld
  let account = 0
  beforeAll(async () => {
    ledgers = await create()
    world = await createDeliveryWorld({ ledger: ledgers.open() })
  })
  afterAll(async () => {
    await world.close()
    await ledgers.close()
  })

  const messageStore = () => world.deps.ledger.messages
  const URL_OF = 'https://hooks.example/alerts?a=1'

  async function watchWith(messages: number): Promise<{ watch: string; ids: string[] }> {
    account = await world.addAccount()
    const watch = await world.addWebhook(account, URL_OF)
    return { watch, ids: await world.addAlerts(watch, messages) }
  }

  const hold = (ms = 0, owner = 'me') => ({ owner, now: at(ms), leaseMs: LEASE, pausedMs: DAY })
  const takeOne = async (id: string, ms = 0, owner = 'me'): Promise<DueMessage | undefined> =>
    (await messageStore().lease(hold(ms, owner), [id]))[0]

  const record = (
    id: string,
    outcome: MessageOutcome,
    ms = 0,
    owner = 'me',
    isGivenUp: Parameters<ReturnType<typeof messageStore>['record']>[2] = () => false,
  ) =>
    messageStore().record(
      {
        message_id: id,
        owner,
        url: URL_OF,
        at: NOW + ms,
        now: at(ms),
        status: 500,
        error: 'no',
        latency_ms: 7,
        answer: null,
      },
      outcome,
      isGivenUp,
    )

  describe('relay', () => {
    test('copies each alert once, with host and account of its webhook', async () => {
      const { watch, ids } = await watchWith(1)
      const alert = { id: ids[0] ?? '', rule_id: watch, body: 'another', created_at: NOW }
      const gone = { ...alert, id: 'msg_gone', rule_id: 'wh_gone' }
      const { relayedAlerts } = world.deps.ledger
      expect(await relayedAlerts.relay([alert, gone], at())).toBe(0)
      expect(await messageStore().get(ids[0] ?? '', watch)).toMatchObject({
        channel_id: watch,
        account_id: account,
        host: 'hooks.example',
        kind: 'alert',
        state: 'pending',
        tries: 0,
        next_at: NOW,
        owner: null,
        ended_at: null,
      })
    })
  })

  describe('listDue', () => {
    test('lists due deliveries in order, a few at a time', async () => {
      const watches = [await watchWith(0), await watchWith(0)].map(({ watch }) => watch)
      const [one = '', two = ''] = watches
      const due: string[] = []
      // Several with the same time, and more than one page.
      for (const [ms, watch, messages] of [
        [-9, one, 3],
        [-8, two, 1],
        [-8, one, 1],
        [0, two, 4],
      ] as const) {
        due.push(...(await world.addAlerts(watch, messages, at(ms - DAY))))
      }
      await world.addAlerts(one, 1, at(1 - DAY))
      const found: string[] = []
      let after: DueCursor | undefined = { next_at: NOW - DAY - 9, id: '' }
      while (after !== undefined) {
        const { heads, next }: { heads: MessageHead[]; next: DueCursor | undefined } =
          await messageStore().listDue(at(-DAY), { after, limit: 2 })
        expect(heads.length).toBeLessThanOrEqual(2)
        found.push(...heads.map(({ id }) => id))
        after = next
      }
      expect(found).toEqual(due)
      const since = { after: { next_at: NOW - DAY - 8, id: '' }, limit: 99 }
      expect((await messageStore().listDue(at(-DAY), since)).heads.map(({ id }) => id)).toEqual(
        due.slice(3),
      )
      expect((await messageStore().getFirstDue(one, at(-DAY)))?.id).toBe(due[0])
      expect(await messageStore().getFirstDue(one, at(-DAY - 10))).toBeUndefined()
    })
  })

  describe('lease', () => {
    test('returns everything needed to send a delivery', async () => {
      const { watch, ids } = await watchWith(1)
      const dueDelivery = await takeOne(ids[0] ?? '')
      expect(dueDelivery).toMatchObject({
        channel_id: watch,
        url: URL_OF,
        tries: 0,
        old_secret: null,
      })
      expect(dueDelivery && world.deps.secrets.open(dueDelivery.secret, watch)).toBe(
        world.secretOf(watch),
      )
    })

    test('allows one delivery per webhook and one owner until the lease ends', async () => {
      const { ids } = await watchWith(2)
      const [first = '', second = ''] = ids
      expect(await messageStore().lease(hold(), ids)).toHaveLength(1)
      expect(await takeOne(second, 1, 'other')).toBeUndefined()
      expect(await takeOne(first, LEASE - 1, 'other')).toBeUndefined()
      expect((await takeOne(first, LEASE, 'other'))?.id).toBe(first)
      // The first owner returns too late, so its attempt is not recorded.
      expect(await record(first, { kind: 'delivered' }, LEASE)).toBe(false)
      expect(await record(first, { kind: 'delivered' }, LEASE, 'other')).toBe(true)
      expect((await takeOne(second, LEASE))?.id).toBe(second)
    })

    test('includes abandoned deliveries as soon as their webhook is resumed', async () => {
      const { watch, ids } = await watchWith(1)
      const [id = ''] = ids
      await takeOne(id, 0, 'killed')
      const which = { id: watch, account_id: account }
      const pause = (is_paused: boolean, ms: number) =>
        world.deps.ledger.webhooks.update(which, { is_paused }, { now: at(ms), address: undefined })
      await pause(true, 1)
      expect(await takeOne(id, LEASE)).toBeUndefined()
      await pause(false, LEASE + 1)
      expect((await takeOne(id, LEASE + 1))?.id).toBe(id)
    })

    test('excludes deliveries that are not due or have ended', async () => {
      const { ids } = await watchWith(1)
      const [id = ''] = ids
      expect(await takeOne(id, -1)).toBeUndefined()
      await takeOne(id)
      await record(id, { kind: 'again', delayMs: 5_000 })
      expect(await takeOne(id, 4_999)).toBeUndefined()
      expect((await takeOne(id, 5_000))?.tries).toBe(1)
      await record(id, { kind: 'dead' }, 5_000)
      expect(await takeOne(id, DAY)).toBeUndefined()
      await messageStore().markPending(id, at(DAY))
      expect((await takeOne(id, DAY))?.tries).toBe(0)
    })

    test('released deliveries are due at once', async () => {
      const { ids } = await watchWith(1)
      const [id = ''] = ids
      await takeOne(id, 0, 'leaving')
      await messageStore().release('leaving', at(3))
      expect(await takeOne(id, 2)).toBeUndefined()
      expect((await takeOne(id, 3))?.tries).toBe(0)
    })
  })

  describe('a muted webhook', () => {
    test('keeps its deliveries, which are checked later', async () => {
      const { watch, ids } = await watchWith(1)
      const [id = ''] = ids
      const by = { id: watch, account_id: account }
      await world.deps.ledger.webhooks.update(by, { is_paused: true }, world.auditContext())
      expect(await takeOne(id)).toBeUndefined()
      expect(await messageStore().getFirstDue(watch, at(DAY - 1))).toBeUndefined()
      await world.deps.ledger.webhooks.update(by, { is_paused: false }, world.auditContext())
      expect((await takeOne(id))?.id).toBe(id)
    })
  })

  describe('a wrong clock', () => {
    const longest = { dueMs: 2 * DAY, leaseMs: LEASE, owner: 'me' }

    test('does not hide a delivery', async () => {
      const { ids } = await watchWith(2)
      const [put = '', held = ''] = ids
      await takeOne(put)
      await record(put, { kind: 'again', delayMs: 3 * DAY })
      await takeOne(held, 3_600_000, 'gone')
      await messageStore().resetMisdated(at(), longest)
      expect((await takeOne(put))?.id).toBe(put)
      await record(put, { kind: 'delivered' })
      expect((await takeOne(held))?.id).toBe(held)
    })

    test('neither ends a valid lease nor shortens a valid delay', async () => {
      const { watch, ids } = await watchWith(1)
      const [id = ''] = ids
      await takeOne(id)
      await messageStore().resetMisdated(at(), { ...longest, leaseMs: LEASE - 1 })
      expect((await messageStore().get(id, watch))?.next_at).toBe(NOW + LEASE)
      await record(id, { kind: 'again', delayMs: DAY })
      await messageStore().resetMisdated(at(), longest)
      expect((await messageStore().get(id, watch))?.next_at).toBe(NOW + DAY)
    })
  })

  describe('record', () => {
    test('counts consecutive failures, and disables a webhook after too many', async () => {
      const { watch, ids } = await watchWith(4)
      const given: [failures: number, since: number, now: number][] = []
      const fail = async (id: string, ms: number, isUp: boolean) => {
        await takeOne(id, ms)
        await record(id, { kind: 'dead' }, ms, 'me', (...facts) => given.push(facts) > 0 && isUp)
      }
      const [a = '', b = '', c = '', d = ''] = ids
      await fail(a, 0, false)
      await fail(b, 10, false)
      await takeOne(c, 20)
      await record(c, { kind: 'delivered' }, 20)
      await fail(d, 30, true)
      expect(given).toEqual([
        [1, NOW, NOW],
        [2, NOW, NOW + 10],
        [1, NOW + 30, NOW + 30],
      ])
      const by = { id: watch, account_id: account }
      expect((await world.deps.ledger.webhooks.get(by))?.disabled_for).toBe('failing')
      expect(await world.getDelivery(watch, d)).toMatchObject({
        state: 'dead',
        tries: 1,
        owner: null,
        ended_at: NOW + 37,
        attempts: [{ at: NOW + 30, status: 500, error: 'no', latency_ms: 7, answer: null }],
      })
    })

    test('a webhook disabled by its receiver stays disabled', async () => {
      const { watch, ids } = await watchWith(2)
      const [a = '', b = ''] = ids
      await takeOne(a)
      await record(a, { kind: 'dead', stops: 'gone' })
      await world.deps.ledger.messages.markPending(b, at())
      const found = await world.deps.ledger.webhooks.get({ id: watch, account_id: account })
      expect(found?.disabled_for).toBe('gone')
      expect(await takeOne(b)).toBeUndefined()
    })
  })

  describe('the log', () => {
    test('lists deliveries of a webhook in pages, newest first', async () => {
      const { watch, ids } = await watchWith(5)
      const page = await messageStore().list(watch, { limit: 2, offset: 1 })
      expect(page.total).toBe(5)
      expect(page.rows.map(({ id }) => id)).toEqual([...ids].sort().reverse().slice(1, 3))
    })

    test('deletes old deliveries with their attempts, a few at a time', async () => {
      const { watch, ids } = await watchWith(3)
      const [id = ''] = ids
      await takeOne(id)
      await record(id, { kind: 'dead' })
      while ((await messageStore().deleteBefore(at(1), 2)) === 2);
      expect((await messageStore().list(watch, { limit: 9, offset: 0 })).total).toBe(0)
      expect(await messageStore().listAttempts(id, 9)).toEqual([])
    })

    test('a delivery that is being sent is not sent again', async () => {
      const { watch, ids } = await watchWith(1)
      const [id = ''] = ids
      await takeOne(id)
      await messageStore().markPending(id, at())
      expect((await messageStore().get(id, watch))?.next_at).toBe(NOW + LEASE)
    })
  })
})
