import { dayOf } from '#rules/primitives/days.ts'
import type {
  ExpansionMatch,
  MatchableCard,
  MatchableSet,
} from '#rules/sync/cardmarket/matchable.ts'
import type { Db } from '../../db.ts'
import type { SourceExpansionRow, SourceProductRow } from '../schema/sync.ts'

/** Stored product of a source and game. */
export type StoredProduct = Omit<SourceProductRow, 'source' | 'source_game'>

/** Product without a card. */
export type UnmatchedProduct = Pick<
  SourceProductRow,
  'id' | 'name' | 'expansion_id' | 'is_sealed'
> & {
  /** Set of its expansion; null if the set is unknown, too. */
  set_id: number | null
  set_name: string | null
}

/** Queries for the products of sources, and for the cards and sets matched with them. */
export type SourceProductStore = {
  /** Lists all products of a game, including those that are no longer listed. */
  list(source: string, sourceGame: number): StoredProduct[]
  /** Returns the sets of expansions, by expansion. */
  listExpansions(source: string): Map<number, ExpansionMatch>
  /** Lists the products of some games that have no card, by expansion and id. Skips those that the operator has mapped. */
  listUnmatched(source: string, sourceGames: readonly number[]): UnmatchedProduct[]
  /** Lists the cards and sealed products of games of the catalog. */
  listCards(gameIds: readonly number[]): MatchableCard[]
  /** Lists the sets of games of the catalog. */
  listSets(gameIds: readonly number[]): MatchableSet[]
}

export function openSourceProductStore(db: Db): SourceProductStore {
  // Lists are one JSON text, because rows cross the driver value by value.
  const products = db
    .prepare<[string, number], string>(
      `SELECT json_group_array(json_array(id, expansion_id, name, is_sealed, added_on, missing_since,
                card_id, printing, method, confidence, card_name, card_set_id))
         FROM source_products WHERE source = ? AND source_game = ?`,
    )
    .pluck()
  const expansions = db.prepare<[string], Omit<SourceExpansionRow, 'source'>>(
    'SELECT id, set_id, confidence FROM source_expansions WHERE source = ?',
  )
  const unmatched = db.prepare<[string, string], UnmatchedProduct>(
    `SELECT p.id, p.name, p.expansion_id, p.is_sealed, sets.id AS set_id, sets.name AS set_name
       FROM source_products AS p
       LEFT JOIN source_expansions AS e ON e.source = p.source AND e.id = p.expansion_id
       LEFT JOIN sets ON sets.id = e.set_id
      WHERE p.source = ? AND p.source_game IN (SELECT value FROM json_each(?))
        AND p.method IS NULL AND p.missing_since IS NULL
      ORDER BY p.expansion_id, p.id`,
  )
  const cards = db
    .prepare<[string], string>(
      `SELECT json_group_array(json_array(id, game_id, set_id, name, number, product_type <> 'Cards',
                json_array(custom_attributes ->> 'attack1', custom_attributes ->> 'attack2',
                           custom_attributes ->> 'attack3', custom_attributes ->> 'attack4'),
                json((SELECT json_group_array(json_array(printings.name, market_price, low_price)
                                         ORDER BY is_base_printing DESC, printing_id)
                        FROM prices JOIN printings ON printings.id = printing_id
                       WHERE card_id = cards.id))))
         FROM cards
        WHERE game_id IN (SELECT value FROM json_each(?)) AND missing_since IS NULL`,
    )
    .pluck()
  const sets = db.prepare<[string], { id: number; name: string; release_date: string | null }>(
    `SELECT id, name, release_date FROM sets
      WHERE game_id IN (SELECT value FROM json_each(?)) AND missing_since IS NULL`,
  )

  return {
    list(source, sourceGame) {
      const rows: ProductArray[] = JSON.parse(products.get(source, sourceGame) ?? '[]')
      return rows.map(toProduct)
    },
    listExpansions: (source) =>
      new Map(expansions.all(source).map(({ id, ...match }) => [id, match])),
    listUnmatched: (source, sourceGames) => unmatched.all(source, JSON.stringify(sourceGames)),
    listCards(gameIds) {
      const rows: CardArray[] = JSON.parse(cards.get(JSON.stringify(gameIds)) ?? '[]')
      return rows.map(toCard)
    },
    listSets: (gameIds) =>
      sets.all(JSON.stringify(gameIds)).map(({ id, name, release_date }) => ({
        id,
        name,
        release_day: release_date === null ? null : dayOf(new Date(release_date)),
      })),
  }
}

type ProductArray = [
  id: number,
  expansion_id: number,
  name: string,
  is_sealed: number,
  added_on: number | null,
  missing_since: string | null,
  card_id: number | null,
  printing: string | null,
  method: StoredProduct['method'],
  confidence: number | null,
  card_name: string | null,
  card_set_id: number | null,
]

type CardArray = [
  id: number,
  game_id: number,
  set_id: number,
  name: string,
  number: string | null,
  isSealed: number,
  attacks: (string | null)[],
  printings: [printing: string, market_price: number | null, low_price: number | null][],
]

function toProduct(row: ProductArray): StoredProduct {
  return {
    id: row[0],
    expansion_id: row[1],
    name: row[2],
    is_sealed: row[3],
    added_on: row[4],
    missing_since: row[5],
    card_id: row[6],
    printing: row[7],
    method: row[8],
    confidence: row[9],
    card_name: row[10],
    card_set_id: row[11],
  }
}

function toCard([
  id,
  game_id,
  set_id,
  name,
  number,
  isSealed,
  attacks,
  printings,
]: CardArray): MatchableCard {
  return {
    id,
    game_id,
    set_id,
    name,
    number,
    attacks: attacks.flatMap((attack) => readAttack(attack) ?? []),
    is_sealed: isSealed === 1,
    printings: printings.map(([printing, market_price, low_price]) => ({
      printing,
      market_price,
      low_price,
    })),
  }
}

/**
 * Returns the name of an attack, which is stored as `[1C] Multiply (20)` with the text of its effect on further
 * lines.
 */
function readAttack(text: string | null): string | undefined {
  const [line = ''] = (text ?? '').split('\n')
  const name = line
    .replace(/^\s*(?:\[[^\]]*\]\s*)+/, '')
    .replace(/\s*\([^()]*\)\s*$/, '')
    .trim()
  return name === '' ? undefined : name
}
