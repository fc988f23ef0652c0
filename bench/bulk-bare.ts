import { openDatabase } from '#store/db.ts'
import type { BenchData } from './data.ts'

/** Prepares statements that fetch by primary key what an answer contains, for comparison. */
export function createBareLookup({ catalogFile }: BenchData) {
  const db = openDatabase(catalogFile, { readonly: true, cacheKib: 65_536 })
  const card = db.prepare('SELECT name, number, set_id, game_id, image_url FROM cards WHERE id = ?')
  const prices = db.prepare(
    'SELECT prices, changes FROM price_texts JOIN price_changes USING (card_id) WHERE card_id = ?',
  )
  return {
    of(answer: unknown): () => string {
      const { named, priced } = cardsIn(answer)
      return () => {
        for (const id of named) card.get(id)
        for (const id of priced) prices.get(id)
        return JSON.stringify(answer)
      }
    },
    close: () => void db.close(),
  }
}

type BulkEntry = { card?: { id: number }; match?: { card: { id: number } } } & {
  alternatives?: { id: number }[]
}

/** Returns the cards that an answer names, and those whose prices it contains, each once. */
function cardsIn(answer: unknown): { named: Set<number>; priced: Set<number> } {
  // The schemas of the routes guarantee one of these shapes.
  const known = answer as { card_id: number }[] | { resolved?: BulkEntry[]; results?: BulkEntry[] }
  if (Array.isArray(known)) {
    return { named: new Set(), priced: new Set(known.map(({ card_id }) => card_id)) }
  }
  const rows = known.resolved ?? known.results ?? []
  const priced = rows.flatMap(({ card, match }) => card?.id ?? match?.card.id ?? [])
  const others = rows.flatMap(({ alternatives = [] }) => alternatives.map(({ id }) => id))
  return { named: new Set([...priced, ...others]), priced: new Set(priced) }
}
