import { closeSync, copyFileSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import { openDatabase } from '#store/db.ts'
import type { BenchData } from './data.ts'
import { percentile } from './measure.ts'
import { writeMirror } from './mirror.ts'
import { requireServer } from './prices.ts'
import { type Server, startServer, whenIndexed, withServers } from './servers.ts'
import { formatShort, type Row } from './table.ts'

/** Measures a day's sync of all prices, some of them changed, while a server on the same file handles requests. */
export async function benchSync(data: BenchData): Promise<Row[]> {
  const mirror = join(data.scratch, 'mirror')
  const publishedAt = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + 60_000)
  const rows: Row[] = []
  for (const day of DAYS) {
    const prices = writeMirror(mirror, data.catalogFile, { publishedAt, changed: day.changed })
    const runs: Run[] = []
    for (let round = 0; round < ROUNDS; round++) runs.push(await syncOnce(data, mirror))
    rmSync(mirror, { recursive: true, force: true })
    // The median run as a whole, because its stages belong together.
    const [, run = runs[0]] = runs.toSorted((a, b) => workOf(a) - workOf(b))
    if (run !== undefined) rows.push(...rowsOf(run, prices, day))
  }
  return rows
}

/** A day with its share of changed prices, and the maximum duration of its sync. */
type Day = { changed: number; seconds: number; memoryMb?: number; pagesMb?: number }

const DAYS: readonly Day[] = [
  { changed: 0.35, seconds: 10, memoryMb: 500 },
  { changed: 0.02, seconds: 4, pagesMb: 110 },
]

/** The output of sync-once.ts. */
export type Stages = {
  report: SyncReport
  read: number
  publish: number
  cpu: number
  /** Peak memory of the process, in bytes. */
  peak: number
  search: number
  movers: number
  alerts: number
  /** Seconds of the sync with every webhook armed. */
  alerts_armed: number
}
export type Latency = { p50: number; p99: number; max: number; count: number }
/** `pages`: bytes of the catalog's pages that the publication changed. */
type Run = { stages: Stages; idle: Latency; busy: Latency; pages: number }

const workOf = ({ stages }: Run) => stages.read + stages.publish

function rowsOf({ stages, idle, busy, pages }: Run, prices: number, day: Day): Row[] {
  const { read, publish, search, movers, cpu, report } = stages
  const work = read + publish
  const memoryMb = stages.peak / 1e6
  const pagesMb = pages / 1e6
  const summarize = ({ p50, p99, max }: Latency) =>
    `p50 ${formatShort(p50)} ms, p99 ${formatShort(p99)} ms, longest ${formatShort(max)} ms`
  const limits = [
    `${day.seconds} s`,
    ...(day.memoryMb === undefined ? [] : [`${day.memoryMb} MB of memory`]),
    ...(day.pagesMb === undefined ? [] : [`${day.pagesMb} MB of pages`]),
  ]
  return [
    {
      figure: `sync of ${formatShort(prices)} prices, ${formatShort(report.prices_changed)} of them changed`,
      ours: `${formatShort(work)} s of work (${formatShort(cpu)} s CPU), ${formatShort(memoryMb)} MB of memory, ${formatShort(pagesMb)} MB of changed pages`,
      target: limits.join(', '),
      met:
        report.outcome === 'complete' &&
        work <= day.seconds &&
        memoryMb <= (day.memoryMb ?? Number.POSITIVE_INFINITY) &&
        pagesMb <= (day.pagesMb ?? Number.POSITIVE_INFINITY),
    },
    {
      figure: '- its stages',
      ours: `reading and staging ${formatShort(read)} s, publishing ${formatShort(publish)} s (in it search ${formatShort(search)} s, movers ${formatShort(movers)} s)`,
    },
    {
      figure: 'prices of a card during the sync, over HTTP',
      ours: summarize(busy),
      limit: `without the sync ${summarize(idle)}`,
      target: 'p99 15 ms',
      met: busy.p99 <= 15,
    },
  ]
}

/** Syncs a fresh copy of the catalog in a separate process beside a server. */
async function syncOnce(data: BenchData, mirror: string): Promise<Run> {
  const folder = join(data.scratch, 'sync')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const file of ['catalog.db', 'ledger.db']) {
    copyFileSync(join(data.dataDir, file), join(folder, file))
  }
  try {
    const run = await withServers([startServer(folder)], async ([server]) => {
      await whenIndexed(requireServer(server))
      const reader = openPriceReader(requireServer(server), data)
      const idle = await reader.until(Bun.sleep(IDLE_MS))
      const sync = runSync(folder, mirror)
      const busy = await reader.until(sync)
      return { stages: await sync, idle, busy }
    })
    return { ...run, pages: changedBytes(data.catalogFile, join(folder, 'catalog.db')) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the bytes of a catalog's new or changed pages. */
export function changedBytes(before: string, after: string): number {
  const db = openDatabase(after)
  // Moves the content of the log into the file.
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const [old, next] = [openSync(before, 'r'), openSync(after, 'r')]
  const [oldPages, pages] = [Buffer.alloc(PAGES_READ * PAGE), Buffer.alloc(PAGES_READ * PAGE)]
  let changed = 0
  for (let at = 0; ; at += pages.length) {
    const length = readSync(next, pages, 0, pages.length, at)
    if (length === 0) break
    const known = readSync(old, oldPages, 0, oldPages.length, at)
    for (let page = 0; page < length; page += PAGE) {
      const isSame =
        page < known && pages.compare(oldPages, page, page + PAGE, page, page + PAGE) === 0
      if (!isSame) changed += PAGE
    }
  }
  closeSync(old)
  closeSync(next)
  return changed
}

/** Bytes per page of SQLite. */
const PAGE = 4_096
const PAGES_READ = 256

/** Syncs a data folder in a separate process. */
export async function runSync(folder: string, mirror: string): Promise<Stages> {
  const child = Bun.spawn(['bun', join(import.meta.dir, 'processes/sync-once.ts')], {
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: folder,
      UPSTREAM_URL: pathToFileURL(mirror).href,
      LOG_LEVEL: 'warn',
    },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('The sync failed.')
  return JSON.parse(text)
}

/** Requests prices a few hundred times a second, and measures their latency. */
export function openPriceReader(
  server: Server,
  { cardIds, keys }: Pick<BenchData, 'cardIds' | 'keys'>,
) {
  let at = 0

  async function request(): Promise<number> {
    const path = `/v1/cards/${cardIds[at % cardIds.length]}/prices`
    const key = keys[at % keys.length] ?? ''
    at++
    const started = performance.now()
    const response = await fetch(server.url + path, { headers: { 'x-api-key': key } })
    await response.text()
    if (!response.ok) throw new Error(`a read returned ${response.status}`)
    return performance.now() - started
  }

  return {
    /** Latencies in milliseconds from now until the promise settles. */
    async until(end: Promise<unknown>): Promise<Latency> {
      let ended = false
      const stop = () => {
        ended = true
      }
      end.then(stop, stop)
      const took: number[] = []
      while (!ended) {
        took.push(await request())
        await Bun.sleep(PAUSE_MS)
      }
      const [p50, p99] = [percentile(took, 50), percentile(took, 99)]
      return { p50, p99, max: percentile(took, 100), count: took.length }
    },
  }
}

const ROUNDS = 3
const IDLE_MS = 4_000
const PAUSE_MS = 3
