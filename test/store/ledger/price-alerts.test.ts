import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Ledger } from '#store/ledger/ledger.ts'
import { openLedgerOn } from '#store/open-ledger.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { createLedgerFile, FROZEN_TIME } from '../../support/test-app.ts'

describe.each(LEDGERS)('price alerts on %s', (_name, create) => {
  let ledgers: TestLedgers
  let ledger: Ledger
  let account_id: number
  let clock = Date.parse(FROZEN_TIME)

  beforeAll(async () => {
    ledgers = await create()
    ledger = ledgers.open()
    account_id = ledgers.accounts.free
  })
  afterAll(() => ledgers.close())

  const now = () => new Date(clock++)
  const context = () => ({ now: now(), address: undefined })
  const PRICE = {
    card_id: 7,
    printing: null,
    condition: 'above' as const,
    threshold: 500,
    currency: 'EUR',
    source: null,
  }
  const add = (id: string, max = 10) =>
    ledger.priceAlerts.create({ id, account_id, ...PRICE }, max, context())
  const alert = (id: string, alert_id: string, created_at = clock) => {
    return { id, rule_id: alert_id, body: '{"price":1}', created_at }
  }
  const window = { limit: 10, offset: 0 }

  test('are listed for their account, as many as it can have', async () => {
    const created = await Promise.all(['al_1', 'al_2', 'al_3'].map((id) => add(id, 2)))
    expect(created.filter(Boolean)).toHaveLength(2)
    await add('al_4')
    const { rows: list } = await ledger.priceAlerts.list({ account_id })
    expect(list).toHaveLength(3)
    expect(list.at(-1)).toEqual({
      id: 'al_4',
      account_id,
      ...PRICE,
      is_paused: false,
      last_alert_at: null,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    })
    const none = { rows: [], total: 0 }
    expect(await ledger.priceAlerts.list({ account_id, card_id: 8 })).toEqual(none)
    const page = { limit: 1, offset: 0 }
    expect(await ledger.priceAlerts.list({ account_id, card_id: 8 }, page)).toEqual(none)
    expect(await ledger.priceAlerts.list({ account_id: ledgers.accounts.pro })).toEqual(none)
  })

  test('notify once, with the newest first, until they are read', async () => {
    const pair = [alert('msg_1', 'al_4'), alert('msg_2', 'al_4', clock + 5)]
    expect(await ledger.relayedAlerts.relay(pair, now())).toBe(2)
    expect(await ledger.relayedAlerts.relay(pair, now())).toBe(0)
    expect(await ledger.relayedAlerts.relay([alert('msg_3', 'al_9')], now())).toBe(0)
    const { rows, total } = await ledger.notifications.list(account_id, window)
    expect([total, rows.map(({ id }) => id)]).toEqual([2, ['msg_2', 'msg_1']])
    expect(rows[0]?.body).toBe('{"price":1,"printing":null}')
    expect(await ledger.notifications.countUnread(account_id, 1)).toBe(1)
    await ledger.notifications.markRead(account_id, 'msg_1', now())
    expect(await ledger.notifications.countUnread(account_id, 10)).toBe(1)
    await ledger.notifications.markRead(account_id, undefined, now())
    expect(await ledger.notifications.countUnread(account_id, 10)).toBe(0)
  })

  test('keep their notifications when they are deleted, until these are old', async () => {
    const own = { id: 'al_4', account_id }
    expect((await ledger.priceAlerts.get(own))?.last_alert_at).toBeGreaterThan(0)
    expect(await ledger.priceAlerts.delete(own, context())).toMatchObject(own)
    expect((await ledger.notifications.list(account_id, window)).total).toBe(2)
    expect(await ledger.notifications.deleteBefore(new Date(clock + 100), 10)).toBe(2)
  })
})

test('price alerts are listed and counted by an index of their account', async () => {
  const file = await createLedgerFile()
  const statements = new Set<string>()
  const verbose = (sql: unknown) => void statements.add(String(sql))
  const db = new Database(join(file.folder, 'ledger.db'), { verbose })
  try {
    const { priceAlerts } = openLedgerOn(db)
    const account_id = file.accounts.pro
    const condition = { condition: 'above', threshold: 500 } as const
    const alert = { id: 'al_1', account_id, card_id: 7, printing: null, ...condition }
    await priceAlerts.create(alert, 10, { now: new Date(FROZEN_TIME), address: undefined })
    await priceAlerts.list({ account_id, card_id: 7 }, { limit: 10, offset: 0 })
    const reads = [...statements].filter((sql) => /^SELECT.*FROM price_rules\s/s.test(sql))
    expect(reads.length).toBeGreaterThan(2)
    for (const sql of reads) {
      const plan = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all()
      const [{ detail } = { detail: '' }] = plan.filter((step) => /price_rules/.test(step.detail))
      expect({ sql, detail }).toEqual({
        sql,
        detail: expect.stringContaining('price_rules_by_account (account_id=?'),
      })
    }
  } finally {
    db.close()
    file.close()
  }
})
