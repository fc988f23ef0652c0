import { fromAscending, listBetween } from '#rules/search/document-sets.ts'
import type { Match } from '#rules/search/match-expressions.ts'
import { findRequestedPrinting, type PrintingWords } from '#rules/search/requested-printing.ts'
import type { Db } from '../../db.ts'
import type { PriceRow } from '../schema/pricing.ts'
import {
  placesOf,
  ranksByHighest,
  rateRise,
  remember,
  reverseRises,
  type SearchColumns,
} from './search-columns.ts'
import { ALL_RANKS, openSearchHits, type SearchHits, type SearchMatches } from './search-hits.ts'
import type { SearchOrder } from './sorts.ts'

type Printed = { ids: number[]; prices: (number | null)[]; bases: (number | null)[] }

/** Opens hits among the cards of a match that have a printing, with its prices and changes. */
export type PrintingHits = (
  printing: string,
  match: Match,
  catalog: { columns: SearchColumns; matches: SearchMatches },
) => SearchHits

/** Reads and ranks the cards of the match that have the printing: a thousand of them take a millisecond. */
export function openPrintingHits(db: Db): PrintingHits {
  // Returns one JSON text per column, because rows cross the driver value by value.
  const read = db
    .prepare<[string, string], [ids: string, prices: string, bases: string]>(
      `SELECT json_group_array(card_id), json_group_array(market_price), json_group_array(base_7d)
         FROM (SELECT card_id, market_price, base_7d FROM json_each(+?) AS wanted
                CROSS JOIN prices ON card_id = wanted.value
                  AND printing_id = (SELECT id FROM printings WHERE name = +?))`,
    )
    .raw()

  function readPrinted(ids: readonly number[], printing: string): Printed {
    const [found = '[]', prices = '[]', bases = '[]'] =
      read.get(JSON.stringify(ids), printing) ?? []
    return { ids: JSON.parse(found), prices: JSON.parse(prices), bases: JSON.parse(bases) }
  }

  return (printing, match, { columns, matches }) => {
    const printed = readPrinted(listCards(matches, match, columns.cards), printing)
    const own = selectColumns(printed, columns)
    return openSearchHits(own, openMatchesAmong(own.cards, matches, columns.cards))
  }
}

/** Lists the ids of the cards of a match, ascending. */
function listCards(matches: SearchMatches, match: Match, cards: Float64Array): number[] {
  const places = listBetween(matches.find(match), ALL_PLACES, EVERYTHING)
  return places.map((place) => cards[place] ?? 0)
}

const ALL_PLACES = { ...ALL_RANKS, first: 0 }
const EVERYTHING = { limit: Number.POSITIVE_INFINITY, offset: 0 }

function selectColumns({ ids, ...read }: Printed, all: SearchColumns): SearchColumns {
  const cards = Float64Array.from(ids)
  const prices = Float64Array.from(read.prices, (price) => price ?? -1)
  const rises = () => Float64Array.from(ids, (_, at) => rateRise(price(at), read.bases[at] ?? null))
  const price = (at: number) => read.prices[at] ?? null
  const places = placesOf(ids, all.cards)
  /** Changes are those of the printing; other orders are the same as for all cards. */
  function rank(order: SearchOrder): Uint32Array {
    if (order === 'rise') return ranksByHighest(rises())
    if (order === 'fall') return ranksByHighest(reverseRises(rises()))
    return ranksAmong(all.getOrder(order), places)
  }
  return { cards, prices, ranks: ranksByHighest(prices), getOrder: remember(rank) }
}

/** Returns the ranks of some cards among themselves, from 1. */
function ranksAmong(ranks: Uint32Array, places: Uint32Array): Uint32Array {
  const own = Float64Array.from(places, (place) => ranks[place] ?? 0)
  const last = ranks.length
  return ranksByHighest(own.map((rank) => last - rank))
}

/** Opens the matches of a catalog among some of its cards. */
function openMatchesAmong(
  own: Float64Array,
  matches: SearchMatches,
  cards: Float64Array,
): SearchMatches {
  const known = new Map<string, ReturnType<SearchMatches['find']>>()
  function find(match: Match) {
    const found = known.get(match.source)
    if (found !== undefined) return found
    const set = fromAscending(placesOf(listCards(matches, match, cards), own), own.length)
    known.set(match.source, set)
    return set
  }
  return { find, exists: (match) => find(match).count > 0 }
}

type PrintingOrderInput = {
  words: PrintingWords
  /** Cents, both inclusive. */
  min_price: number | undefined
  max_price: number | undefined
  /** Undefined to keep the order. */
  sort: 'price_asc' | 'price_desc' | undefined
}

/** Filters and sorts cards by the price of the printing named in a query. */
export type PrintingOrder = {
  /** Returns the ids in order. A card without that printing uses its base printing. */
  select(ids: readonly number[], input: PrintingOrderInput): number[]
}

type PrintingPrice = Pick<PriceRow, 'card_id' | 'market_price' | 'is_base_printing'> & {
  printing: string
}

export function openPrintingOrder(db: Db): PrintingOrder {
  const prices = db.prepare<[string], PrintingPrice>(
    `SELECT card_id, market_price, is_base_printing, name AS printing
       FROM json_each(+?) AS wanted
       CROSS JOIN prices ON card_id = wanted.value
       JOIN printings ON printings.id = printing_id
      ORDER BY card_id, is_base_printing DESC, printing_id`,
  )
  return {
    select(ids, { words, min_price, max_price, sort }) {
      const byCard = Map.groupBy(prices.all(JSON.stringify(ids)), ({ card_id }) => card_id)
      const cards = ids.map((id) => {
        const own = byCard.get(id) ?? []
        const row =
          findRequestedPrinting(own, words) ?? own.find((one) => one.is_base_printing === 1)
        return { id, price: row?.market_price ?? null }
      })
      const isFiltered = min_price !== undefined || max_price !== undefined
      const kept = cards.filter(({ price }) => !isFiltered || isWithin(price, min_price, max_price))
      if (sort !== undefined) kept.sort((a, b) => compare(a, b, sort === 'price_asc' ? 1 : -1))
      return kept.map(({ id }) => id)
    },
  }
}

type Priced = { id: number; price: number | null }

function isWithin(price: number | null, min = 0, max = Number.POSITIVE_INFINITY): boolean {
  return price !== null && price >= min && price <= max
}

/** Compares prices in a direction; unknown ones come last, and ties are sorted by id. */
function compare(a: Priced, b: Priced, direction: 1 | -1): number {
  if (a.price === null || b.price === null) {
    return Number(a.price === null) - Number(b.price === null) || a.id - b.id
  }
  return (a.price - b.price) * direction || a.id - b.id
}
