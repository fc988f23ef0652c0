import type { UpstreamPrice } from '#rules/catalog/catalog-records.ts'
import type { Db } from '../db.ts'
import { SERIES_PER_CARD, seriesId } from './history.ts'
import { openPrintingStore } from './printings.ts'

/** What is known of a file that is in, to ask the upstream whether it changed since. */
export type KnownFile = { etag: string | null; last_modified: string | null }

/** A set as the planning of a sync sees it. */
export type SetState = {
  id: number
  game_id: number
  priced_at: number
  modified_on: string | null
  products_read_at: number
}

/** What a set has, and how much of it an intake brings: for the guards. */
export type SetLoss = {
  cards_before: number
  cards_kept: number
  prices_before: number
  prices_lost: number
}

export type GameState = {
  id: number
  name: string
  slug: string
  priority: number
  last_synced_at: string | null
  published_at: string | null
}

export type RunOutcome = 'complete' | 'incomplete' | 'failed'

/** The sync's own records: its runs, the files that are in, and how far each set is. */
export function openSyncLog(db: Db) {
  const start = db.prepare<[string]>('INSERT INTO sync_runs (started_at) VALUES (?)')
  const finish = db.prepare<[string, RunOutcome, string | null, string, number]>(
    'UPDATE sync_runs SET finished_at = ?, outcome = ?, published_at = ?, report = ? WHERE id = ?',
  )
  const last = db.prepare<[], SyncRun>('SELECT * FROM sync_runs ORDER BY id DESC LIMIT 1')
  const lastFinished = db.prepare<[], SyncRun>(
    'SELECT * FROM sync_runs WHERE finished_at IS NOT NULL ORDER BY id DESC LIMIT 1',
  )
  const listFailed = db.prepare<[number], SyncRun>(
    `SELECT * FROM sync_runs WHERE finished_at IS NOT NULL AND outcome <> 'complete'
      ORDER BY id DESC LIMIT ?`,
  )
  const file = db.prepare<[string], KnownFile>(
    'SELECT etag, last_modified FROM upstream_files WHERE path = ?',
  )
  const putFile = db.prepare<[string, string | null, string | null]>(
    `INSERT INTO upstream_files VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET
       etag = excluded.etag, last_modified = excluded.last_modified`,
  )
  const setsOf = db.prepare<[number], SetState>(
    `SELECT id, game_id, priced_at, modified_on, products_read_at
       FROM sets WHERE game_id = ? AND missing_since IS NULL`,
  )
  // One JSON text a set: its numbers come over together, where rows come over number by number.
  const cardsOf = db
    .prepare<[number], string>(
      'SELECT json_group_array(id) FROM cards WHERE set_id = ? AND missing_since IS NULL',
    )
    .pluck()
  const pricesOf = db
    .prepare<[number], string>(
      `SELECT json_group_array(card_id * ${SERIES_PER_CARD} + printing_id) FROM cards
         JOIN prices ON card_id = cards.id
        WHERE set_id = ? AND missing_since IS NULL AND market_price IS NOT NULL`,
    )
    .pluck()
  const printings = openPrintingStore(db)
  const games = db.prepare<[], GameState>(
    'SELECT id, name, slug, priority, last_synced_at, published_at FROM games',
  )
  const markStale = db.prepare<[string, number]>(
    'UPDATE games SET stale_since = coalesce(stale_since, ?) WHERE id = ?',
  )
  const markFresh = db.prepare<[number]>('UPDATE games SET stale_since = NULL WHERE id = ?')
  const gameOfSet = db.prepare<[number], number>('SELECT game_id FROM sets WHERE id = ?').pluck()
  const strangers = db
    .prepare<[string, number], number>(
      `SELECT count(*) FROM cards
        WHERE id IN (SELECT value FROM json_each(?)) AND game_id <> ?`,
    )
    .pluck()

  return {
    /** @returns the run's id */
    start: (now: Date) => Number(start.run(now.toISOString()).lastInsertRowid),
    finish(
      id: number,
      now: Date,
      outcome: RunOutcome,
      publishedAt: Date | undefined,
      report: object,
    ) {
      const published = publishedAt?.toISOString() ?? null
      finish.run(now.toISOString(), outcome, published, JSON.stringify(report), id)
    },
    getLast: () => last.get(),
    /** Not the one that is running, nor one that was killed. */
    getLastFinished: () => lastFinished.get(),
    /** The newest runs that did not get everything, newest first. */
    listFailed: (limit: number) => listFailed.all(limit),
    getFile: (path: string) => file.get(path),
    putFile(path: string, known: KnownFile) {
      putFile.run(path, known.etag, known.last_modified)
    },
    /** A run could not refresh this game: what is in is served on, and says so. */
    markStale(gameId: number, now: Date) {
      markStale.run(now.toISOString(), gameId)
    },
    /** A run found that everything the upstream has of this game is in. */
    markFresh(gameId: number) {
      markFresh.run(gameId)
    },
    listGames: () => games.all(),
    /** What an intake would take away from a set; undefined cards or prices are what they were. */
    measureLoss(
      setId: number,
      cards: readonly { id: number }[] | undefined,
      prices: readonly UpstreamPrice[] | undefined,
    ): SetLoss {
      const heldCards: number[] = JSON.parse(cardsOf.get(setId) ?? '[]')
      const heldPrices: number[] = JSON.parse(pricesOf.get(setId) ?? '[]')
      const listed = cards && new Set(cards.map((card) => card.id))
      const known = prices?.filter((price) => price.market_price !== null)
      const priced =
        known &&
        new Set(
          known.map((price) => seriesId(price.card_id, printings.knownId(price.printing) ?? 0)),
        )
      return {
        cards_before: heldCards.length,
        cards_kept: heldCards.filter((id) => listed?.has(id) !== false).length,
        prices_before: heldPrices.length,
        prices_lost: heldPrices.filter((series) => priced?.has(series) === false).length,
      }
    },
    listSets: (gameId: number) => setsOf.all(gameId),
    getGameOfSet: (setId: number) => gameOfSet.get(setId),
    /** How many of these cards the catalog holds under another game. */
    countForeignCards: (cardIds: readonly number[], gameId: number) =>
      strangers.get(JSON.stringify(cardIds), gameId) ?? 0,
  }
}

export type SyncRun = {
  id: number
  started_at: string
  finished_at: string | null
  outcome: RunOutcome | null
  published_at: string | null
  report: string
}
