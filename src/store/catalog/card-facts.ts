import { LRUCache } from 'lru-cache'
import type { Db } from '../db.ts'
import type { CardRow } from './schema/catalog.ts'

/** Facts that distinguish a card from others with the same name. */
export type CardFacts = Pick<CardRow, 'id' | 'name' | 'number' | 'rarity' | 'set_id'> & {
  set_name: string
  set_slug: string
  set_code: string | null
  game_slug: string
  /** Highest market price in cents. */
  price: number | null
  printings: readonly string[]
}

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
      `SELECT json_group_array(json_array(cards.id, cards.name, number, rarity, set_id, ${BASE_PRICE},
                (SELECT group_concat(printing_id) FROM prices WHERE card_id = cards.id)))
         FROM json_each(+?) AS wanted CROSS JOIN cards ON cards.id = wanted.value`,
    )
    .pluck()
  const setOf = db.prepare<[number], SetFacts>(
    `SELECT sets.name AS set_name, sets.slug AS set_slug, sets.abbreviation AS set_code,
            games.slug AS game_slug
       FROM sets JOIN games ON games.id = sets.game_id WHERE sets.id = +?`,
  )
  const printingOf = db
    .prepare<[number], string>('SELECT name FROM printings WHERE id = +?')
    .pluck()
  const known = new LRUCache<number, CardFacts>({ max: CACHED_CARDS_MAX })
  const sets = new Map<number, SetFacts | undefined>()
  const printings = new Map<string, string>()

  function getSet(id: number): SetFacts | undefined {
    if (!sets.has(id)) sets.set(id, setOf.get(id))
    return sets.get(id)
  }

  function getPrinting(id: string): string {
    const name = printings.get(id) ?? printingOf.get(Number(id)) ?? ''
    printings.set(id, name)
    return name
  }

  function read(ids: readonly number[], found: CardFacts[]): void {
    const rows: StoredFacts[] = JSON.parse(facts.get(JSON.stringify(ids)) ?? '[]')
    for (const [id, name, number, rarity, set_id, price, printingIds] of rows) {
      const set = getSet(set_id)
      if (set === undefined) continue
      const { set_name, set_slug, set_code, game_slug } = set
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
        price,
        printings: printingIds === null ? [] : printingIds.split(',').map(getPrinting),
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

type SetFacts = Pick<CardFacts, 'set_name' | 'set_slug' | 'set_code' | 'game_slug'>

type StoredFacts = [
  id: number,
  name: string,
  number: string | null,
  rarity: string | null,
  set_id: number,
  price: number | null,
  printings: string | null,
]

/** A card takes some hundred bytes. */
const CACHED_CARDS_MAX = 20_000

/** Compares prices: the highest first, unknown ones last, ties by id. */
export function byPrice(a: CardFacts, b: CardFacts): number {
  return (b.price ?? -1) - (a.price ?? -1) || a.id - b.id
}
