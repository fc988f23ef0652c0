import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerTask } from '#jobs/workers.ts'
import { openDatabase } from '#store/db.ts'
import { openLedgerOn } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { findFreePort } from '../test/support/free-port.ts'
import { fillAgedLedger } from '../test/support/operations/aged-ledger.ts'
import { percentile } from './measure.ts'
import type { LongestTurn } from './processes/maintained-server.ts'
import { formatShort, type Row } from './table.ts'

const ACCOUNTS = 100_000
const ENTRIES = 5_000_000
const EXPIRED = 100_000

/** The limit for card prices while other work runs (docs/reference/benchmarks.md). */
const BLOCK_MS = 20

/** Measures how long maintenance and the operator's reads block the event loop on a large ledger. */
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
      ['waiting deliveries for the metrics', () => ledger.messages.getBacklog('webhooks')],
      ['due deliveries for the status', () => ledger.messages.countDue(now)],
      ['dead deliveries for the status', () => ledger.messages.countDead()],
      ['overdue scans, every minute', () => ledger.scans.refundOverdue(now)],
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
    rows.push(...(await benchBeside(dataDir)))
    return rows
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const WORK: [figure: string, work: LedgerTask['work'] | number][] = [
  ['nothing', 3_000],
  ['the purge', 'purge'],
  ['the check of the balances', 'check balances'],
  ['the check of the bills', 'check billing'],
]

/** Measures the main thread of a server that also writes to the ledger, while a thread runs the maintenance. */
async function benchBeside(dataDir: string): Promise<Row[]> {
  const port = await findFreePort()
  const replies: ((turn: LongestTurn) => void)[] = []
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'processes/maintained-server.ts')],
    {
      env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error' },
      stdout: 'ignore',
      ipc: (turn: LongestTurn) => replies.shift()?.(turn),
    },
  )
  try {
    const write = await openWriter(`http://127.0.0.1:${port}`)
    const rows: Row[] = []
    for (const [figure, work] of WORK) {
      let turn: LongestTurn | undefined
      const started = performance.now()
      replies.push((reply) => {
        turn = reply
      })
      child.send(work)
      const tookMs: number[] = []
      while (turn === undefined) tookMs.push(await write())
      const { heldMs, cpuMs } = turn
      const seconds = formatShort((performance.now() - started) / 1000)
      const [p99, max] = [percentile(tookMs, 99), Math.max(...tookMs)].map(formatShort)
      rows.push({
        figure: `turn of a server beside ${figure} (${seconds} s)`,
        ours: `${formatShort(heldMs)} ms, ${formatShort(cpuMs)} ms of CPU; ${tookMs.length} writing requests, p99 ${p99} ms, longest ${max} ms`,
        target: `${BLOCK_MS} ms`,
        met: heldMs <= BLOCK_MS,
      })
    }
    return rows
  } finally {
    child.kill()
    await child.exited
  }
}

/** Returns a function that creates and deletes a key, and returns the milliseconds of the slower request. */
async function openWriter(url: string): Promise<() => Promise<number>> {
  while ((await fetch(`${url}/healthz`).catch(() => undefined)) === undefined) await Bun.sleep(50)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const send = async (method: string, path: string, body?: object) => {
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, { method, headers, ...text })
    if (!response.ok) throw new Error(`${path} returned ${response.status}`)
    return response
  }
  const account = { email: 'writer@example.com', password: 'long enough' }
  await send('POST', '/v1/auth/register', account)
  const login = await send('POST', '/v1/auth/login', account)
  headers.cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  return async () => {
    const started = performance.now()
    const made = await send('POST', '/v1/keys', { name: 'bench' })
    const between = performance.now()
    const { data } = (await made.json()) as { data: { id: number } }
    await send('DELETE', `/v1/keys/${data.id}`)
    const tookMs = Math.max(between - started, performance.now() - between)
    await Bun.sleep(WRITE_EVERY_MS)
    return tookMs
  }
}

const WRITE_EVERY_MS = 10

/**
 * Runs work, and returns its longest turn of the event loop: the CPU time, which other programs do not affect, and
 * the elapsed time, which includes waits for the disk and for a core.
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
