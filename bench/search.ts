import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { openDatabase } from '#store/db.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { openSearchReader } from '#store/search-reader.ts'
import type { BenchData } from './data.ts'
import { type LoadRequest, sendLoad } from './load.ts'
import { interleave, middle, ratio, spread } from './measure.ts'
import { peerFiles } from './peer-files.ts'
import { requireServer } from './prices.ts'
import { startPeer, startServer, whenIndexed, withServers } from './servers.ts'
import { formatShort, percent, perSecond, type Row, times } from './table.ts'

/** Measures search in the process, without a cache, and over HTTP with typical queries. */
export async function benchSearch(data: BenchData): Promise<Row[]> {
  return [...(await inProcess(data)), ...(await overHttp(data))]
}

/** Measures rows and exact total of a page sorted by price, against the most obvious join. */
async function inProcess(data: BenchData): Promise<Row[]> {
  const catalog = openIndexedCatalog(data.dataDir)
  const plain = openPlainJoin(data)
  const rows: Row[] = []
  for (const q of ['dragon', 'of', 'th', 'dark knight']) {
    const rounds = await interleave(ROUNDS, {
      ours: () => spread(500, () => void searchByPrice(catalog, q)),
      plain: () => spread(q === 'dragon' ? 20 : 5, () => void plain.request(q)),
    })
    const [p50, p99] = [middle(rounds, 'ours', 'p50') / 1000, middle(rounds, 'ours', 'p99') / 1000]
    const faster = 1 / ratio(rounds, 'p50', 'ours', 'plain')
    rows.push({
      figure: `search "${q}", by price, page 1 (${formatShort(searchByPrice(catalog, q).total)} hits), in process`,
      ours: `p50 ${formatShort(p50)} ms, p99 ${formatShort(p99)} ms`,
      peer: `FTS5 join p50 ${formatShort(middle(rounds, 'plain', 'p50') / 1000)} ms`,
      toPeer: `${times(faster)} faster`,
      ...(q === 'dragon' ? { target: 'p50 0.8 ms, p99 3 ms', met: p50 <= 0.8 && p99 <= 3 } : {}),
    })
  }
  plain.close()
  catalog.close()
  return rows
}

/** Opens the catalog like a running server: with the search index in memory. */
export function openIndexedCatalog(dataDir: string): Catalog {
  const catalog = openCatalog(dataDir, createPictureUrl('http://127.0.0.1'))
  const reader = openSearchReader(dataDir)
  catalog.search.useInMemory(reader.read())
  reader.close()
  return catalog
}

/** Returns the first page by price and the total. Reads all rows on each call. */
export function searchByPrice(catalog: Catalog, q: string): { items: string[]; total: number } {
  const { ids, total } = catalog.search.find({ q, sort: 'price_asc', limit: 50, offset: 0 })
  return { items: catalog.cards.listWithPrices(ids).map(({ data }) => String(data)), total }
}

/** Joins and sorts full-text index, cards and prices: ids of the page, and the total. */
function openPlainJoin(data: BenchData) {
  const { words } = peerFiles(data)
  const db = openDatabase(data.catalogFile, { readonly: true, cacheKib: 65_536 })
  db.exec(`ATTACH '${words}' AS words`)
  const from = `FROM words.card_fts JOIN cards ON cards.id = card_fts.rowid
    LEFT JOIN prices ON prices.card_id = cards.id WHERE card_fts MATCH ? GROUP BY cards.id`
  const page = db.prepare<[string]>(
    `SELECT cards.* FROM (
       SELECT cards.id AS card_id, max(market_price) AS price ${from}
        ORDER BY price IS NULL, price, cards.id LIMIT 50) JOIN cards ON cards.id = card_id`,
  )
  const total = db.prepare<[string]>(`SELECT count(*) FROM (SELECT 1 ${from})`)
  return {
    request(q: string): void {
      const match = `${q
        .split(' ')
        .map((word) => `"${word}"`)
        .join(' ')}*`
      page.all(match)
      total.get(match)
    },
    close: () => void db.close(),
  }
}

async function overHttp(data: BenchData): Promise<Row[]> {
  const peer = peerFiles(data)
  const loads = {
    cold: createRequests(data, VARIANTS, (variant) => `&max_price=${900_000 + variant}`),
    unread: createRequests(data, VARIANTS, (variant) => `&min_price=${variant / 100}`),
    cached: createRequests(data, 1, () => ''),
  }
  // Sequential: on one connection, each search waits for the previous one.
  const load = { connections: 1, seconds: SECONDS, folder: data.scratch }
  const rounds = await withServers(
    [startServer(data.dataDir), startPeer(data.catalogFile, peer.words, peer.keys)],
    async ([ours, theirs]) => {
      await whenIndexed(requireServer(ours))
      return interleave(ROUNDS, {
        cold: () => sendLoad(requireServer(ours), { ...load, requests: loads.cold }),
        unread: () => sendLoad(requireServer(ours), { ...load, requests: loads.unread }),
        cached: () => sendLoad(requireServer(ours), { ...load, requests: loads.cached }),
        peer: () => sendLoad(requireServer(theirs), { ...load, requests: loads.cold }),
      })
    },
  )
  const figures = (subject: string) =>
    perSecond({ rps: middle(rounds, subject, 'rps'), cpu: middle(rounds, subject, 'cpu') })
  const row = (subject: string, note: string): Row => ({
    figure: `search, 15 queries by price, over HTTP, ${note}`,
    ours: `${figures(subject)}, p99 ${formatShort(middle(rounds, subject, 'p99'))} ms`,
    peer: figures('peer'),
    toPeer: `${times(ratio(rounds, 'rps', subject, 'peer'))}, ${percent(ratio(rounds, 'cpu', subject, 'peer'))} CPU`,
  })
  return [
    {
      ...row('cold', 'cold, sequential'),
      target: '800/s',
      met: middle(rounds, 'cold', 'rps') >= 800,
    },
    row('unread', 'of other cards each time, sequential'),
    row('cached', 'cached, sequential'),
  ]
}

/**
 * Creates typical searches in several variants, so that no result cache helps. A maximum price above all cards
 * changes only the request, a minimum price also the result.
 */
function createRequests(
  { queries, keys }: BenchData,
  variants: number,
  vary: (variant: number) => string,
): LoadRequest[] {
  return Array.from({ length: variants }, (_, variant) => variant).flatMap((variant) =>
    queries.map((q, index) => ({
      path: `/v1/search?q=${encodeURIComponent(q)}&sort=price_asc${vary(variant)}`,
      key: keys[(variant * queries.length + index) % keys.length],
    })),
  )
}

const ROUNDS = 3
const SECONDS = 6
/** Multiplied by 15 queries, more than the server's cache holds; they are sent in turn, so the cache never helps. */
const VARIANTS = 200
