import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openDatabase } from '#store/db.ts'
import { openWebhookStore } from '#store/ledger/alerts/rule-kinds.ts'
import { openSqliteEngine } from '#store/ledger/engine/sqlite-engine.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { createLedgerFile, FROZEN_TIME } from '../../support/test-app.ts'

describe.each(LEDGERS)('webhooks on %s', (_name, create) => {
  let ledgers: TestLedgers
  let ledger: Ledger
  let elsewhere: Ledger
  let clock: number

  beforeEach(async () => {
    ledgers = await create()
    ledger = ledgers.open()
    elsewhere = ledgers.open()
    clock = Date.parse(FROZEN_TIME)
  })
  afterEach(() => ledgers.close())

  const auditContext = () => ({ now: new Date(clock), address: '192.0.2.7' })

  const SEALED = Uint8Array.of(1, 2, 3)

  function add(id: string) {
    const watch = { url: 'https://a.example/', card_id: 7, printing: null, threshold: 500 }
    const webhook = { ...own(id), condition: 'above', ...watch } as const
    return ledger.webhooks.create({ ...webhook, secret: SEALED }, 100, auditContext())
  }

  const own = (id: string) => ({ id, account_id: ledgers.accounts.pro })

  /** Reads a row, including columns that are never returned. */
  async function rowOf(id: string) {
    type Row = {
      revision: number
      failures: number
      failing_since: number | null
      is_paused: number
    }
    const [row] =
      await ledgers.all<Row>(`SELECT revision, failures, failing_since, alert_channels.is_paused
         FROM price_rules JOIN alert_channels ON alert_channels.id = channel_id WHERE price_rules.id = '${id}'`)
    if (row === undefined) throw new Error(`${id} is not there`)
    return row
  }

  describe('a watch', () => {
    test('is stored as given, with the tier of its account', async () => {
      expect(await add('wh_1')).toBe(true)
      const row = await ledger.webhooks.get(own('wh_1'))
      expect({ ...row, secret: [...(row?.secret ?? [])] } as object).toEqual({
        ...own('wh_1'),
        url: 'https://a.example/',
        card_id: 7,
        printing: null,
        condition: 'above',
        threshold: 500,
        min_confidence: 'low',
        currency: null,
        source: null,
        is_paused: false,
        disabled_for: null,
        secret: [1, 2, 3],
        old_secret: null,
        old_secret_until: null,
        created_at: clock,
        updated_at: clock,
        last_alert_at: null,
        tier: 'pro',
      })
    })
  })

  describe('an update', () => {
    test('of the threshold changes the revision, an equal threshold does not', async () => {
      await add('wh_1')
      const first = (await rowOf('wh_1')).revision
      await ledger.webhooks.update(own('wh_1'), { threshold: 500, is_paused: true }, auditContext())
      expect((await rowOf('wh_1')).revision).toBe(first)
      await ledger.webhooks.update(own('wh_1'), { threshold: 600 }, auditContext())
      const second = (await rowOf('wh_1')).revision
      expect(second).toBeGreaterThan(first)
      await ledger.webhooks.update(own('wh_1'), { threshold: 500 }, auditContext())
      expect((await rowOf('wh_1')).revision).toBeGreaterThan(second)
    })

    test('returns the updated webhook and its time', async () => {
      await add('wh_1')
      clock += 1_000
      const url = 'https://b.example/'
      const changed = await ledger.webhooks.update(
        own('wh_1'),
        { url, threshold: 700 },
        auditContext(),
      )
      expect(changed).toMatchObject({
        url: 'https://b.example/',
        threshold: 700,
        is_paused: false,
        created_at: clock - 1_000,
        updated_at: clock,
      })
      expect(await elsewhere.webhooks.get(own('wh_1'))).toEqual(changed)
    })

    test('that resumes clears the reason and the failures', async () => {
      await add('wh_1')
      await ledgers.execute(
        `UPDATE alert_channels SET disabled_for = 'failing', failures = 20, failing_since = 5`,
      )
      const paused = await ledger.webhooks.update(own('wh_1'), { is_paused: true }, auditContext())
      expect([paused?.is_paused, paused?.disabled_for]).toEqual([true, 'failing'])
      expect((await rowOf('wh_1')).failures).toBe(20)
      const resumed = await ledger.webhooks.update(
        own('wh_1'),
        { is_paused: false },
        auditContext(),
      )
      expect([resumed?.is_paused, resumed?.disabled_for]).toEqual([false, null])
      expect(await rowOf('wh_1')).toMatchObject({ failures: 0, failing_since: null })
    })

    test('of the secret keeps only the previous one', async () => {
      await add('wh_1')
      const rotate = (first: number) => {
        const secret = { sealed: Uint8Array.of(first), oldUntil: new Date(clock + 1_000) }
        return ledger.webhooks.update(own('wh_1'), { secret }, auditContext())
      }
      const bytes = (row: Awaited<ReturnType<typeof rotate>>) => [
        [...(row?.secret ?? [])],
        [...(row?.old_secret ?? [])],
        row?.old_secret_until,
      ]
      expect(bytes(await rotate(8))).toEqual([[8], [1, 2, 3], clock + 1_000])
      clock += 500
      expect(bytes(await rotate(9))).toEqual([[9], [8], clock + 1_000])
    })

    test('of the secret is in the audit log, as are creation and deletion', async () => {
      await add('wh_1')
      const before = (await ledger.audit.list(1_000)).length
      await ledger.webhooks.update(own('wh_1'), { threshold: 1, is_paused: true }, auditContext())
      expect(await ledger.audit.list(1_000)).toHaveLength(before)
      const secret = { sealed: Uint8Array.of(8), oldUntil: new Date(clock) }
      await ledger.webhooks.update(own('wh_1'), { secret }, auditContext())
      await ledger.webhooks.delete(own('wh_1'), auditContext())
      const entries = await ledger.audit.list(3)
      expect(entries.map(({ event, address, detail }) => [event, address, detail])).toEqual([
        ['webhook_deleted', '192.0.2.7', 'wh_1'],
        ['webhook_secret_rotated', '192.0.2.7', 'wh_1'],
        ['webhook_created', '192.0.2.7', 'wh_1'],
      ])
    })
  })

  describe('deliveries', () => {
    const relay = (id: string, webhook_id: string, at = clock) =>
      ledger.relayedAlerts.relay(
        [{ id, rule_id: webhook_id, body: '{}', created_at: at }],
        new Date(at),
      )
    const find = (id: string) => ledger.messages.get(id, 'wh_1')

    test('that are pending move to the host of a new URL; ended ones stay', async () => {
      await add('wh_1')
      await relay('msg_1', 'wh_1')
      await relay('msg_2', 'wh_1')
      await ledgers.execute(`UPDATE alert_messages SET state = 'dead' WHERE id = 'msg_2'`)
      const url = 'https://b.example:8443/'
      await ledger.webhooks.update(own('wh_1'), { url }, auditContext())
      expect([(await find('msg_1'))?.host, (await find('msg_2'))?.host]).toEqual([
        'b.example:8443',
        'a.example',
      ])
    })

    test('that were postponed are due when their webhook is resumed; leases stay', async () => {
      await add('wh_1')
      await relay('msg_1', 'wh_1')
      await relay('msg_2', 'wh_1')
      await relay('msg_3', 'wh_1')
      await ledgers.execute(`UPDATE alert_messages SET next_at = ${clock + 9_000};
      UPDATE alert_messages SET owner = 'another' WHERE id = 'msg_2';
      UPDATE alert_messages SET next_at = ${clock - 9_000} WHERE id = 'msg_3'`)
      await ledger.webhooks.update(own('wh_1'), { is_paused: false }, auditContext())
      const due = await Promise.all(['msg_1', 'msg_2', 'msg_3'].map(find))
      // Deliveries that were due keep their time.
      expect(due.map((one) => one?.next_at)).toEqual([clock, clock + 9_000, clock - 9_000])
    })

    test('of a deleted webhook are deleted with their attempts', async () => {
      await add('wh_1')
      await add('wh_2')
      await relay('msg_1', 'wh_1')
      await relay('msg_2', 'wh_2')
      expect((await ledger.webhooks.delete(own('wh_1'), auditContext()))?.id).toBe('wh_1')
      expect(await find('msg_1')).toBeUndefined()
      expect(await ledger.messages.get('msg_2', 'wh_2')).toBeDefined()
      expect(await ledger.webhooks.delete(own('wh_1'), auditContext())).toBeUndefined()
    })

    test('give the time of the newest alert of each webhook', async () => {
      await add('wh_1')
      await add('wh_2')
      await relay('msg_1', 'wh_1', clock - 2_000)
      await relay('msg_2', 'wh_1', clock - 1_000)
      await relay('msg_3', 'wh_1', clock - 3_000)
      const { rows } = await ledger.webhooks.list({ account_id: ledgers.accounts.pro })
      expect(rows.map(({ last_alert_at }) => last_alert_at)).toEqual([clock - 1_000, null])
    })
  })
})

test('a webhook in a file is on disk when its creation is confirmed, as are its changes', async () => {
  const file = await createLedgerFile()
  const db = openDatabase(`${file.folder}/ledger.db`)
  const webhooks = openWebhookStore(openSqliteEngine(db))
  // Records the `synchronous` level at the time of each write.
  const note = 'BEGIN INSERT INTO levels SELECT synchronous FROM pragma_synchronous; END'
  db.exec(`CREATE TEMP TABLE levels (level INTEGER);
    CREATE TEMP TRIGGER a AFTER INSERT ON price_rules ${note};
    CREATE TEMP TRIGGER b AFTER UPDATE ON alert_channels ${note};
    CREATE TEMP TRIGGER c AFTER DELETE ON alert_channels ${note}`)
  const own = { id: 'wh_1', account_id: file.accounts.pro }
  const context = { now: new Date(FROZEN_TIME), address: '192.0.2.7' }
  const watch = { ...own, url: 'https://a.example/', card_id: 7, printing: null, threshold: 500 }
  const webhook = { ...watch, condition: 'above', secret: Uint8Array.of(1, 2, 3) } as const
  await webhooks.create(webhook, 100, context)
  await webhooks.update(own, { is_paused: true }, context)
  await webhooks.delete(own, context)
  const levels = db.prepare<[], number>('SELECT level FROM levels').pluck().all()
  expect(levels.length).toBeGreaterThanOrEqual(3)
  const FULL = 2
  expect(new Set(levels)).toEqual(new Set([FULL]))
  db.close()
  file.close()
})
