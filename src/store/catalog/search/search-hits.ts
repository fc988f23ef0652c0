import type { Db } from '../../db.ts'
import type { RowWindow } from '../../rows.ts'
import type { SearchRankRow } from '../schema.ts'

/** Ranks from the most expensive card to the cheapest, both inclusive. */
export type RankRange = { first: number; last: number }

export const ALL_RANKS: RankRange = { first: 1, last: Number.MAX_SAFE_INTEGER }

// The driver binds every number as a REAL. FTS5 seeks to the beginning and stops at the end of a
// range only for integers.
const WITHIN = 'BETWEEN CAST(+? AS INTEGER) AND CAST(+? AS INTEGER)'

type Row = Pick<SearchRankRow, 'card_id' | 'market_price'>

/** Hits of a full-text match: their number, and card ids page by page. */
export type SearchHits = {
  /** Returns true if any card matches. */
  exists(match: string): boolean
  /** Counts the matching cards within a range of ranks. */
  count(match: string, range: RankRange): number
  /** Lists by price from the highest, then cards without a price; ties by id. */
  listByPriceDesc(match: string, range: RankRange, window: RowWindow): number[]
  /** Lists by price from the lowest, then cards without a price; ties by id. */
  listByPriceAsc(match: string, range: RankRange, window: RowWindow): number[]
  /** Lists by name, ties by id. */
  listByName(match: string, range: RankRange, window: RowWindow): number[]
}

export function openSearchHits(db: Db): SearchHits {
  const any = db
    .prepare<[string], number>('SELECT 1 FROM card_search WHERE card_search MATCH ? LIMIT 1')
    .pluck()
  const countAll = db
    .prepare<[string], number>('SELECT count(*) FROM card_search WHERE card_search MATCH ?')
    .pluck()
  const countIn = db
    .prepare<[string, number, number], number>(
      `SELECT count(*) FROM card_search WHERE card_search MATCH ? AND rowid ${WITHIN}`,
    )
    .pluck()
  const down = db.prepare<PageParameters, number>(pageSql('card_id', 'rowid')).pluck()
  const up = db.prepare<PageParameters, Row>(pageSql('card_id, market_price', 'rowid DESC'))
  const named = db
    .prepare<PageParameters, number>(
      `SELECT card_id FROM card_search
        CROSS JOIN search_ranks ON search_ranks.rank = card_search.rowid
        WHERE card_search MATCH +? AND card_search.rowid ${WITHIN}
        ORDER BY name_rank LIMIT +? OFFSET +?`,
    )
    .pluck()
  const ranksAt = db.prepare<[number], RankRange>(
    'SELECT first_rank AS first, last_rank AS last FROM search_prices WHERE market_price = ?',
  )
  const lastPriced = db
    .prepare<[], number>('SELECT last_rank FROM search_prices ORDER BY market_price LIMIT 1')
    .pluck()

  return {
    exists: (match) => any.get(match) !== undefined,
    count,
    listByPriceDesc: (match, { first, last }, { limit, offset }) =>
      down.all(match, first, last, limit, offset),
    listByPriceAsc(match, ranks, window) {
      const end = lastPriced.get() ?? 0
      const priced = { first: ranks.first, last: Math.min(ranks.last, end) }
      const ids = cheapestPriced(match, priced, window)
      if (ids.length === window.limit || ranks.last <= end) return ids
      const before = ids.length > 0 ? window.offset + ids.length : count(match, priced)
      const offset = Math.max(0, window.offset - before)
      return [...ids, ...down.all(match, end + 1, ranks.last, window.limit - ids.length, offset)]
    },
    listByName: (match, { first, last }, { limit, offset }) =>
      named.all(match, first, last, limit, offset),
  }

  function count(match: string, range: RankRange): number {
    if (range === ALL_RANKS) return countAll.get(match) ?? 0
    return countIn.get(match, range.first, range.last) ?? 0
  }

  /**
   * Reads the ranks upwards, which gives ascending prices but descending ids within equal prices.
   * Each group of equal prices is therefore reversed; groups that may be cut by the edges of the
   * page are read again.
   */
  function cheapestPriced(
    match: string,
    { first, last }: RankRange,
    { limit, offset }: RowWindow,
  ): number[] {
    const groups = groupByPrice(up.all(match, first, last, limit, offset))
    return groups.flatMap((group, at) => {
      const price = group[0]?.market_price
      const isWhole = at > 0 && at < groups.length - 1
      const ranks = isWhole || price == null ? undefined : ranksAt.get(price)
      if (ranks === undefined) return group.map(({ card_id }) => card_id).reverse()
      const cheaper = { first: ranks.last + 1, last }
      const skip = at > 0 || offset === 0 ? 0 : offset - count(match, cheaper)
      return down.all(match, ranks.first, ranks.last, group.length, skip)
    })
  }
}

type PageParameters = [match: string, first: number, last: number, limit: number, offset: number]

// Selects the page before the join, so that skipped rows are not looked up.
function pageSql(columns: string, order: string): string {
  return `SELECT ${columns}
         FROM (SELECT rowid FROM card_search WHERE card_search MATCH +? AND rowid ${WITHIN}
                ORDER BY ${order} LIMIT +? OFFSET +?) AS hit
        CROSS JOIN search_ranks ON search_ranks.rank = hit.rowid
        ORDER BY hit.${order}`
}

/** Groups adjacent rows of equal price. */
function groupByPrice(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = []
  for (const row of rows) {
    const group = groups.at(-1)
    if (group?.[0]?.market_price === row.market_price) group?.push(row)
    else groups.push([row])
  }
  return groups
}
