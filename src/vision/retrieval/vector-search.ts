import { readFileSync } from 'node:fs'
import {
  BLOCK_ROWS,
  createVectorStore,
  LANES,
  type RowRange,
  squaredLength,
  VECTOR_LENGTH,
} from './vector-store.ts'

/** A card near to what was asked. */
export type VectorHit = {
  card_id: number
  /** -1 to 1. */
  cosine: number
  /** Which of the vectors asked it is nearest to. */
  queryIndex: number
}

export type VectorSearchOptions = {
  /** Cards of this game alone; undefined: of all. */
  gameId: number | undefined
  limit: number
}

/**
 * The catalog's pictures as vectors, and the cards nearest to a photo's: every vector is compared, so
 * the answer is exact. 500,000 of them take 74 MB, and some 7 ms where memory gives 10 GB a second.
 */
export function createVectorSearch() {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES })
  const rows = createVectorStore(memory, ROWS_AT)
  const scan = openScan(memory)

  /** Compares a stretch with one query, and takes what belongs among its best. */
  function look({ first, vectors, squares, count }: RowRange, query: Query): void {
    const groups = Math.ceil(count / LANES)
    const hits = scan(query.at, vectors, squares, groups, leastOf(query), HITS_AT)
    const words = new Int32Array(memory.buffer, HITS_AT, hits * HIT_WORDS)
    for (let hit = 0; hit < words.length; hit += HIT_WORDS) {
      for (let lane = 0; lane < LANES; lane++) {
        const row = first + (words[hit] ?? 0) * LANES + lane
        const dot = words[hit + 1 + lane] ?? 0
        const cosine = dot / Math.sqrt(rows.square(row) * query.square)
        // NaN where the row holds nothing.
        if (cosine >= worstOf(query)) {
          insert(query, { card_id: rows.cardOf(row), cosine, queryIndex: query.asked })
        }
      }
    }
  }

  return {
    put: rows.put,
    remove: rows.remove,
    count: rows.count,
    /** Bytes that the vectors take, room to grow included. */
    size: () => memory.buffer.byteLength,
    /**
     * The cards nearest to any of the vectors: the nearest first, then by id. At most eight vectors.
     */
    search(vectors: readonly Int8Array[], { gameId, limit }: VectorSearchOptions): VectorHit[] {
      const queries = vectors.map((vector, asked) => openQuery(memory, vector, asked, limit))
      for (const rowRange of rows.ranges(gameId)) {
        // The second query finds the stretch in the processor's cache.
        for (const query of queries) look(rowRange, query)
      }
      return merge(queries).slice(0, limit)
    },
  }
}

export type VectorSearch = ReturnType<typeof createVectorSearch>

/** One vector that is asked for, and the best that was found so far. */
type Query = { asked: number; at: number; square: number; limit: number; best: VectorHit[] }

// What stands in memory before the rows: queries of 128 16-bit numbers, then the hits of one stretch.
const QUERIES_MOST = 8
const QUERY_BYTES = VECTOR_LENGTH * 2
const HIT_WORDS = 1 + LANES
const HITS_AT = QUERIES_MOST * QUERY_BYTES
const ROWS_AT = HITS_AT + (BLOCK_ROWS / LANES) * HIT_WORDS * 4
/** 1 GiB: some seven million cards. */
const MOST_PAGES = 16_384

type Scan = (
  query: number,
  vectors: number,
  squares: number,
  groups: number,
  least: number,
  hits: number,
) => number

function openScan(memory: WebAssembly.Memory): Scan {
  const program = readFileSync(new URL('./int8-search.wasm', import.meta.url))
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program), {
    search: { memory },
  })
  // The source says so: int8-search.wat.
  return exports.scan as Scan
}

function openQuery(
  memory: WebAssembly.Memory,
  vector: Int8Array,
  asked: number,
  limit: number,
): Query {
  if (asked >= QUERIES_MOST) throw new RangeError(`at most ${QUERIES_MOST} vectors are searched`)
  const at = asked * QUERY_BYTES
  new Int16Array(memory.buffer, at, VECTOR_LENGTH).set(vector)
  return { asked, at, square: squaredLength(vector), limit, best: [] }
}

function worstOf({ best, limit }: Query): number {
  return best.length < limit ? Number.NEGATIVE_INFINITY : (best[limit - 1]?.cosine ?? 1)
}

/**
 * What a row must reach to be looked at exactly. The scan works with 24 bits, so it is asked for a
 * millionth more than needed: what it lets through is decided here.
 */
function leastOf(query: Query): number {
  const least = worstOf(query) * Math.sqrt(query.square)
  return least - Math.abs(least) * 1e-6
}

/** Puts a card in its place among the best, and drops the last where there are too many. */
function insert({ best, limit }: Query, vectorHit: VectorHit): void {
  let place = best.length
  while (place > 0 && compare(best[place - 1], vectorHit) > 0) place--
  best.splice(place, 0, vectorHit)
  if (best.length > limit) best.pop()
}

function compare(one: VectorHit | undefined, other: VectorHit): number {
  return one === undefined ? -1 : other.cosine - one.cosine || one.card_id - other.card_id
}

/** The best of several queries, each card once. */
function merge(queries: readonly Query[]): VectorHit[] {
  const all = queries.flatMap(({ best }) => best).sort(compare)
  const seen = new Set<number>()
  return all.filter(({ card_id }) => !seen.has(card_id) && seen.add(card_id))
}
