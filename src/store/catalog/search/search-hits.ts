import { LRUCache } from 'lru-cache'
import {
  countBetween,
  type DocumentRange,
  type DocumentSet,
  findLast,
  fromAscending,
  fromNumbers,
  listBetween,
  renumber,
} from '#rules/search/document-sets.ts'
import type { Match } from '#rules/search/match-expressions.ts'
import type { Db } from '../../db.ts'
import type { RowWindow } from '../../rows.ts'
import { placesOf, remember, type SearchColumns } from './search-columns.ts'
import type { SearchOrder } from './sorts.ts'

/** Ranks from the most expensive card to the cheapest, both inclusive. */
export type RankRange = { first: number; last: number }

export const ALL_RANKS: RankRange = { first: 1, last: Number.MAX_SAFE_INTEGER }

/** Cards that match an expression. */
export type SearchMatches = {
  exists(match: Match): boolean
  /** Returns the places of the cards in `SearchColumns`. */
  find(match: Match): DocumentSet
}

/** Hits of a full-text match: their number, and card ids page by page. */
export type SearchHits = {
  /** Returns true if any card matches. */
  exists(match: Match): boolean
  /** Counts the matching cards within a range of ranks. */
  count(match: Match, range: RankRange): number
  /** Lists by price from the highest, then cards without a price; ties by id. */
  listByPriceDesc(match: Match, range: RankRange, window: RowWindow): number[]
  /** Lists by price from the lowest, then cards without a price; ties by id. */
  listByPriceAsc(match: Match, range: RankRange, window: RowWindow): number[]
  /** Lists in an order other than that of prices, ties by id. */
  listInOrder(order: SearchOrder, match: Match, range: RankRange, window: RowWindow): number[]
  /** Returns the ranks of prices in cents, both inclusive; undefined if no card has such a price. */
  findRanks(min: number, max: number): RankRange | undefined
}

/** Opens the hits of one version of the catalog. */
export function openSearchHits(columns: SearchColumns, matches: SearchMatches): SearchHits {
  const { cards, prices, ranks, getOrder } = columns
  const placeOfRank = invert(ranks)
  const placesInOrder = remember((order) => invert(getOrder(order)))
  const priceOf = (rank: number) => prices[placeOfRank[rank] ?? 0] ?? -1
  const lastPriced = firstRankBelow(0) - 1
  // `matches` caches the sets of the last queries.
  const ranked = new WeakMap<DocumentSet, DocumentSet>()

  const toCards = (found: readonly number[]) =>
    found.map((rank) => cards[placeOfRank[rank] ?? 0] ?? 0)

  return {
    exists: (match) => matches.exists(match),
    count: (match, range) =>
      range === ALL_RANKS ? matches.find(match).count : countBetween(rank(match), range),
    listByPriceDesc: (match, range, window) => toCards(listBetween(rank(match), range, window)),
    listByPriceAsc(match, { first, last }, { limit, offset }) {
      const set = rank(match)
      const priced = { first, last: Math.min(last, lastPriced) }
      const cheapest = listCheapest(set, priced, { limit, offset })
      const rest = { first: Math.max(first, lastPriced + 1), last }
      const window = {
        limit: limit - cheapest.length,
        offset: Math.max(0, offset - countBetween(set, priced)),
      }
      return toCards([...cheapest, ...listBetween(set, rest, window)])
    },
    listInOrder(order, match, range, window) {
      const [numbers, places] = [getOrder(order), placesInOrder(order)]
      const found = listBetween(rank(match), range, EVERYTHING)
      const own = Uint32Array.from(found, (one) => numbers[placeOfRank[one] ?? 0] ?? 0)
      const sorted = listBetween(fromNumbers(own, numbers.length + 1), ALL_RANKS, window)
      return sorted.map((number) => cards[places[number] ?? 0] ?? 0)
    },
    findRanks(min, max) {
      const range = { first: firstRankBelow(max + 1), last: firstRankBelow(Math.max(0, min)) - 1 }
      return range.first > range.last ? undefined : range
    },
  }

  function rank(match: Match): DocumentSet {
    const set = matches.find(match)
    const found = ranked.get(set) ?? renumber(set, ranks, ranks.length + 1)
    ranked.set(set, found)
    return found
  }

  /** Reads priced ranks from the end, and each group of equal prices forwards. */
  function listCheapest(
    set: DocumentSet,
    { first, last }: DocumentRange,
    { limit, offset }: RowWindow,
  ): number[] {
    const found: number[] = []
    let skip = offset
    for (let end = findLast(set, last); end !== undefined && end >= first; ) {
      if (found.length >= limit) break
      const group = { first: Math.max(first, firstRankBelow(priceOf(end) + 1)), last: end }
      const page = listBetween(set, group, { limit: limit - found.length, offset: skip })
      found.push(...page)
      if (skip > 0) skip = page.length > 0 ? 0 : skip - countBetween(set, group)
      end = findLast(set, group.first - 1)
    }
    return found
  }

  /** Returns the first rank with a lower price, by binary search in descending prices. */
  function firstRankBelow(price: number): number {
    let [low, high] = [1, ranks.length + 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (priceOf(middle) < price) high = middle
      else low = middle + 1
    }
    return low
  }
}

const EVERYTHING: RowWindow = { limit: Number.POSITIVE_INFINITY, offset: 0 }

/** Returns the places of the numbers from 1. */
function invert(numbers: Uint32Array): Uint32Array {
  const places = new Uint32Array(numbers.length + 1)
  for (let place = 0; place < numbers.length; place++) places[numbers[place] ?? 0] = place
  return places
}

/**
 * Returns a function that opens the matches of one version of the catalog in FTS5, used while the index is not in
 * memory.
 */
export function openStoredMatches(db: Db): (cards: Float64Array) => SearchMatches {
  const any = db
    .prepare<[string], number>('SELECT 1 FROM card_search WHERE card_search MATCH ? LIMIT 1')
    .pluck()
  // Returns one JSON text, because rows cross the driver one by one.
  const ids = db
    .prepare<[string], string>(
      'SELECT json_group_array(rowid) FROM card_search WHERE card_search MATCH ?',
    )
    .pluck()

  return (cards) => {
    const known = new LRUCache<string, DocumentSet>({ max: KNOWN_MAX })
    return {
      exists: (match) => {
        const set = known.get(match.source)
        return set === undefined ? any.get(match.source) !== undefined : set.count > 0
      },
      find({ source }) {
        const found = known.get(source)
        if (found !== undefined) return found
        const places = placesOf(JSON.parse(ids.get(source) ?? '[]'), cards)
        const set = fromAscending(places, cards.length)
        known.set(source, set)
        return set
      },
    }
  }
}

/** Number of cached expressions: a query counts and lists the same few. */
const KNOWN_MAX = 20
