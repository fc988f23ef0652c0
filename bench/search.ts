import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import type { Paging } from '#rules/primitives/paging.ts'
import { openDatabase } from '#store/db.ts'
import { type Catalog, openCatalog } from '#store/index.ts'
import type { BenchData } from './data.ts'
import { type LoadRequest, sendLoad } from './load.ts'
import { interleave, middle, ratio, type Sample, spread } from './measure.ts'
import { peerFiles } from './peer-files.ts'
import { requireServer } from './prices.ts'
import { startPeer, startServer, withServers } from './servers.ts'
import { formatShort, percent, perSecond, type Row, times } from './table.ts'

/** Search: in the process, where nothing is cached, and over HTTP with what people type. */
export async function benchSearch(data: BenchData): Promise<Row[]> {
  return [...(await inProcess(data)), ...(await overHttp(data))]
}

/** Rows and exact total of a page in the order of prices, against the join that comes to mind first. */
async function inProcess(data: BenchData): Promise<Row[]> {
  const catalog = openCatalog(data.dataDir, createPictureUrl('http://127.0.0.1'))
  const plain = openPlainJoin(data)
  const rows: Row[] = []
  for (const q of ['dragon', 'of', 'th', 'dark knight']) {
    const rounds = await interleave(ROUNDS, {
      ours: () => spread(100, () => void runSearch(catalog, q)),
      plain: () => spread(q === 'dragon' ? 20 : 5, () => void plain.ask(q)),
    })
    const [p50, p99] = [middle(rounds, 'ours', 'p50') / 1000, middle(rounds, 'ours', 'p99') / 1000]
    const faster = 1 / ratio(rounds, 'p50', 'ours', 'plain')
    rows.push({
      figure: `search "${q}", by price, page 1 (${formatShort(runSearch(catalog, q).total)} hits), in process`,
      ours: `p50 ${formatShort(p50)} ms, p99 ${formatShort(p99)} ms`,
      peer: `FTS5 join p50 ${formatShort(middle(rounds, 'plain', 'p50') / 1000)} ms`,
      toPeer: `${times(faster)} faster`,
      ...(q === 'dragon'
        ? { target: 'p50 6 ms, p99 20 ms, 10x', met: p50 <= 6 && p99 <= 20 && faster >= 10 }
        : {}),
    })
  }
  plain.close()
  catalog.close()
  return rows
}

const PAGE: Paging = { page: 1, per_page: 50, limit: 50, offset: 0 }

/** A page as the search endpoint asks for it, its cache left out. */
function runSearch(catalog: Catalog, q: string): { items: string[]; total: number } {
  const { ids, total, printings } = catalog.search.find({
    q,
    game_id: undefined,
    set_id: undefined,
    rarity: undefined,
    type: undefined,
    min_price: undefined,
    max_price: undefined,
    sort: 'price_asc',
    limit: PAGE.limit,
    offset: PAGE.offset,
  })
  return { items: catalog.cards.listSearchItems(ids, printings).map(({ text }) => text), total }
}

/** Full-text index, cards and prices joined and sorted: ids of the page, and the total. */
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
    ask(q: string): void {
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
  const cold = createRequests(data, VARIANTS)
  const cached = createRequests(data, 1)
  const load = { connections: 4, seconds: SECONDS, folder: data.scratch }
  const rounds = await withServers(
    [startServer(data.dataDir), startPeer(data.catalogFile, peer.words, peer.keys)],
    ([ours, theirs]) =>
      interleave(ROUNDS, {
        cold: () => sendLoad(requireServer(ours), { ...load, requests: cold }),
        cached: () => sendLoad(requireServer(ours), { ...load, requests: cached }),
        peer: () => sendLoad(requireServer(theirs), { ...load, requests: cold }),
      }),
  )
  const row = (subject: string): Sample => ({
    rps: middle(rounds, subject, 'rps'),
    cpu: middle(rounds, subject, 'cpu'),
  })
  const figures = (subject: string) => {
    const { rps = Number.NaN, cpu = Number.NaN } = row(subject)
    return perSecond({ rps, cpu })
  }
  return ['cold', 'cached'].map((subject) => ({
    figure: `search, 15 queries by price, over HTTP, ${subject}`,
    ours: `${figures(subject)}, p99 ${formatShort(middle(rounds, subject, 'p99'))} ms`,
    peer: figures('peer'),
    toPeer: `${times(ratio(rounds, 'rps', subject, 'peer'))}, ${percent(ratio(rounds, 'cpu', subject, 'peer'))} CPU`,
  }))
}

/**
 * Typical search terms in several variants: a price limit that no card reaches changes
 * the request but not the result, so that no cache holds it.
 */
function createRequests({ queries, keys }: BenchData, variants: number): LoadRequest[] {
  return Array.from({ length: variants }, (_, variant) => variant).flatMap((variant) =>
    queries.map((q, index) => {
      const most = variants === 1 ? '' : `&max_price=${900_000 + variant}`
      return {
        path: `/v1/search?q=${encodeURIComponent(q)}&sort=price_asc${most}`,
        key: keys[(variant * queries.length + index) % keys.length],
      }
    }),
  )
}

const ROUNDS = 3
const SECONDS = 6
/** Times 15 queries: more than the server's cache keeps, asked in turn, so that it never helps. */
const VARIANTS = 200
