import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Ledger } from '#store/ledger/ledger.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'

describe.each(LEDGERS)('channels of alerts on %s', (_name, create) => {
  let ledgers: TestLedgers
  let ledger: Ledger
  let elsewhere: Ledger
  let account_id: number
  let clock = Date.parse('2026-11-15T12:00:00Z')
  let count = 0

  beforeAll(async () => {
    ledgers = await create()
    ledger = ledgers.open()
    elsewhere = ledgers.open()
    account_id = ledgers.accounts.free
    const price = { card_id: 7, printing: null, currency: null, source: null }
    const alert = { ...price, condition: 'above', threshold: 500 } as const
    await ledger.priceAlerts.create({ id: 'al_1', account_id, ...alert }, 9, {
      now: now(),
      address: undefined,
    })
  })
  beforeEach(async () => {
    for (const { id } of (await ledger.channels.list(account_id)).rows) {
      await ledger.channels.delete({ id, account_id })
    }
    await ledger.channels.setDigestHour(account_id, undefined)
  })
  afterAll(() => ledgers.close())

  const now = () => new Date(clock)
  const lease = (owner: string) => ({ owner, now: now(), leaseMs: 60_000, pausedMs: 0 })
  const all = { after: { next_at: 0, id: '' }, limit: 100 }
  const due = async () => (await ledger.messages.listDue(now(), all)).heads

  function add(id: string, hash: string, kind: 'email' | 'slack' = 'slack', max = 9) {
    const target = { secret: Buffer.from('sealed'), address_hash: Buffer.from(hash) }
    const confirmed_at = kind === 'email' ? null : clock
    const channel = { id, account_id, kind, host: 'a.example', confirmed_at, ...target }
    return ledger.channels.create(channel, max, now())
  }

  async function relay(id = `msg_${String(++count).padStart(4, '0')}`): Promise<string> {
    const alert = { id, rule_id: 'al_1', body: '{"price":1}', created_at: clock }
    await ledger.relayedAlerts.relay([alert], now())
    return id
  }

  const attempt = (message_id = '', owner: string) => ({
    message_id,
    owner,
    url: null,
    at: clock,
    now: now(),
    status: null,
    error: null as string | null,
    latency_ms: 1,
    answer: null,
  })

  test('are limited per account, and an equal address is the same channel', async () => {
    expect(await add('ch_1', 'one', 'slack', 2)).toBe('ch_1')
    expect(await add('ch_2', 'two', 'slack', 2)).toBe('ch_2')
    expect(await add('ch_3', 'three', 'slack', 2)).toBeUndefined()
    await ledger.channels.setPaused({ id: 'ch_1', account_id }, true, now())
    expect(await add('ch_4', 'one', 'slack', 2)).toBe('ch_1')
    expect(await ledger.channels.get({ id: 'ch_1', account_id })).toMatchObject({
      is_paused: false,
    })
    expect(
      await ledger.channels.get({ id: 'ch_1', account_id: ledgers.accounts.pro }),
    ).toBeUndefined()
  })

  test('get a message with each new notification, if they are active', async () => {
    await add('ch_1', 'one')
    await add('ch_2', 'two', 'email')
    const first = await relay()
    expect((await due()).map(({ id }) => id)).toEqual([`${first}.ch_1`])
    expect(await ledger.channels.confirm('ch_2', now())).toBe('email')
    const second = await relay()
    await relay(second)
    const ids = (await due()).map(({ id }) => id)
    expect(ids.sort()).toEqual([`${first}.ch_1`, `${second}.ch_1`, `${second}.ch_2`])
  })

  test('lose what they have not sent when they are paused or unsubscribed', async () => {
    await add('ch_1', 'one')
    await add('ch_2', 'two', 'email')
    await ledger.channels.confirm('ch_2', now())
    await relay()
    await ledger.channels.setPaused({ id: 'ch_1', account_id }, true, now())
    expect(await ledger.channels.unsubscribe('ch_2', now())).toBe('email')
    expect(await ledger.channels.unsubscribe('ch_9', now())).toBeUndefined()
    await relay()
    expect(await due()).toEqual([])
    const stored = await ledger.channels.get({ id: 'ch_2', account_id })
    expect(stored).toMatchObject({ disabled_for: 'unsubscribed', confirmed_at: null })
  })

  test('have one message leased at a time, by one server', async () => {
    await add('ch_1', 'one')
    const ids = [await relay(), await relay()].map((id) => `${id}.ch_1`)
    const [one, two] = await Promise.all([
      ledger.messages.lease(lease('a'), ids),
      elsewhere.messages.lease(lease('b'), ids),
    ])
    expect([...one, ...two]).toHaveLength(1)
    const owner = one.length === 1 ? 'a' : 'b'
    const [leased] = [...one, ...two]
    const made = attempt(leased?.id, owner)
    const record = ledger.messages.record
    expect(await record({ ...made, owner: 'c' }, { kind: 'delivered' }, undefined)).toBe(false)
    expect(await record(made, { kind: 'delivered' }, undefined)).toBe(true)
    expect(await due()).toHaveLength(1)
  })

  test('have a backlog of messages until these are delivered or given up', async () => {
    await add('ch_1', 'one')
    const { getBacklog, getTime, record } = ledger.messages
    expect(await getBacklog('people')).toEqual({ pending: 0, first_due_at: null })
    const [id] = [await relay(), await relay()].map((one) => `${one}.ch_1`)
    const { pending, first_due_at } = await elsewhere.messages.getBacklog('people')
    expect(pending).toBe(2)
    expect(first_due_at).toBeGreaterThan(0)
    expect(first_due_at).toBeLessThanOrEqual(await getTime(now()))
    await ledger.messages.lease(lease('a'), [id ?? ''])
    await record(attempt(id, 'a'), { kind: 'delivered' }, undefined)
    expect((await getBacklog('people')).pending).toBe(1)
  })

  test('stop with a notification, and without their other messages', async () => {
    await add('ch_1', 'one')
    const [id] = [await relay(), await relay()].map((one) => `${one}.ch_1`)
    await ledger.messages.lease(lease('a'), [id ?? ''])
    const failed = { ...attempt(id, 'a'), error: 'Gone.' }
    const outcome = { kind: 'dead', stops: 'gone' } as const
    expect(await ledger.messages.record(failed, outcome, () => false)).toBe(true)
    expect(await due()).toEqual([])
    const stored = await ledger.channels.get({ id: 'ch_1', account_id })
    expect(stored).toMatchObject({ disabled_for: 'gone', last_error: 'Gone.' })
    const { rows } = await ledger.notifications.list(account_id, { limit: 100, offset: 0 })
    const [notice] = rows.filter(({ kind }) => kind === 'channel')
    expect(notice).toMatchObject({ source_id: 'ch_1', body: '{"kind":"slack"}' })
  })

  test('get one digest of the alerts before its hour, from any server', async () => {
    await add('ch_1', 'one')
    await ledger.channels.setDigestHour(account_id, 13)
    const [first, second] = [await relay(), await relay()]
    const digest = (at: Ledger, id: string) =>
      at.relayedAlerts.createDigest({ id, listMax: 1, now: now() })
    expect(await digest(ledger, 'msg_early')).toBe(false)
    clock += 3_600_000
    const third = await relay()
    const made = await Promise.all([digest(ledger, 'msg_a'), digest(elsewhere, 'msg_b')])
    expect(made.filter(Boolean)).toHaveLength(1)
    const heads = await due()
    expect(heads).toHaveLength(1)
    const [leased] = await ledger.messages.lease(
      lease('a'),
      heads.map(({ id }) => id),
    )
    expect(JSON.parse(leased?.body ?? '')).toMatchObject({ alerts: [{ id: second }], total: 2 })
    expect(leased?.body).not.toContain(first)
    expect(leased?.body).not.toContain(third)
    await ledger.channels.setDigestHour(account_id, undefined)
    expect(await digest(ledger, 'msg_c')).toBe(true)
    expect(await digest(ledger, 'msg_d')).toBe(false)
  })
})
