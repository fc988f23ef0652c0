import { changePercent } from '#rules/pricing/price-changes.ts'
import type { Db } from '../../db.ts'
import { bytesOf, copyBytes } from '../../rows.ts'
import type { CardRow, SetRow } from '../schema/catalog.ts'
import type { SearchColumnRow, SearchDocumentRow } from '../schema/search.ts'
import type { SearchOrder } from './sorts.ts'

/** Stored columns: an order, or numbers from which orders are derived. */
type ColumnName = SearchOrder | 'card' | 'set' | 'price' | 'rank'

/** Numbers of the cards that are not missing, in the order of their ids. An index in them is a place. */
export type SearchColumns = {
  /** Ids, ascending. */
  cards: Float64Array
  /** Market price in cents; -1 if unknown. */
  prices: Float64Array
  /** From 1: by price from the highest, unknown ones last, ties by id. */
  ranks: Uint32Array
  /** Returns the ranks of an order from 1, unknown ones last, ties by id. */
  getOrder(order: SearchOrder): Uint32Array
}

/**
 * Returns a function that reads the columns of the catalog's current version, with the prices and changes of base
 * printings, in some milliseconds. Orders are read on demand, which must happen while that version is current.
 */
export function openSearchColumns(db: Db): () => SearchColumns {
  const read = openColumnReader(db)
  return () => ({
    cards: new Float64Array(read('card')),
    prices: new Float64Array(read('price')),
    ranks: new Uint32Array(read('rank')),
    getOrder: remember((order) => new Uint32Array(read(order))),
  })
}

/** Reads each order once. */
export function remember(
  read: (order: SearchOrder) => Uint32Array,
): (order: SearchOrder) => Uint32Array {
  const known = new Map<SearchOrder, Uint32Array>()
  return (order) => {
    const found = known.get(order) ?? read(order)
    known.set(order, found)
    return found
  }
}

/** Returns the version of the catalog with its time, because numbers repeat after a restore. */
export function openCatalogVersion(db: Db): () => string {
  const version = db
    .prepare<[], string>(`SELECT version || ' of ' || changed_at FROM publication WHERE id = 1`)
    .pluck()
  return () => version.get() ?? ''
}

/** Returns the version of the documents, which price changes do not affect. */
export function openDocumentsVersion(db: Db): () => string {
  const version = db
    .prepare<[], SearchDocumentRow['version']>('SELECT version FROM search_documents')
    .pluck()
  return () => version.get() ?? ''
}

/**
 * Updates the orders of the cards, within the caller's transaction.
 *
 * @param cardsHaveChanged false if neither the cards nor their names changed
 */
export function putSearchColumns(db: Db, cardsHaveChanged: boolean): void {
  const put = db.prepare<[ColumnName, Uint8Array]>(
    `INSERT INTO search_columns (name, numbers) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET numbers = excluded.numbers WHERE numbers <> excluded.numbers`,
  )
  if (cardsHaveChanged) {
    const { ids, names, sets } = shownCards(db)
    put.run('card', bytesOf(Float64Array.from(ids)))
    put.run('name', bytesOf(ranksByName(names)))
    put.run('set', bytesOf(Float64Array.from(sets)))
  }
  const read = openColumnReader(db)
  const { prices, rises } = basePrices(db, new Float64Array(read('card')))
  put.run('price', bytesOf(prices))
  put.run('rank', bytesOf(ranksByHighest(prices)))
  put.run('rise', bytesOf(ranksByHighest(rises)))
  put.run('fall', bytesOf(ranksByHighest(reverseRises(rises))))
  put.run('release', bytesOf(ranksByHighest(releases(db, new Float64Array(read('set'))))))
}

/** Returns the places of the ids among the cards. @param ids ascending, like the ids of the cards */
export function placesOf(ids: ArrayLike<number>, cards: Float64Array): Uint32Array {
  const places = new Uint32Array(ids.length)
  let [count, place] = [0, 0]
  for (let at = 0; at < ids.length; at++) {
    place = findFrom(cards, ids[at] ?? 0, place)
    if (cards[place] === ids[at]) places[count++] = place
  }
  return places.subarray(0, count)
}

/** Returns the rank of a card by price; an unknown price comes after all others. */
export function rankOf(id: number, { cards, ranks }: SearchColumns): number {
  const place = findBetween(cards, id, 0, cards.length)
  return cards[place] === id ? (ranks[place] ?? 0) : Number.MAX_SAFE_INTEGER
}

/** Returns the price of a card in cents; an unknown price is higher than all others. */
export function priceOf(
  id: number,
  { cards, prices }: Pick<SearchColumns, 'cards' | 'prices'>,
): number {
  const place = findBetween(cards, id, 0, cards.length)
  const price = cards[place] === id ? (prices[place] ?? -1) : -1
  return price === -1 ? Number.MAX_SAFE_INTEGER : price
}

/** Returns the index of the first number from an index on that is at least `value`, in steps that double. */
function findFrom(numbers: Float64Array, value: number, from: number): number {
  let [low, step] = [from, 1]
  while (low + step < numbers.length && (numbers[low + step] ?? 0) < value) {
    low += step
    step *= 2
  }
  return findBetween(numbers, value, low, Math.min(low + step, numbers.length))
}

function findBetween(numbers: Float64Array, value: number, from: number, to: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

function openColumnReader(db: Db): (name: ColumnName) => ArrayBuffer {
  const read = db
    .prepare<[string], SearchColumnRow['numbers']>(
      'SELECT numbers FROM search_columns WHERE name = ?',
    )
    .pluck()
  return (name) => copyBytes(read.get(name) ?? NO_BYTES)
}

const NO_BYTES = new Uint8Array()

/** Reads the ids and names of all cards that are not missing, by id. */
function shownCards(db: Db): { ids: CardRow['id'][]; names: string[]; sets: SetRow['id'][] } {
  // Returns one JSON text per column, because rows cross the driver value by value.
  const [ids = '[]', names = '[]', sets = '[]'] =
    db
      .prepare<[], [ids: string, names: string, sets: string]>(
        `SELECT json_group_array(id), json_group_array(clean_name), json_group_array(set_id) FROM (
           SELECT id, clean_name, set_id FROM cards WHERE missing_since IS NULL ORDER BY id)`,
      )
      .raw()
      .get() ?? []
  return { ids: JSON.parse(ids), names: JSON.parse(names), sets: JSON.parse(sets) }
}

/** Reads the market prices of the cards' base printings, and their rises in a week; -1 if unknown. */
function basePrices(db: Db, cards: Float64Array): { prices: Float64Array; rises: Float64Array } {
  const [ids = '[]', known = '[]', bases = '[]'] =
    db
      .prepare<[], [ids: string, prices: string, bases: string]>(
        `SELECT json_group_array(card_id), json_group_array(market_price), json_group_array(base_7d)
           FROM (SELECT card_id, market_price, base_7d FROM prices
                  WHERE is_base_printing = 1 AND market_price IS NOT NULL ORDER BY card_id)`,
      )
      .raw()
      .get() ?? []
  const marketPrices: number[] = JSON.parse(known)
  const basesBefore: (number | null)[] = JSON.parse(bases)
  const prices = new Float64Array(cards.length).fill(-1)
  const rises = new Float64Array(cards.length).fill(-1)
  let place = 0
  for (const [at, id] of (JSON.parse(ids) as number[]).entries()) {
    place = findFrom(cards, id, place)
    if (cards[place] !== id) continue
    prices[place] = marketPrices[at] ?? -1
    rises[place] = rateRise(marketPrices[at] ?? null, basesBefore[at] ?? null)
  }
  return { prices, rises }
}

/**
 * Converts a change to a number from 0 (now worthless) in hundredths of a percent, rounded as shown; -1 if unknown.
 * Changes above a limit that no plausible price reaches are equal.
 */
export function rateRise(price: number | null, base: number | null): number {
  const change = changePercent(price, base)
  return change === null ? -1 : Math.min(RISE_MAX, Math.round((change + 100) * 100))
}

/** Still exact when combined with the places of ten million cards in one number. */
const RISE_MAX = 100_000_000

/** Returns numbers that are higher for lower rises. */
export function reverseRises(rises: Float64Array): Float64Array {
  return rises.map((rise) => (rise < 0 ? -1 : RISE_MAX - rise))
}

/** Returns the release date of each card's set as a number, such as 20260805; -1 if unknown. */
function releases(db: Db, sets: Float64Array): Float64Array {
  const rows = db.prepare<[], Pick<SetRow, 'id' | 'release_date'>>(
    'SELECT id, release_date FROM sets WHERE release_date IS NOT NULL',
  )
  const dates = new Map(
    rows.all().map(({ id, release_date }) => [id, Number(release_date?.replaceAll('-', ''))]),
  )
  return sets.map((id) => dates.get(id) ?? -1)
}

/** Returns the rank of each number, from the highest to the lowest, -1 last; ties in order. */
export function ranksByHighest(numbers: Float64Array): Uint32Array {
  const count = numbers.length
  const highest = numbers.reduce((most, number) => Math.max(most, number), 0)
  // Sorts number and index as one value: ten times faster than a comparison, and exact. With a card of a million
  // dollars, 90 million others would be needed to exceed safe integers.
  const order = numbers.map((number, at) => (highest - number) * count + at).sort()
  const ranks = new Uint32Array(count)
  for (let at = 0; at < count; at++) ranks[(order[at] ?? 0) % count] = at + 1
  return ranks
}

/** Returns the rank of each name from 1, ignoring case; equal names are ranked in order. */
function ranksByName(names: readonly string[]): Uint32Array {
  // Numbers distinct names, so that fewer strings are sorted.
  const numbers = new Map<string, number>()
  const used: number[] = []
  const nameNumbers = Uint32Array.from(names, (name) => {
    const key = name.toLowerCase()
    const number = numbers.get(key) ?? numbers.size
    if (number === numbers.size) numbers.set(key, number)
    used[number] = (used[number] ?? 0) + 1
    return number
  })
  const next: number[] = []
  let rank = 1
  for (const key of [...numbers.keys()].sort()) {
    const number = numbers.get(key) ?? 0
    next[number] = rank
    rank += used[number] ?? 0
  }
  return nameNumbers.map((number) => {
    const own = next[number] ?? 0
    next[number] = own + 1
    return own
  })
}
