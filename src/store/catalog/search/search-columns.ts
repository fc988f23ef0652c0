import type { Db } from '../../db.ts'
import { bytesOf, copyBytes } from '../../rows.ts'
import type { CardRow, SearchColumnRow, SearchDocumentRow } from '../schema.ts'

/** Numbers of the cards that are not missing, in the order of their ids. An index in them is a place. */
export type SearchColumns = {
  /** Ids, ascending. */
  cards: Float64Array
  /** Market price of the base printing in cents; -1 if unknown. */
  prices: Float64Array
  /** From 1: by price from the highest, unknown last, ties by id. */
  ranks: Uint32Array
  /** From 1: by name, ties by id. */
  names: Uint32Array
}

/** Returns a function that reads the columns of the catalog's current version: some milliseconds. */
export function openSearchColumns(db: Db): () => SearchColumns {
  const read = openColumnReader(db)
  return () => ({
    cards: new Float64Array(read('card')),
    prices: new Float64Array(read('price')),
    ranks: new Uint32Array(read('rank')),
    names: new Uint32Array(read('name')),
  })
}

/** Returns the version of the catalog. Numbers repeat after a restore, moments do not. */
export function openCatalogVersion(db: Db): () => string {
  const version = db
    .prepare<[], string>(`SELECT version || ' of ' || changed_at FROM publication WHERE id = 1`)
    .pluck()
  return () => version.get() ?? ''
}

/** Returns the version of the documents, which prices do not change. */
export function openDocumentsVersion(db: Db): () => string {
  const version = db
    .prepare<[], SearchDocumentRow['version']>('SELECT version FROM search_documents')
    .pluck()
  return () => version.get() ?? ''
}

/**
 * Updates the orders of the cards, within the caller's transaction.
 *
 * @param cardsHaveChanged false if neither the cards nor their names did
 */
export function putSearchColumns(db: Db, cardsHaveChanged: boolean): void {
  const put = db.prepare<[SearchColumnRow['name'], Uint8Array]>(
    `INSERT INTO search_columns (name, numbers) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET numbers = excluded.numbers WHERE numbers <> excluded.numbers`,
  )
  if (cardsHaveChanged) {
    const { ids, names } = shownCards(db)
    put.run('card', bytesOf(Float64Array.from(ids)))
    put.run('name', bytesOf(ranksByName(names)))
  }
  const prices = basePrices(db, new Float64Array(openColumnReader(db)('card')))
  put.run('price', bytesOf(prices))
  put.run('rank', bytesOf(ranksByPrice(prices)))
}

/** Returns the place of each id that the cards have. @param ids ascending, like those of the cards */
export function placesOf(ids: ArrayLike<number>, cards: Float64Array): Uint32Array {
  const places = new Uint32Array(ids.length)
  let [count, place] = [0, 0]
  for (let at = 0; at < ids.length; at++) {
    place = findFrom(cards, ids[at] ?? 0, place)
    if (cards[place] === ids[at]) places[count++] = place
  }
  return places.subarray(0, count)
}

/** Returns the rank of a card by price; after all others if it is unknown. */
export function rankOf(id: number, { cards, ranks }: SearchColumns): number {
  const place = findBetween(cards, id, 0, cards.length)
  return cards[place] === id ? (ranks[place] ?? 0) : Number.MAX_SAFE_INTEGER
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

function openColumnReader(db: Db): (name: SearchColumnRow['name']) => ArrayBuffer {
  const read = db
    .prepare<[string], SearchColumnRow['numbers']>(
      'SELECT numbers FROM search_columns WHERE name = ?',
    )
    .pluck()
  return (name) => copyBytes(read.get(name) ?? NO_BYTES)
}

const NO_BYTES = new Uint8Array()

/** Reads the ids and names of all cards that are not missing, by id. */
function shownCards(db: Db): { ids: CardRow['id'][]; names: string[] } {
  // Returns one JSON text per column, because rows cross the driver value by value.
  const columns = db
    .prepare<[], [ids: string, names: string]>(
      `SELECT json_group_array(id), json_group_array(clean_name)
         FROM (SELECT id, clean_name FROM cards WHERE missing_since IS NULL ORDER BY id)`,
    )
    .raw()
    .get()
  return { ids: JSON.parse(columns?.[0] ?? '[]'), names: JSON.parse(columns?.[1] ?? '[]') }
}

/** Reads the market prices of the cards' base printings; -1 if unknown. */
function basePrices(db: Db, cards: Float64Array): Float64Array {
  const columns = db
    .prepare<[], [ids: string, prices: string]>(
      `SELECT json_group_array(card_id), json_group_array(market_price)
         FROM (SELECT card_id, market_price FROM prices
                WHERE is_base_printing = 1 AND market_price IS NOT NULL ORDER BY card_id)`,
    )
    .raw()
    .get()
  const ids: number[] = JSON.parse(columns?.[0] ?? '[]')
  const known: number[] = JSON.parse(columns?.[1] ?? '[]')
  const prices = new Float64Array(cards.length).fill(-1)
  let place = 0
  for (const [at, id] of ids.entries()) {
    place = findFrom(cards, id, place)
    if (cards[place] === id) prices[place] = known[at] ?? -1
  }
  return prices
}

/** Returns the rank of each price, from the highest to the lowest, unknown last; ties in order. */
function ranksByPrice(prices: Float64Array): Uint32Array {
  const count = prices.length
  const highest = prices.reduce((most, price) => Math.max(most, price), 0)
  // Sorts price and index as one number: ten times faster than a comparison, and exact. With a card
  // of a million dollars, 90 million others would be needed to exceed safe integers.
  const order = prices.map((price, at) => (highest - price) * count + at).sort()
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
