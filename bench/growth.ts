import { openSearchReader } from '#store/index.ts'
import type { BenchData } from './data.ts'
import { residentOf, spread } from './measure.ts'
import { requireServer } from './prices.ts'
import { openIndexedCatalog, searchByPrice } from './search.ts'
import { startServer, whenIndexed, withServers } from './servers.ts'
import { formatShort, type Row } from './table.ts'

/** How search and its memory grow: one row for the size of this catalog, which BENCH_CARDS sets. */
export async function benchGrowth(data: BenchData): Promise<Row[]> {
  const { cpu, bytes } = readIndex(data.dataDir)
  const { total, p50, p99 } = searchDragon(data.dataDir)
  const resident = await measureAtRest(data.dataDir)
  return [
    {
      figure: `growth: ${data.seeded.cards.toLocaleString('en-US')} cards`,
      ours: [
        `search "dragon" by price (${formatShort(total)} hits), p50 ${formatShort(p50 / 1000)} ms, p99 ${formatShort(p99 / 1000)} ms`,
        `index in memory ${formatShort(bytes / 1e6)} MB, read in ${formatShort(cpu)} s CPU`,
        `server at rest ${formatShort(resident / 1e6)} MB`,
      ].join('; '),
    },
  ]
}

/** Reads the search index as the thread of a server does. CPU in seconds. */
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

/** Memory of a server that has read its search index, in bytes. */
function measureAtRest(dataDir: string): Promise<number> {
  return withServers([startServer(dataDir)], async ([server]) => {
    await whenIndexed(requireServer(server))
    // For the end of the thread that read it.
    await Bun.sleep(REST_MS)
    return residentOf(requireServer(server).pid)
  })
}

const REST_MS = 3_000
