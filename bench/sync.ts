import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import type { BenchData } from './data.ts'
import { percentile } from './measure.ts'
import { writeMirror } from './mirror.ts'
import { requireServer } from './prices.ts'
import { type Server, startServer, withServers } from './servers.ts'
import { formatShort, type Row } from './table.ts'

/** A day's sync of every price, a third of them changed, while a server on the same file answers. */
export async function benchSync(data: BenchData): Promise<Row[]> {
  const mirror = join(data.scratch, 'mirror')
  const publishedAt = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + 60_000)
  const prices = writeMirror(mirror, data.catalogFile, { publishedAt, changed: CHANGED_SHARE })
  const runs: Run[] = []
  for (let round = 0; round < ROUNDS; round++) runs.push(await syncOnce(data, mirror))
  rmSync(mirror, { recursive: true, force: true })
  // The one in the middle, as a whole: its stages belong together.
  const [, run = runs[0]] = runs.toSorted((a, b) => workOf(a) - workOf(b))
  return run === undefined ? [] : rowsOf(run, prices)
}

/** The output of sync-once.ts. */
export type Stages = {
  report: SyncReport
  read: number
  publish: number
  cpu: number
  rss: number
  search: number
  movers: number
  alerts: number
  /** Seconds of the sync with every webhook armed. */
  alerts_anew: number
}
type Latency = { p50: number; p99: number; max: number; count: number }
type Run = { stages: Stages; idle: Latency; busy: Latency }

const workOf = ({ stages }: Run) => stages.read + stages.publish

function rowsOf({ stages, idle, busy }: Run, prices: number): Row[] {
  const { read, publish, search, movers, cpu, report, rss } = stages
  const work = read + publish
  const summarize = ({ p50, p99, max }: Latency) =>
    `p50 ${formatShort(p50)} ms, p99 ${formatShort(p99)} ms, longest ${formatShort(max)} ms`
  return [
    {
      figure: `sync of ${formatShort(prices)} prices, ${formatShort(report.prices_changed)} of them changed`,
      ours: `${formatShort(work)} s of work (${formatShort(cpu)} s CPU), ${formatShort(rss / 1e6)} MB`,
      target: '15 s',
      met: report.outcome === 'complete' && work <= 15,
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

/** Syncs a fresh copy of the catalog in its own process beside a server. */
async function syncOnce(data: BenchData, mirror: string): Promise<Run> {
  const folder = join(data.scratch, 'sync')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const file of ['catalog.db', 'ledger.db']) {
    copyFileSync(join(data.dataDir, file), join(folder, file))
  }
  try {
    return await withServers([startServer(folder)], async ([server]) => {
      const reader = openReader(requireServer(server), data)
      const idle = await reader.until(Bun.sleep(IDLE_MS))
      const sync = runSync(folder, mirror)
      const busy = await reader.until(sync)
      return { stages: await sync, idle, busy }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Syncs a data folder in its own process. */
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

/** Asks for prices of cards, a few hundred times a second, and takes the time. */
function openReader(server: Server, { cardIds, keys }: BenchData) {
  let at = 0

  async function ask(): Promise<number> {
    const path = `/v1/cards/${cardIds[at % cardIds.length]}/prices`
    const key = keys[at % keys.length] ?? ''
    at++
    const started = performance.now()
    const response = await fetch(server.url + path, { headers: { 'x-api-key': key } })
    await response.text()
    if (!response.ok) throw new Error(`a read was answered ${response.status}`)
    return performance.now() - started
  }

  return {
    /** Latencies from now until the promise is kept, in milliseconds. */
    async until(end: Promise<unknown>): Promise<Latency> {
      let ended = false
      const stop = () => {
        ended = true
      }
      end.then(stop, stop)
      const took: number[] = []
      while (!ended) {
        took.push(await ask())
        await Bun.sleep(PAUSE_MS)
      }
      const [p50, p99] = [percentile(took, 50), percentile(took, 99)]
      return { p50, p99, max: percentile(took, 100), count: took.length }
    },
  }
}

const CHANGED_SHARE = 0.35
const ROUNDS = 3
const IDLE_MS = 4_000
const PAUSE_MS = 3
