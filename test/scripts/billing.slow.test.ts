// The operator's billing commands, in separate processes on their own data folder.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beginCheckout } from '#actions/billing/begin-checkout.ts'
import { readConfig } from '#config.ts'
import type { BillableItem } from '#rules/billing/plans.ts'
import { openDatabase } from '#store/db.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { startScripts } from '../support/operations/run-scripts.ts'
import { createTestLog } from '../support/test-app.ts'

/** Gives a command a terminal, if this machine has the program. */
const SCRIPT = Bun.which('script')

const ROOT = resolve(import.meta.dir, '../..')

/** Opens a data folder with two accounts, and actions of their owners and their operator. */
async function openBilling() {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-billing-'))
  prepareFiles(folder)
  const ledger = openLedger(folder)
  closeAfterUse(() => {
    ledger.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const now = () => new Date()
  const newcomer = { password_hash: 'none', tier: 'free' } as const
  const context = { now: now(), address: undefined }
  const ann = await ledger.accounts.create({ ...newcomer, email: 'ann@example.com' }, context)
  const bob = await ledger.accounts.create({ ...newcomer, email: 'bob@example.com' }, context)
  const deps = { ledger, now, config: readConfig({}), log: createTestLog([]), stripe: undefined }
  const buyers = { ann, bob }
  return {
    folder,
    async order(who: 'ann' | 'bob', billableItem: BillableItem): Promise<string> {
      const { id = 0, email = '' } = buyers[who] ?? {}
      const { url } = await beginCheckout(deps, { account_id: id, email }, billableItem)
      return url.split('/').at(-1) ?? ''
    },
    async billing(...args: string[]) {
      return run(folder, ['billing', ...args])
    },
    admin: (...args: string[]) => run(folder, args),
  }
}

const scripts = startScripts(tmpdir())
afterAll(scripts.close)

async function run(folder: string, args: string[]) {
  const { PATH = '', HOME = '' } = process.env
  const call = { path: 'scripts/admin.ts', args }
  const { code, stdout, stderr } = await scripts.run(call, { PATH, HOME, DATA_DIR: folder })
  const lines = stdout.split('\n').slice(0, -1)
  return { code, stdout, stderr, rows: () => lines.map((line) => JSON.parse(line)) }
}

describe('billing list', () => {
  test('prints the open checkouts, oldest first, a JSON line each, or only those of one account', async () => {
    const { order, billing } = await openBilling()
    expect(await billing('list')).toMatchObject({ code: 0, stdout: '', stderr: '' })
    const first = await order('ann', 'pro')
    const second = await order('bob', 'scans_5000')
    const { code, rows } = await billing('list')
    const row = { since: expect.stringMatching(/^\d{4}-.*Z$/) }
    expect([code, rows()]).toEqual([
      0,
      [
        { ...row, id: first, email: 'ann@example.com', item: 'pro', amount: 49.99 },
        { ...row, id: second, email: 'bob@example.com', item: 'scans_5000', amount: 60 },
      ],
    ])
    const ofBob = await billing('list', '--email', 'bob@example.com', '--json')
    expect(ofBob.rows()).toMatchObject([{ id: second }])
  })
})

describe('billing complete and refund', () => {
  test('credit and take back by the short form of the id, and print the account', async () => {
    const { order, billing } = await openBilling()
    const id = await order('ann', 'pro')
    const done = await billing('complete', id.slice(0, 11))
    expect(done.code).toBe(0)
    expect(done.rows()).toEqual([
      {
        id,
        email: 'ann@example.com',
        item: 'pro',
        amount: 49.99,
        state: 'paid',
        tier: 'pro',
        subscription: expect.objectContaining({ plan: 'pro', status: 'active' }),
        scans: 25,
      },
    ])
    expect((await billing('list')).stdout).toBe('')
    expect((await billing('complete', id)).rows()).toMatchObject([{ state: 'paid', tier: 'pro' }])
    const back = await billing('refund', id)
    expect(back.rows()).toMatchObject([
      { id, state: 'refunded', tier: 'free', subscription: { status: 'canceled' } },
    ])
    expect(await billing('refund', id)).toEqual({ ...back, rows: expect.any(Function) })
    expect((await billing('report')).rows()).toMatchObject([{ net: 0, mismatches: [] }])
  })

  test.each([
    [2, ['complete']],
    [2, ['refund']],
    [2, ['list', 'co_abcdefgh']],
    [2, ['pay', 'co_abcdefgh']],
    [2, ['report', '--from', 'yesterday']],
    [2, ['report', '--from', '2026-02-30']],
    [2, ['report', '--from', '2026-03-02', '--to', '2026-03-01']],
    [1, ['complete', 'co_abcdefgh']],
    [1, ['refund', 'nobody']],
  ])('exit with %i for %p, with a message', async (code, args) => {
    const { billing } = await openBilling()
    const result = await billing(...args)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toMatch(/\S/)
    expect(result.stderr).not.toMatch(/\n\s+at |node_modules/)
  })
})

describe('billing report', () => {
  test('prints the month as one JSON line, and exits with 0 if the books agree', async () => {
    const { order, billing } = await openBilling()
    await billing('complete', await order('ann', 'pro'))
    const pack = await order('bob', 'scans_1000')
    await billing('complete', pack)
    await billing('refund', pack)
    const { code, rows } = await billing('report')
    expect(code).toBe(0)
    expect(rows()).toMatchObject([
      {
        net: 49.99,
        subscriptions: [{ plan: 'pro', status: 'active', provider: 'manual', accounts: 1 }],
        scans: { sold: 1_000, reversed: 1_000 },
        mismatches: [],
      },
    ])
    expect(rows()[0].from).toEndWith('-01')
    const past = await billing('report', '--from', '2020-01-01', '--to', '2020-12-31')
    expect(past.rows()).toMatchObject([
      { from: '2020-01-01', to: '2020-12-31', net: 0, revenue: [] },
    ])
  })

  test('exits with 1 for a discrepancy, and names it', async () => {
    const { folder, billing } = await openBilling()
    const db = openDatabase(join(folder, 'ledger.db'))
    db.exec("UPDATE accounts SET scan_balance = 5 WHERE email = 'ann@example.com'")
    db.close()
    const { code, rows } = await billing('report')
    expect(code).toBe(1)
    const detail = '5 scans, but its entries add up to 0'
    expect(rows()[0].mismatches).toEqual([{ kind: 'balance', account_id: 1, detail }])
  })

  test.skipIf(SCRIPT === null)('prints a table on a terminal', async () => {
    const { folder, order, billing } = await openBilling()
    await billing('complete', await order('ann', 'pro'))
    const command = [process.execPath, '--no-env-file', join(ROOT, 'scripts/admin.ts')]
    const words = [...command, 'billing', 'report'].map((word) => `'${word}'`).join(' ')
    const child = Bun.spawn([SCRIPT ?? '', '-qec', words, '/dev/null'], {
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', DATA_DIR: folder },
      stdin: 'ignore',
      stdout: 'pipe',
    })
    const text = (await new Response(child.stdout).text()).replaceAll('\r', '')
    expect(await child.exited).toBe(0)
    expect(text).toContain('Revenue\n  item')
    expect(text).toMatch(/Pro plan {2}manual +1 {2}\$49\.99/)
    expect(text).not.toContain('MISMATCHES')
  })
})

test('account tier sets the assigned tier, and reports a higher paid one', async () => {
  const { order, billing, admin } = await openBilling()
  await billing('complete', await order('ann', 'pro'))
  const lower = await admin('account', 'tier', '--email', 'ann@example.com', '--tier', 'hobby')
  expect([lower.code, lower.rows()]).toMatchObject([0, [{ tier: 'pro' }]])
  expect(lower.stderr).toContain('ann@example.com pays for the Pro plan and keeps that tier')
  const higher = await admin('account', 'tier', '--email', 'ann@example.com', '--tier', 'business')
  expect(higher).toMatchObject({ code: 0, stderr: '' })
  expect(higher.rows()).toMatchObject([{ tier: 'business' }])
})
