import type { Db } from '../../db.ts'
import { SERIES_PER_CARD, SOURCE_SERIES_PER_CARD } from './history.ts'

/** Prepares the statements that delete games, within the caller's transaction. `games` is a JSON array of their ids. */
export function openGameRemoval(db: Db) {
  const cards = `(SELECT id FROM cards WHERE game_id IN ${GAMES})`
  const has = db
    .prepare<[string], number>(`SELECT EXISTS (SELECT 1 FROM games WHERE id IN ${GAMES})`)
    .pluck()
  // Their printings are part of the search index.
  const deletePrices = db.prepare<[string]>(`DELETE FROM prices WHERE card_id IN ${cards}`)
  const miss = db.prepare<[string, string]>(
    `UPDATE cards SET missing_since = coalesce(missing_since, ?) WHERE game_id IN ${GAMES}`,
  )
  // Picture vectors are deleted by the next run of the picture index.
  const others = [
    db.prepare<[string]>(`DELETE FROM price_texts WHERE card_id IN ${cards}`),
    db.prepare<[string]>(`DELETE FROM price_changes WHERE card_id IN ${cards}`),
    db.prepare<[string]>(`DELETE FROM card_ids WHERE card_id IN ${cards}`),
    db.prepare<[string]>(`DELETE FROM card_migrations WHERE card_id IN ${cards}`),
    db.prepare<[string]>(`DELETE FROM source_prices WHERE card_id IN ${cards}`),
    db.prepare<[string]>(
      `UPDATE source_products SET card_id = NULL, printing = NULL, method = NULL, confidence = NULL
        WHERE card_id IN ${cards}`,
    ),
    db.prepare<[string]>(
      `DELETE FROM source_expansions WHERE set_id IN (SELECT id FROM sets WHERE game_id IN ${GAMES})`,
    ),
    db.prepare<[string]>(`DELETE FROM price_sources WHERE game_id IN ${GAMES}`),
    db.prepare<[string]>(`DELETE FROM history_hot WHERE ${CARD_OF_SERIES} IN ${cards}`),
    db.prepare<[string]>(`DELETE FROM history_cold WHERE ${CARD_OF_SERIES} IN ${cards}`),
    db.prepare<[string]>(`DELETE FROM cards WHERE game_id IN ${GAMES}`),
    db.prepare<[string]>(`DELETE FROM sets WHERE game_id IN ${GAMES}`),
    // With its validators kept, a game that is added again would not be read again.
    db.prepare<[string]>(
      `DELETE FROM upstream_files WHERE EXISTS
         (SELECT 1 FROM json_each(?) WHERE path LIKE '%/' || value || '/%')`,
    ),
    db.prepare<[string]>(`DELETE FROM games WHERE id IN ${GAMES}`),
  ]

  return {
    hasAny: (games: string) => has.get(games) === 1,
    /** Marks the cards as missing, which removes them from the search index. */
    markMissing(games: string, now: Date): void {
      deletePrices.run(games)
      miss.run(now.toISOString(), games)
    },
    deleteRows(games: string): void {
      for (const statement of others) statement.run(games)
    },
  }
}

const CARD_OF_SERIES = `iif(series_id > 0, series_id / ${SERIES_PER_CARD}, -series_id / ${SOURCE_SERIES_PER_CARD})`

const GAMES = '(SELECT value FROM json_each(?))'
