import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Ledger } from '#store/ledger/ledger.ts'
import type { DeletedAccount } from '#store/ledger/personal/account-deletions.ts'
import { PERSONAL_TABLES } from '#store/ledger/personal/personal-tables.ts'
import * as schema from '#store/ledger/schema.ts'
import {
  FULL_EMAIL,
  fullAccountRows,
  PERSONAL_BYTES,
  PERSONAL_TEXTS,
} from '../../support/accounts/full-account.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'

/**
 * Tables with rows of nobody, or of people without an account. A new table must be listed here or refer to accounts.
 */
const OF_NOBODY = [
  'access_version',
  'attempts', // names limits by a hash of the e-mail address: deleted with the account
  'billing_questions',
  'installation',
  'job_leases',
  'photo_payments',
  'reference_version',
  'service_settings',
  'setup_tokens',
]

const now = new Date(FROZEN_TIME)

test('every table of the ledger has rows of accounts, or is known to have none', () => {
  const all = Object.values(schema).flatMap((one) =>
    is(one, SQLiteTable) ? [getTableConfig(one).name] : [],
  )
  expect([...PERSONAL_TABLES.map(({ name }) => name), ...OF_NOBODY].sort()).toEqual(all.sort())
})

describe.each(LEDGERS)('deleting an account on %s', (name, create) => {
  let ledgers: TestLedgers
  let ledger: Ledger
  let account: DeletedAccount

  const blob = (hex: string) => (name === 'SQLite' ? `x'${hex}'` : `'\\x${hex}'::bytea`)
  const rowsIn = (table: string) => ledgers.all<Record<string, unknown>>(`SELECT * FROM ${table}`)
  const countOwn = async ({ name, owner }: (typeof PERSONAL_TABLES)[number]) => {
    const condition = owner.replace('?', String(account.id))
    const [row] = await ledgers.all<{ rows: number }>(
      `SELECT count(*) AS rows FROM ${name} WHERE ${condition}`,
    )
    return Number(row?.rows)
  }

  beforeEach(async () => {
    ledgers = await create()
    ledger = ledgers.open()
    const { id, created_at } = (await ledger.accounts.getById(ledgers.accounts.free)) ?? {}
    account = { id: id ?? 0, created_at: created_at ?? 0 }
    for (const sql of fullAccountRows(account.id, blob)) await ledgers.execute(sql)
  })
  afterEach(() => ledgers.close())

  async function erase(): Promise<void> {
    expect(await ledger.accountDeletions.erase(account, now)).toBe(true)
    while ((await ledger.lists.purge(100)) > 0);
  }

  test('erases every row that is not of a book, after each table had one', async () => {
    const before = await Promise.all(PERSONAL_TABLES.map(countOwn))
    expect(PERSONAL_TABLES.filter((_, at) => before[at] === 0).map(({ name }) => name)).toEqual([])
    await erase()
    for (const table of PERSONAL_TABLES) {
      const isKept = table.fate === 'kept' || table.fate === 'buried'
      expect([table.name, (await countOwn(table)) > 0]).toEqual([table.name, isKept])
    }
  })

  test('leaves the person in no table: no address, name, note, digest or network', async () => {
    await erase()
    for (const table of [...PERSONAL_TABLES.map(({ name }) => name), ...OF_NOBODY]) {
      for (const row of await rowsIn(table)) {
        for (const [column, value] of Object.entries(row)) {
          const text = typeof value === 'string' ? value : ''
          const found = PERSONAL_TEXTS.filter((mark) => text.includes(mark))
          const isDigest = Buffer.isBuffer(value) && value.equals(PERSONAL_BYTES)
          expect([table, column, found, isDigest]).toEqual([table, column, [], false])
        }
      }
    }
    expect(await ledger.accounts.getByEmail(FULL_EMAIL)).toBeUndefined()
    expect(await ledger.accounts.getById(account.id)).toMatchObject({
      email: `deleted account ${account.id}`,
      password_hash: '',
      tier: 'free',
      is_operator: false,
    })
  })

  test('leaves the books balanced, and all other accounts unchanged', async () => {
    const others = async () => (await ledger.accounts.list()).filter(({ id }) => id !== account.id)
    const before = await others()
    const payments = await rowsIn('billing_payments')
    const entries = await rowsIn('scan_ledger')
    await erase()
    expect(await ledger.scans.listUnbalanced()).toEqual([])
    expect(await ledger.billingReport.listUnevenReversals()).toEqual([])
    expect(await rowsIn('billing_payments')).toEqual(payments)
    expect(await rowsIn('scan_ledger')).toEqual(entries)
    expect(await ledger.accounts.list()).toEqual(before)
    expect(await ledger.accounts.count()).toBe(before.length)
  })

  test('ends its subscription and its open order', async () => {
    await erase()
    expect(await ledger.checkouts.listOpenByAccount(account.id)).toEqual([])
    expect(await ledger.checkouts.getById('co_paid')).toMatchObject({ state: 'paid' })
    const [subscription] = await ledger.subscriptions.listByAccount(account.id, now)
    expect(subscription).toMatchObject({ status: 'canceled', standing: { tier: 'free' } })
  })

  test('does not disturb a scan, a delivery and a count of requests that are in progress', async () => {
    await erase()
    const { charged } = await ledger.scans.keep('id_held', account.id)
    expect(charged).toBe(true)
    expect(await ledger.scans.listUnbalanced()).toEqual([])
    const attempt = { message_id: 'msg_full', at: 0, status: 200, error: null, latency_ms: 1 }
    const sent = { ...attempt, answer: null, owner: 'server', url: '', now }
    expect(await ledger.messages.record(sent, { kind: 'delivered' }, undefined)).toBe(false)
    const use = { key_id: 'key-full', day: 20_772, endpoint_group: 'search', requests: 2 }
    await ledger.usage.add([{ ...use, last_used_at: now.getTime() }])
    expect(await rowsIn('usage_by_key')).toEqual([])
  })

  test('is repeated for rows that a running request has added since', async () => {
    await erase()
    const late = { account_id: account.id, kind: 'owned', name: 'Late', id: 'col_late' } as const
    await ledger.lists.create(late, 10, now)
    expect(await ledger.accountDeletions.listSince(now)).toEqual([account])
    await erase()
    expect(await rowsIn('lists')).toEqual([])
  })

  test('finds nothing under the number of another account', async () => {
    const other = { ...account, created_at: account.created_at + 1 }
    expect(await ledger.accountDeletions.erase(other, now)).toBe(false)
    expect(await ledger.accountDeletions.findPresent([other, account])).toEqual([account])
    await erase()
    expect(await ledger.accountDeletions.findPresent([account])).toEqual([])
  })

  test('frees the e-mail address', async () => {
    await erase()
    const created = await ledger.accounts.create(
      { email: FULL_EMAIL, password_hash: 'other', tier: 'free' },
      { now, address: undefined },
    )
    expect(created?.id).toBeGreaterThan(account.id)
  })
})
