import type { Db } from '../db.ts'

/** From the rank of the dearest card to that of the cheapest, both inclusive. */
export type RankRange = { first: number; last: number }

export type HitWindow = { limit: number; offset: number }

export const ALL_RANKS: RankRange = { first: 1, last: Number.MAX_SAFE_INTEGER }

// The driver binds every number as a real one, and FTS5 skips to the beginning of a range, or leaves
// off at its end, only where that is an integer.
const WITHIN = 'BETWEEN CAST(+? AS INTEGER) AND CAST(+? AS INTEGER)'

type Row = { card_id: number; market_price: number | null }

/** The hits of a full-text match: how many, and those of a page, as card ids in order. */
export function openSearchHits(db: Db) {
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
  const down = pageIn<number>('card_id', 'rowid').pluck()
  const up = pageIn<Row>('card_id, market_price', 'rowid DESC')
  const named = db
    .prepare<[string, number, number, number, number], number>(
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
    exists: (match: string): boolean => any.get(match) !== undefined,
    count,
    /** By price from the highest, then those without one, ties by id: as they are ranked. */
    listByPriceDesc: (
      match: string,
      { first, last }: RankRange,
      { limit, offset }: HitWindow,
    ): number[] => down.all(match, first, last, limit, offset),
    /** By price from the lowest, then those without one, ties by id. */
    listByPriceAsc(match: string, rankRange: RankRange, hitWindow: HitWindow): number[] {
      const end = lastPriced.get() ?? 0
      const priced = { first: rankRange.first, last: Math.min(rankRange.last, end) }
      const ids = cheapestPriced(match, priced, hitWindow)
      if (ids.length === hitWindow.limit || rankRange.last <= end) return ids
      const before = ids.length > 0 ? hitWindow.offset + ids.length : count(match, priced)
      const offset = Math.max(0, hitWindow.offset - before)
      return [
        ...ids,
        ...down.all(match, end + 1, rankRange.last, hitWindow.limit - ids.length, offset),
      ]
    },
    /** By name, ties by id. */
    listByName: (
      match: string,
      { first, last }: RankRange,
      { limit, offset }: HitWindow,
    ): number[] => named.all(match, first, last, limit, offset),
  }

  // The page is cut before the join, so that what it skips is not looked up.
  function pageIn<T>(columns: string, order: string) {
    return db.prepare<[string, number, number, number, number], T>(
      `SELECT ${columns}
         FROM (SELECT rowid FROM card_search WHERE card_search MATCH +? AND rowid ${WITHIN}
                ORDER BY ${order} LIMIT +? OFFSET +?) AS hit
        CROSS JOIN search_ranks ON search_ranks.rank = hit.rowid
        ORDER BY hit.${order}`,
    )
  }

  function count(match: string, range: RankRange): number {
    if (range === ALL_RANKS) return countAll.get(match) ?? 0
    return countIn.get(match, range.first, range.last) ?? 0
  }

  /**
   * Read upwards, the ranks give the prices in order, but of equal prices the highest id first. So
   * each group of equals is turned round; those that the page's edges may cut are read anew.
   */
  function cheapestPriced(
    match: string,
    { first, last }: RankRange,
    { limit, offset }: HitWindow,
  ): number[] {
    const groups = groupsOf(up.all(match, first, last, limit, offset))
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

/** Neighbours of one price together. */
function groupsOf(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = []
  for (const row of rows) {
    const group = groups.at(-1)
    if (group?.[0]?.market_price === row.market_price) group?.push(row)
    else groups.push([row])
  }
  return groups
}
