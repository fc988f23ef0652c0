import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { TIERS, type Tier } from '#rules/accounts/tiers.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { openAlertRuleSource } from '#store/ledger/alerts/rule-source.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { createLedgerFile, FROZEN_TIME, openLedgerFile } from '../../support/test-app.ts'

const NOW = new Date(FROZEN_TIME)
const AUDIT_CONTEXT = { now: NOW, address: undefined }

let file: Awaited<ReturnType<typeof createLedgerFile>>
let ledger: Ledger
let reader: Db
let watchList: ReturnType<typeof openAlertRuleSource>

beforeEach(async () => {
  file = await createLedgerFile()
  ledger = openLedgerFile(file.folder)
  reader = openDatabase(join(file.folder, 'ledger.db'), { readonly: true })
  watchList = openAlertRuleSource(reader)
})
afterEach(() => {
  reader.close()
  ledger.close()
  file.close()
})

async function add(
  id: string,
  card_id: number,
  tier: Tier = 'pro',
  printing: string | null = null,
) {
  const url = 'https://shop.example/'
  const webhook = { id, account_id: file.accounts[tier], url, card_id, printing }
  const at = { condition: 'above', threshold: 1_234, secret: new Uint8Array(4) } as const
  expect(await ledger.webhooks.create({ ...webhook, ...at }, 100, AUDIT_CONTEXT)).toBe(true)
}

const change = (id: string, wanted: { is_paused: boolean }) =>
  ledger.webhooks.update({ id, account_id: file.accounts.pro }, wanted, AUDIT_CONTEXT)

const active = () =>
  Object.fromEntries(watchList.list().map(({ id, is_active }) => [id, is_active]))

describe('alert rules', () => {
  test('list all webhooks in order with everything that the evaluation needs', async () => {
    await add('b', 7)
    await add('c', 5, 'business', 'Reverse "Holofoil", foil')
    await add('a', 7)
    expect(watchList.list()).toEqual([
      expect.objectContaining({ id: 'b', card_id: 7, printing: null }),
      {
        id: 'c',
        card_id: 5,
        printing: 'Reverse "Holofoil", foil',
        condition: 'above',
        threshold: 1_234,
        revision: 1,
        is_active: true,
        min_confidence: 'low',
        currency: null,
        source: null,
      },
      expect.objectContaining({ id: 'a', card_id: 7, printing: null }),
    ])
  })

  test('include what another connection has just written', async () => {
    await add('a', 1)
    expect(active()).toEqual({ a: true })
    await ledger.webhooks.delete({ id: 'a', account_id: file.accounts.pro }, AUDIT_CONTEXT)
    expect(active()).toEqual({})
  })

  test('are on a read-only connection', () => {
    expect(() => reader.exec('DELETE FROM price_rules')).toThrow('readonly')
  })

  test.each(TIERS.map((tier) => [tier, tier === 'pro' || tier === 'business'] as const))(
    'of an account on %s are active: %p',
    async (tier, isActive) => {
      await add('a', 1, tier)
      expect(active()).toEqual({ a: isActive })
    },
  )

  test('include paused and disabled webhooks as inactive', async () => {
    for (const id of ['gone', 'failing', 'paused', 'resumed', 'active']) await add(id, 1)
    const writer = openDatabase(join(file.folder, 'ledger.db'))
    writer.exec("UPDATE alert_channels SET disabled_for = id WHERE id IN ('gone', 'failing')")
    writer.close()
    await change('paused', { is_paused: true })
    await change('resumed', { is_paused: true })
    await change('resumed', { is_paused: false })
    expect(active()).toEqual({
      gone: false,
      failing: false,
      paused: false,
      resumed: true,
      active: true,
    })
  })

  test('agree with the deliveries that are sent', async () => {
    for (const tier of TIERS) await add(`of ${tier}`, 1, tier)
    await add('paused', 1)
    await change('paused', { is_paused: true })
    const ids = watchList.list().map(({ id }) => id)
    await relay(ids.map((id) => ({ id: `msg ${id}`, rule_id: id })))
    const hold = { owner: 'test', now: NOW, leaseMs: 60_000, pausedMs: 60_000 }
    const { heads } = await ledger.messages.listDue(NOW, {
      after: { next_at: 0, id: '' },
      limit: 100,
    })
    expect(heads).toHaveLength(ids.length)
    const due = await ledger.messages.lease(
      hold,
      heads.map(({ id }) => id),
    )
    const wanted = watchList.list().filter(({ is_active }) => is_active)
    expect(due.map(({ channel_id }) => channel_id).sort()).toEqual(
      wanted.map(({ id }) => id).sort(),
    )
    expect(wanted).toHaveLength(2)
  })
})

function relay(messages: { id: string; rule_id: string }[]) {
  const alerts = messages.map((message) => ({ ...message, body: '{}', created_at: NOW.getTime() }))
  return ledger.relayedAlerts.relay(alerts, NOW)
}

describe('known messages', () => {
  test('are those of the requested ids that the ledger has', async () => {
    await add('a', 1)
    await relay([
      { id: 'msg_1', rule_id: 'a' },
      { id: 'msg_2', rule_id: 'a' },
      { id: 'msg_3', rule_id: 'nobody' },
    ])
    expect(watchList.findKnownMessages([])).toEqual(new Set())
    expect(watchList.findKnownMessages(['msg_1', 'msg_3', 'msg_4'])).toEqual(new Set(['msg_1']))
  })

  test('are found among many', async () => {
    await add('a', 1)
    const ids = Array.from({ length: 5_000 }, (_, index) => `msg_${index}`)
    await relay(ids.filter((_, index) => index % 2 === 0).map((id) => ({ id, rule_id: 'a' })))
    expect(watchList.findKnownMessages(ids).size).toBe(2_500)
  })
})
