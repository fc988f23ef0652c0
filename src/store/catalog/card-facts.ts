import { LRUCache } from 'lru-cache'
import type { PriceFacts } from '#rules/pricing/confidence.ts'
import { dayOfSeconds } from '#rules/primitives/days.ts'
import type { Db } from '../db.ts'
import type { CardRow } from './schema/catalog.ts'

/** Facts that distinguish a card from others with the same name. */
export type CardFacts = Pick<CardRow, 'id' | 'name' | 'number' | 'rarity' | 'set_id'> & {
  set_name: string
  set_slug: string
  set_code: string | null
  game_slug: string
  release_date: string | null
  /** Highest market price in cents. */
  price: number | null
  printings: readonly string[]
  /** The mirror's facts about the price; undefined without one. */
  price_facts: PriceFacts | undefined
}

/** A card and its full name. */
export type CardName = Pick<CardRow, 'id' | 'name'>

/** Price of a card: that of its base printing. */
export const BASE_PRICE =
  '(SELECT market_price FROM prices WHERE card_id = cards.id AND is_base_printing = 1)'

/** Facts about cards, cached until the next publication. */
export type CardFactReader = {
  /** Returns the facts about these cards, most expensive first. */
  get(ids: readonly number[]): CardFacts[]
  /** Drops the cached facts of an older catalog. */
  forget(): void
}

export function openCardFacts(db: Db): CardFactReader {
  // Returns one JSON text, because rows cross the driver value by value: 2 µs a card instead of 6.
  const facts = db
    .prepare<[string], string>(
      `SELECT json_group_array(json_array(cards.id, cards.name, number, rarity, set_id,
                (SELECT group_concat(printing_id) FROM prices WHERE card_id = cards.id),
                market_price, low_price, median_price, base_24h, base_7d, base_30d, market_since,
                changed_at))
         FROM json_each(+?) AS wanted
         CROSS JOIN cards ON cards.id = wanted.value
         LEFT JOIN prices ON card_id = cards.id AND is_base_printing = 1`,
    )
    .pluck()
  const setOf = db.prepare<[number], SetFacts>(
    `SELECT sets.name AS set_name, sets.slug AS set_slug, sets.abbreviation AS set_code,
            games.slug AS game_slug, release_date, priced_at
       FROM sets JOIN games ON games.id = sets.game_id WHERE sets.id = +?`,
  )
  const printingOf = db
    .prepare<[number], string>('SELECT name FROM printings WHERE id = +?')
    .pluck()
  const known = new LRUCache<number, CardFacts>({ max: CACHED_CARDS_MAX })
  const sets = new Map<number, SetFacts | undefined>()
  const printings = new Map<string, readonly string[]>()

  function getSet(id: number): SetFacts | undefined {
    if (!sets.has(id)) sets.set(id, setOf.get(id))
    return sets.get(id)
  }

  /** Returns one list for all cards with the same printings, so that what depends on them is computed once. */
  function getPrintings(ids: string): readonly string[] {
    const names = printings.get(ids) ?? ids.split(',').map((id) => printingOf.get(Number(id)) ?? '')
    printings.set(ids, names)
    return names
  }

  function read(ids: readonly number[], found: CardFacts[]): void {
    const rows: StoredFacts[] = JSON.parse(facts.get(JSON.stringify(ids)) ?? '[]')
    for (const [id, name, number, rarity, set_id, printingIds, ...price] of rows) {
      const set = getSet(set_id)
      if (set === undefined) continue
      const { set_name, set_slug, set_code, game_slug, release_date, priced_at } = set
      const card: CardFacts = {
        id,
        name,
        number,
        rarity,
        set_id,
        set_name,
        set_slug,
        set_code,
        game_slug,
        release_date,
        price: price[0],
        printings: printingIds === null ? [] : getPrintings(printingIds),
        price_facts: price[0] === null ? undefined : toPriceFacts(price, dayOfSeconds(priced_at)),
      }
      known.set(id, card)
      found.push(card)
    }
  }

  return {
    get(ids) {
      const found: CardFacts[] = []
      const unknown: number[] = []
      for (const id of ids) {
        const card = known.get(id)
        if (card === undefined) unknown.push(id)
        else found.push(card)
      }
      if (unknown.length > 0) read(unknown, found)
      return found.length > 1 ? found.sort(byPrice) : found
    },
    forget() {
      known.clear()
      sets.clear()
      printings.clear()
    },
  }
}

type SetFacts = Pick<
  CardFacts,
  'set_name' | 'set_slug' | 'set_code' | 'game_slug' | 'release_date'
> & { priced_at: number }

type StoredFacts = [
  id: number,
  name: string,
  number: string | null,
  rarity: string | null,
  set_id: number,
  printings: string | null,
  ...price: StoredPrice,
]

/** Prices in cents; all columns are null for a card without prices. */
type StoredPrice = [
  market: number | null,
  low: number | null,
  median: number | null,
  base_24h: number | null,
  base_7d: number | null,
  base_30d: number | null,
  market_since: number | null,
  changed_at: number | null,
]

/** Returns the facts about a price that a set published on a day. */
function toPriceFacts(
  [market_price, low_price, median_price, day, week, month, since, changed_at]: StoredPrice,
  published_day: number,
): PriceFacts {
  const unchangedSince = since ?? dayOfSeconds(changed_at ?? 0)
  return {
    market_price,
    low_price,
    median_price,
    bases: { '24h': day, '7d': week, '30d': month },
    published_day,
    unchanged_days: published_day - unchangedSince,
    sale_count: null,
    other_price: null,
  }
}

/** A card takes some hundred bytes. */
const CACHED_CARDS_MAX = 20_000

/** Compares prices: the highest first, unknown ones last, ties by id. */
export function byPrice(a: CardFacts, b: CardFacts): number {
  return (b.price ?? -1) - (a.price ?? -1) || a.id - b.id
}

/** Reads the names of sets, of which a list may name the same ones on every line. */
export function openSetNames(db: Db) {
  // Returns one JSON text, because rows cross the driver value by value.
  const ofSets = db
    .prepare<[string], string>(
      `SELECT json_group_array(json_array(id, name)) FROM (
         SELECT cards.id, cards.name
           FROM json_each(+?) AS wanted
           CROSS JOIN cards ON cards.set_id = wanted.value
          WHERE cards.missing_since IS NULL
          ORDER BY ${BASE_PRICE} DESC, cards.id)`,
    )
    .pluck()
  const known = new LRUCache<string, CardName[]>({
    maxSize: SET_NAMES_MAX,
    sizeCalculation: (names) => names.length + 1,
  })

  return {
    list(ids: readonly number[]): CardName[] {
      const key = JSON.stringify(ids)
      const seen = known.get(key)
      if (seen !== undefined) return seen
      const rows: [id: number, name: string][] = JSON.parse(ofSets.get(key) ?? '[]')
      const names = rows.map(([id, name]) => ({ id, name }))
      known.set(key, names)
      return names
    },
    forget: () => known.clear(),
  }
}

/** A name takes some hundred bytes. */
const SET_NAMES_MAX = 30_000
