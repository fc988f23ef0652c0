import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { openSearchReader } from '#store/search-reader.ts'
import type { BenchData } from './data.ts'
import { residentOf, spread } from './measure.ts'
import { writeMirror } from './mirror.ts'
import { requireServer } from './prices.ts'
import { openIndexedCatalog, searchByPrice } from './search.ts'
import { startServer, whenIndexed, withServers } from './servers.ts'
import { runSync } from './sync.ts'
import { formatShort, type Row } from './table.ts'

/** Measures how search, sync and memory grow: one row for this size of the catalog, which BENCH_CARDS sets. */
export async function benchGrowth(data: BenchData): Promise<Row[]> {
  const { cpu, bytes } = readIndex(data.dataDir)
  const { total, p50, p99 } = searchDragon(data.dataDir)
  const resident = await measureAtRest(data.dataDir)
  const sync = await syncAlone(data)
  return [
    {
      figure: `growth: ${data.seeded.cards.toLocaleString('en-US')} cards`,
      ours: [
        `search "dragon" by price (${formatShort(total)} hits), p50 ${formatShort(p50 / 1000)} ms, p99 ${formatShort(p99 / 1000)} ms`,
        `index in memory ${formatShort(bytes / 1e6)} MB, read in ${formatShort(cpu)} s CPU`,
        `server at rest ${formatShort(resident / 1e6)} MB`,
        `sync with ${SYNC_CHANGED * 100} % of changed prices ${formatShort(sync.cpu)} s CPU, ${formatShort(sync.peak / 1e6)} MB`,
      ].join('; '),
    },
  ]
}

/** Share of the prices that change on the synced day. */
const SYNC_CHANGED = 0.35

/** Syncs a day on a copy of the catalog, without a server. CPU in seconds, memory in bytes. */
async function syncAlone(data: BenchData): Promise<{ cpu: number; peak: number }> {
  const [mirror, folder] = [join(data.scratch, 'mirror'), join(data.scratch, 'growth')]
  const publishedAt = new Date((data.seeded.lastDay + 1) * MS_PER_DAY + 60_000)
  try {
    writeMirror(mirror, data.catalogFile, { publishedAt, changed: SYNC_CHANGED })
    mkdirSync(folder)
    for (const file of ['catalog.db', 'ledger.db']) {
      copyFileSync(join(data.dataDir, file), join(folder, file))
    }
    return await runSync(folder, mirror)
  } finally {
    for (const made of [mirror, folder]) rmSync(made, { recursive: true, force: true })
  }
}

/** Loads the search index as the thread of a server does. CPU in seconds. */
function readIndex(dataDir: string): { cpu: number; bytes: number } {
  const reader = openSearchReader(dataDir)
  const before = process.cpuUsage()
  const { words, wordEnds, documents, documentEnds } = reader.read()
  const { user, system } = process.cpuUsage(before)
  reader.close()
  const bytes = [words, wordEnds, documents, documentEnds].reduce(
    (sum, { byteLength }) => sum + byteLength,
    0,
  )
  return { cpu: (user + system) / 1e6, bytes }
}

function searchDragon(dataDir: string): { total: number; p50: number; p99: number } {
  const catalog = openIndexedCatalog(dataDir)
  const { p50 = Number.NaN, p99 = Number.NaN } = spread(1_000, () =>
    searchByPrice(catalog, 'dragon'),
  )
  const { total } = searchByPrice(catalog, 'dragon')
  catalog.close()
  return { total, p50, p99 }
}

/** Returns the memory of a server that has loaded its search index, in bytes. */
function measureAtRest(dataDir: string): Promise<number> {
  return withServers([startServer(dataDir)], async ([server]) => {
    await whenIndexed(requireServer(server))
    // Waits for the end of the thread that loaded it.
    await Bun.sleep(REST_MS)
    return residentOf(requireServer(server).pid)
  })
}

const REST_MS = 3_000
