// Photos of a killed server: a real process on a real file.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { scheduledJobs } from 'croner'
import { refundOverdueScans } from '#actions/photos/maintain-scans.ts'
import { startJobs } from '#jobs/schedule.ts'
import { SCAN_HOLD_MS } from '#rules/photos/scans.ts'
import { openDatabase } from '#store/db.ts'
import { openLedger } from '#store/open-ledger.ts'
import { closeAfterEach } from '../../support/closers.ts'
import { startProcess } from '../../support/process.ts'
import {
  createLedgerFile,
  createTestApp,
  createTestLog,
  type LogLine,
} from '../../support/test-app.ts'

const closers = closeAfterEach()

/** Starts a server that reserves scans for photos until it is killed. */
async function startHolder(folder: string, account: number, photos: number) {
  const holder = startProcess('test/support/photos/hold-scans.ts', {
    args: [folder, String(account), String(photos)],
  })
  closers.push(holder.kill)
  await holder.hasPrinted('held\n')
  expect(holder.output()).toBe('held\n')
  return holder
}

test('a killed server’s scans are refunded once, and those of a running one are not', async () => {
  const { folder, accounts, close } = await createLedgerFile()
  closers.push(close)
  const ledger = openLedger(folder)
  closers.push(() => ledger.close())
  const log: LogLine[] = []
  const started = Date.now()
  const at = (ms: number) => ({
    ledger,
    log: createTestLog(log),
    now: () => new Date(started + ms),
  })
  const balances = () =>
    Promise.all(
      [accounts.free, accounts.pro].map(async (id) => (await ledger.accounts.getScans(id)).balance),
    )

  const killed = await startHolder(folder, accounts.free, 7)
  const heldAt = Date.now() - started
  const living = await startHolder(folder, accounts.pro, 3)
  await killed.kill()
  expect(await balances()).toEqual([18, 22])

  // The next server starts at once, while photos may still be in progress.
  await refundOverdueScans(at(heldAt))
  expect(await balances()).toEqual([18, 22])
  expect(log).toEqual([])

  await Promise.all([
    refundOverdueScans(at(heldAt + SCAN_HOLD_MS)),
    refundOverdueScans(at(heldAt + SCAN_HOLD_MS)),
  ])
  expect(await balances()).toEqual([25, 22])
  expect(log).toMatchObject([{ level: 'warn', facts: { scans: 7 } }])

  await living.kill()
  const late = Date.now() - started + SCAN_HOLD_MS
  await refundOverdueScans(at(late))
  await refundOverdueScans(at(late))
  expect(await balances()).toEqual([25, 25])
  expect(await ledger.scans.listUnbalanced()).toEqual([])
})

test('a photo that takes longer than its reservation is refunded only after its server was killed', async () => {
  const { folder, accounts, close } = await createLedgerFile()
  closers.push(close)
  const ledger = openLedger(folder)
  closers.push(() => ledger.close())
  const db = openDatabase(join(folder, 'ledger.db'), { readonly: true })
  closers.push(() => db.close())
  const firstDue = db.prepare<[], number>('SELECT min(due_at) FROM scan_holds').pluck()
  const lastDue = db.prepare<[], number>('SELECT max(due_at) FROM scan_holds').pluck()
  const refundAt = (ms: number) =>
    refundOverdueScans({ ledger, log: createTestLog([]), now: () => new Date(ms) })
  const balance = async () => (await ledger.accounts.getScans(accounts.free)).balance

  const server = await startHolder(folder, accounts.free, 2)
  const due = firstDue.get() ?? 0
  while ((firstDue.get() ?? 0) <= due) await Bun.sleep(20)
  await refundAt(due)
  expect(await balance()).toBe(23)

  await server.kill()
  await refundAt((lastDue.get() ?? 0) + 1)
  expect(await balance()).toBe(25)
  expect(await ledger.scans.listUnbalanced()).toEqual([])
})

test('overdue scans are refunded at most 20 s after the server was killed, if the next one runs', async () => {
  const testApp = await createTestApp({ env: { INDEX_PICTURES: 'off', BULK_FILES: 'off' } })
  closers.push(testApp.close)
  const jobs = startJobs(testApp.deps)
  closers.push(() => jobs.close())
  const job = scheduledJobs.find(({ name }) => name === 'refund overdue scans')
  const [first, second] = job?.nextRuns(2) ?? []
  const intervalMs = (second?.getTime() ?? Number.NaN) - (first?.getTime() ?? Number.NaN)
  expect(SCAN_HOLD_MS + intervalMs).toBeLessThanOrEqual(20_000)
})
