import { ALTERNATIVES_MAX } from '#rules/matching/alternatives.ts'
import type { Db } from '../db.ts'
import { bytesOf, copyBytes } from '../rows.ts'
import type { CardNamePriceRow } from './schema/matching.ts'
import { openSearchColumns, priceOf, rankOf, type SearchColumns } from './search/search-columns.ts'

/** Number of cards stored with a name: a match and its alternatives. */
export const TOP_CARDS_MAX = 1 + ALTERNATIVES_MAX

/** Prices of the names in the index, by place; cached in memory after the first lookup. */
export type NamePrices = {
  /** Returns the place of the first name. */
  getFirst(): number
  /** Returns the best price rank among the cards of a name; an unknown name comes after all others. */
  getRank(place: number): number
  /** Returns the most expensive cards of a name, at most TOP_CARDS_MAX; none if the name is unknown. */
  listTop(place: number): number[]
  /** Sorts cards by price, the lowest first and unknown ones last; ties by id. */
  sortByPrice(ids: readonly number[]): number[]
  /** Returns what was chosen among the cards of names, until `forget`. */
  getChoices(): Choices
  /** Drops the cached prices of an older catalog. */
  forget(): void
}

/** Ids of cards, by a text that contains the places of their names. */
export type Choices = Pick<Map<string, readonly number[]>, 'get'> & {
  set(key: string, ids: readonly number[]): void
}

export function openNamePrices(db: Db): NamePrices {
  const row = db.prepare<[], CardNamePriceRow>(
    'SELECT first_place, ranks, ends, top_cards FROM card_name_prices',
  )
  const readColumns = openSearchColumns(db)
  let held: Columns | undefined
  // Replaced rather than cleared, so that a choice that was begun with older prices is not kept.
  let choices = createChoices()
  let cards: Pick<SearchColumns, 'cards' | 'prices'> | undefined

  function load(): Columns {
    const found = row.get()
    if (found === undefined) return NO_COLUMNS
    return {
      first: found.first_place,
      ranks: new Uint32Array(copyBytes(found.ranks)),
      ends: new Uint32Array(copyBytes(found.ends)),
      topCards: new Float64Array(copyBytes(found.top_cards)),
    }
  }

  /** An unknown place means that the names were rebuilt, so they are loaded again. Places are never reused. */
  function find(place: number): Columns {
    held ??= load()
    if (!hasPlace(held, place)) held = load()
    return held
  }

  return {
    getFirst: () => {
      held ??= load()
      return held.first
    },
    getRank(place) {
      const { ranks, first } = find(place)
      return ranks[place - first] ?? Number.MAX_SAFE_INTEGER
    },
    listTop(place) {
      const { topCards, ends, first } = find(place)
      const end = ends[place - first] ?? 0
      const cards: number[] = []
      // A view of so few numbers costs more than reading them.
      for (let at = ends[place - first - 1] ?? 0; at < end; at++) cards.push(topCards[at] ?? 0)
      return cards
    },
    sortByPrice(ids) {
      const columns = cards ?? readColumns()
      cards = columns
      const priced = ids.map((id) => ({ id, price: priceOf(id, columns) }))
      return priced.sort((a, b) => a.price - b.price || a.id - b.id).map(({ id }) => id)
    },
    getChoices: () => choices,
    forget() {
      held = undefined
      choices = createChoices()
      cards = undefined
    },
  }
}

function createChoices(): Choices {
  const known = new Map<string, readonly number[]>()
  return {
    get: (key) => known.get(key),
    set(key, ids) {
      if (known.size >= CHOICES_MAX) known.clear()
      known.set(key, ids)
    },
  }
}

/** A choice takes some hundred bytes. Of 120,000 cards, 40,000 share their name with others. */
const CHOICES_MAX = 40_000

/** Writes the prices of all names, within the caller's transaction. */
export function putNamePrices(db: Db, columns: SearchColumns): void {
  // Returns one text, because rows cross the driver value by value.
  const lists = db
    .prepare<[], { first: number | null; text: string }>(
      `SELECT min(place) AS first, '[' || coalesce(group_concat(cards), '') || ']' AS text
         FROM (SELECT place, cards FROM card_names ORDER BY place)`,
    )
    .get()
  const cardsOfNames: number[][] = JSON.parse(lists?.text ?? '[]')
  const best = new Uint32Array(cardsOfNames.length)
  const ends = new Uint32Array(cardsOfNames.length)
  const topCards: number[] = []
  for (const [at, cards] of cardsOfNames.entries()) {
    const count = cards.length
    // Sorts rank and index as one value, so that each rank is looked up once.
    const order = cards.map((id, index) => Math.min(rankOf(id, columns), RANK_MAX) * count + index)
    if (count > 1) order.sort((a, b) => a - b)
    for (let place = 0; place < count && place < TOP_CARDS_MAX; place++) {
      topCards.push(cards[(order[place] ?? 0) % count] ?? 0)
    }
    best[at] = Math.floor((order[0] ?? 0) / count)
    ends[at] = topCards.length
  }
  db.exec('DELETE FROM card_name_prices')
  db.prepare<[number, Uint8Array, Uint8Array, Uint8Array]>(
    'INSERT INTO card_name_prices VALUES (?, ?, ?, ?)',
  ).run(lists?.first ?? 0, bytesOf(best), bytesOf(ends), bytesOf(Float64Array.from(topCards)))
}

type Columns = { first: number; ranks: Uint32Array; ends: Uint32Array; topCards: Float64Array }

const NO_COLUMNS: Columns = {
  first: 0,
  ranks: new Uint32Array(),
  ends: new Uint32Array(),
  topCards: new Float64Array(),
}

function hasPlace({ first, ranks }: Columns, place: number): boolean {
  return place >= first && place < first + ranks.length
}

const RANK_MAX = 0xffff_ffff
