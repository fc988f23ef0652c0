import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { purgeLedger } from '#actions/operations/purge-ledger.ts'
import { openDatabase } from '#store/db.ts'
import { openLedgerOn, prepareFiles } from '#store/index.ts'
import { fillAgedLedger } from '../test/support/operations/aged-ledger.ts'
import { formatShort, type Row } from './table.ts'

const ACCOUNTS = 100_000
const ENTRIES = 5_000_000
const EXPIRED = 100_000

/** The limit for card prices while other work runs (docs/reference/benchmarks.md). */
const BLOCK_MS = 20

/** Measures how long maintenance and the reads of the operator block the event loop on a large ledger. */
export async function benchMaintenance(): Promise<Row[]> {
  const data = join(import.meta.dir, 'run')
  mkdirSync(data, { recursive: true })
  const dataDir = mkdtempSync(join(data, 'maintenance-'))
  try {
    prepareFiles(dataDir)
    const db = openDatabase(join(dataDir, 'ledger.db'))
    const now = new Date()
    fillAgedLedger(db, { accounts: ACCOUNTS, entries: ENTRIES, expired: EXPIRED, now })
    db.pragma('wal_checkpoint(TRUNCATE)')
    const ledger = openLedgerOn(db)
    const today = Math.floor(now.getTime() / 86_400_000)
    const parts: [figure: string, run: () => Promise<unknown>][] = [
      ['accounts counted for the metrics', () => ledger.accounts.count()],
      ['scans of the day for the metrics', () => ledger.scans.countByDay(today)],
      ['webhooks counted for the metrics', () => ledger.webhooks.count()],
      ['waiting deliveries for the metrics', () => ledger.deliveries.getBacklog()],
      ['due deliveries for the status', () => ledger.deliveries.countDue(now)],
      ['dead deliveries for the status', () => ledger.deliveries.countDead()],
      ['overdue scans, every minute', () => ledger.scans.refundOverdue(now)],
      [
        'a batch of the purge, which has its own thread',
        () => purgeLedger({ ledger, now: () => now }),
      ],
    ]
    const rows: Row[] = []
    for (const [figure, run] of parts) {
      const { cpuMs, wallMs } = await longestTurn(run)
      rows.push({
        figure,
        ours: `${formatShort(cpuMs)} ms of CPU, ${formatShort(wallMs)} ms in all`,
        target: `${BLOCK_MS} ms of CPU`,
        met: cpuMs <= BLOCK_MS,
      })
    }
    db.close()
    return rows
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Runs work, and returns its longest turn of the event loop: the CPU time, which other programs do not
 * affect, and the whole time, which has waits for the disk and for a core.
 */
async function longestTurn(
  run: () => Promise<unknown>,
): Promise<{ cpuMs: number; wallMs: number }> {
  const longest = { cpuMs: 0, wallMs: 0 }
  let [last, isOver] = [readClocks(), false]
  const turn = () => {
    const now = readClocks()
    longest.cpuMs = Math.max(longest.cpuMs, now.cpuMs - last.cpuMs)
    longest.wallMs = Math.max(longest.wallMs, now.wallMs - last.wallMs)
    last = readClocks()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await run()
  await Bun.sleep(1)
  isOver = true
  return longest
}

function readClocks(): { cpuMs: number; wallMs: number } {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() }
}
