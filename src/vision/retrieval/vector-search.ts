import { readFileSync } from 'node:fs'
import {
  BLOCK_ROWS,
  createVectorStore,
  LANES,
  type RowRange,
  squaredLength,
  VECTOR_LENGTH,
  type VectorStore,
} from './vector-store.ts'

/** A card near to one of the query vectors. */
export type VectorHit = {
  card_id: number
  /** -1 to 1. */
  cosine: number
  /** Index of the nearest query vector. */
  queryIndex: number
  /** Index of the reference by which a card without a catalog picture was found (learned-search.ts). */
  reference?: number
}

export type VectorSearchOptions = {
  /** Restricts the search to a game; undefined searches all. */
  gameId: number | undefined
  limit: number
}

/** Exact nearest-neighbor search over the vectors of the catalog pictures. */
export type VectorSearch = Pick<VectorStore, 'put' | 'remove' | 'has' | 'count'> & {
  /** Returns the allocated memory, in bytes. */
  size(): number
  /** Returns the cards nearest to any of at most eight vectors, by cosine, then by id. */
  search(vectors: readonly Int8Array[], options: VectorSearchOptions): VectorHit[]
}

/** Creates an empty index. 500,000 vectors take 74 MB, and a search about 7 ms at 10 GB/s memory bandwidth. */
export function createVectorSearch(): VectorSearch {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES_MAX })
  const rows = createVectorStore(memory, ROWS_AT)
  const scan = loadScan(memory)

  /** Compares a range of rows with one query, and inserts its best hits. */
  function scanRange({ first, vectors, squares, count }: RowRange, query: Query): void {
    const groups = Math.ceil(count / LANES)
    const hits = scan(query.offset, vectors, squares, groups, scanThreshold(query), HITS_AT)
    const words = new Int32Array(memory.buffer, HITS_AT, hits * HIT_WORDS)
    for (let hit = 0; hit < words.length; hit += HIT_WORDS) {
      for (let lane = 0; lane < LANES; lane++) {
        const row = first + (words[hit] ?? 0) * LANES + lane
        const dot = words[hit + 1 + lane] ?? 0
        const cosine = dot / Math.sqrt(rows.square(row) * query.square)
        // NaN if the row is empty.
        if (cosine >= worstCosine(query)) {
          insert(query, { card_id: rows.cardOf(row), cosine, queryIndex: query.index })
        }
      }
    }
  }

  return {
    put: rows.put,
    remove: rows.remove,
    has: rows.has,
    count: rows.count,
    size: () => memory.buffer.byteLength,
    search(vectors, { gameId, limit }) {
      const queries = vectors.map((vector, index) => createQuery(memory, vector, index, limit))
      for (const range of rows.ranges(gameId)) {
        // The second query reads the range from the CPU cache.
        for (const query of queries) scanRange(range, query)
      }
      return merge(queries).slice(0, limit)
    },
  }
}

/** A query vector with the best hits so far. */
type Query = { index: number; offset: number; square: number; limit: number; best: VectorHit[] }

// Memory before the rows: queries of 128 16-bit numbers, then the hits of one range.
const QUERIES_MAX = 8
const QUERY_BYTES = VECTOR_LENGTH * 2
const HIT_WORDS = 1 + LANES
const HITS_AT = QUERIES_MAX * QUERY_BYTES
const ROWS_AT = HITS_AT + (BLOCK_ROWS / LANES) * HIT_WORDS * 4
/** 1 GiB: about seven million cards. */
const PAGES_MAX = 16_384

type Scan = (
  query: number,
  vectors: number,
  squares: number,
  groups: number,
  least: number,
  hits: number,
) => number

function loadScan(memory: WebAssembly.Memory): Scan {
  const program = readFileSync(new URL('./int8-search.wasm', import.meta.url))
  const compiled = new WebAssembly.Module(program)
  const { exports } = new WebAssembly.Instance(compiled, { search: { memory } })
  // See int8-search.wat.
  return exports.scan as Scan
}

function createQuery(
  memory: WebAssembly.Memory,
  vector: Int8Array,
  index: number,
  limit: number,
): Query {
  if (index >= QUERIES_MAX) throw new RangeError(`at most ${QUERIES_MAX} vectors can be searched`)
  const offset = index * QUERY_BYTES
  new Int16Array(memory.buffer, offset, VECTOR_LENGTH).set(vector)
  return { index, offset, square: squaredLength(vector), limit, best: [] }
}

function worstCosine({ best, limit }: Query): number {
  return best.length < limit ? Number.NEGATIVE_INFINITY : (best[limit - 1]?.cosine ?? 1)
}

/**
 * Returns the threshold of the scan. The scan has a precision of 24 bits, so the threshold is lowered by a
 * millionth; hits are then compared exactly.
 */
function scanThreshold(query: Query): number {
  const least = worstCosine(query) * Math.sqrt(query.square)
  return least - Math.abs(least) * 1e-6
}

/** Inserts a hit in order, and drops the last one if there are too many. */
function insert({ best, limit }: Query, hit: VectorHit): void {
  let index = best.length
  while (index > 0 && compare(best[index - 1], hit) > 0) index--
  best.splice(index, 0, hit)
  if (best.length > limit) best.pop()
}

function compare(one: VectorHit | undefined, other: VectorHit): number {
  return one === undefined ? -1 : other.cosine - one.cosine || one.card_id - other.card_id
}

/** Merges the hits of several queries, each card once. */
function merge(queries: readonly Query[]): VectorHit[] {
  const all = queries.flatMap(({ best }) => best).sort(compare)
  const seen = new Set<number>()
  return all.filter(({ card_id }) => !seen.has(card_id) && seen.add(card_id))
}
