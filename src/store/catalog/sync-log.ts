import type { UpstreamPrice } from '#rules/catalog/catalog-records.ts'
import { comparePrices, type PriceShifts } from '#rules/sync/price-shifts.ts'
import type { Db } from '../db.ts'
import { upsertInto } from '../table-sql.ts'
import { SERIES_PER_CARD, seriesId } from './history/history.ts'
import { openPrintingStore } from './printings.ts'
import type { GameRow, SetRow } from './schema/catalog.ts'
import { type SyncRunRow, type UpstreamFileRow, upstreamFiles } from './schema/sync.ts'

/** Validators of a file that was read, for asking the upstream whether it has changed. */
export type KnownFile = Pick<UpstreamFileRow, 'etag' | 'last_modified'>

/** A set's state for the planning of a sync. */
export type SetState = Pick<
  SetRow,
  'id' | 'game_id' | 'priced_at' | 'modified_on' | 'products_read_at'
>

/** Size of a set, and the changes that a publication would make; input of the sanity checks. */
export type SetComparison = {
  cards_before: number
  cards_kept: number
  shifts: PriceShifts
}

/** A game's state for the planning of a sync. */
export type GameState = Pick<
  GameRow,
  'id' | 'name' | 'slug' | 'priority' | 'last_synced_at' | 'published_at' | 'missing_since'
> & {
  /** Newest publish time of its sets that are not missing, epoch seconds; null without any. */
  newest_priced_at: number | null
  /** 1 if a set's products must be read again, even if the upstream reports no change. */
  has_unread_products: 0 | 1
}

export type RunOutcome = NonNullable<SyncRunRow['outcome']>

/** Records of the sync itself: its runs, the files it has read, and the state of each set. */
export type SyncLog = {
  /** Starts a run, and records earlier runs that never ended as failed. @returns its id */
  start(now: Date): number
  /** Records the end of a run. */
  finish(
    id: number,
    now: Date,
    outcome: RunOutcome,
    publishedAt: Date | undefined,
    report: object,
  ): void
  /** Returns the last run, which may still be running or may have been killed. */
  getLast(): SyncRun | undefined
  /** Returns the last run that ended. */
  getLastFinished(): SyncRun | undefined
  /** Lists incomplete and failed runs, newest first. */
  listFailed(limit: number): SyncRun[]
  /** Returns the validators of a file that was read; undefined if it was never read. */
  getFile(path: string): KnownFile | undefined
  /** Stores the validators of a file. */
  putFile(path: string, file: KnownFile): void
  /** Marks a game as stale, because a run could not refresh it; the API reports that. */
  markStale(gameId: number, now: Date): void
  /** Marks a game as fresh, because the catalog has everything that the upstream has. */
  markFresh(gameId: number): void
  /** Lists all games. */
  listGames(): GameState[]
  /** Records that an operator has accepted that the upstream no longer lists a game. */
  markMissing(gameId: number, now: Date): void
  /** Compares a set with its new data; undefined cards or prices are unchanged. */
  compareSet(
    setId: number,
    cards: readonly { id: number }[] | undefined,
    prices: readonly UpstreamPrice[] | undefined,
  ): SetComparison
  /** Counts the cards of a game, and the printings with a known price, excluding those of some sets. */
  measureOthers(gameId: number, setIds: readonly number[]): { cards: number; prices: number }
  /** Lists the sets of a game that are not missing. */
  listSets(gameId: number): SetState[]
  /** Returns the game of a set; undefined if not found. */
  getGameOfSet(setId: number): number | undefined
  /** Counts cards that belong to another game in the catalog. */
  countForeignCards(cardIds: readonly number[], gameId: number): number
}

export function openSyncLog(db: Db): SyncLog {
  const start = db.prepare<[string]>('INSERT INTO sync_runs (started_at) VALUES (?)')
  const closeKilled = db.prepare<[string]>(
    `UPDATE sync_runs SET finished_at = started_at, outcome = 'failed', report = ?
      WHERE finished_at IS NULL`,
  )
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
  const putFile = db.prepare<[UpstreamFileRow]>(upsertInto(upstreamFiles))
  const setsOf = db.prepare<[number], SetState>(
    `SELECT id, game_id, priced_at, modified_on, products_read_at
       FROM sets WHERE game_id = ? AND missing_since IS NULL`,
  )
  // Returns one JSON text per set, because rows cross the driver number by number.
  const cardsOf = db
    .prepare<[number], string>(
      'SELECT json_group_array(id) FROM cards WHERE set_id = ? AND missing_since IS NULL',
    )
    .pluck()
  const pricesOf = db
    .prepare<[number], string>(
      `SELECT json_group_array(json_array(card_id * ${SERIES_PER_CARD} + printing_id, market_price))
         FROM cards JOIN prices ON card_id = cards.id
        WHERE set_id = ? AND missing_since IS NULL AND market_price IS NOT NULL`,
    )
    .pluck()
  const sizeOfOthers = db.prepare<[number, string], { cards: number; prices: number }>(
    `SELECT count(DISTINCT cards.id) AS cards, count(market_price) AS prices
       FROM sets JOIN cards ON set_id = sets.id LEFT JOIN prices ON card_id = cards.id
      WHERE sets.game_id = ? AND sets.id NOT IN (SELECT value FROM json_each(?))
        AND cards.missing_since IS NULL`,
  )
  const printings = openPrintingStore(db)
  const games = db.prepare<[], GameState>(
    `SELECT id, name, slug, priority, last_synced_at, published_at, missing_since,
       (SELECT max(priced_at) FROM sets
           WHERE game_id = games.id AND missing_since IS NULL) AS newest_priced_at,
       EXISTS (SELECT 1 FROM sets
           WHERE game_id = games.id AND missing_since IS NULL AND products_read_at = 0)
         AS has_unread_products
       FROM games`,
  )
  const markStale = db.prepare<[string, number]>(
    'UPDATE games SET stale_since = coalesce(stale_since, ?) WHERE id = ?',
  )
  const markFresh = db.prepare<[number]>(
    'UPDATE games SET stale_since = NULL, missing_since = NULL WHERE id = ?',
  )
  const markMissing = db.prepare<[string, number]>(
    'UPDATE games SET missing_since = coalesce(missing_since, ?) WHERE id = ?',
  )
  const gameOfSet = db.prepare<[number], number>('SELECT game_id FROM sets WHERE id = ?').pluck()
  const strangers = db
    .prepare<[string, number], number>(
      `SELECT count(*) FROM cards
        WHERE id IN (SELECT value FROM json_each(?)) AND game_id <> ?`,
    )
    .pluck()

  /** Returns the known market prices by series. */
  function marketPrices(prices: readonly UpstreamPrice[]): Map<number, number> {
    const known = new Map<number, number>()
    for (const { card_id, printing, market_price } of prices) {
      const id = printings.findId(printing)
      if (id !== undefined && market_price !== null) known.set(seriesId(card_id, id), market_price)
    }
    return known
  }

  return {
    start(now) {
      closeKilled.run(JSON.stringify(KILLED_REPORT))
      return Number(start.run(now.toISOString()).lastInsertRowid)
    },
    finish(id, now, outcome, publishedAt, report) {
      const published = publishedAt?.toISOString() ?? null
      finish.run(now.toISOString(), outcome, published, JSON.stringify(report), id)
    },
    getLast: () => last.get(),
    getLastFinished: () => lastFinished.get(),
    listFailed: (limit) => listFailed.all(limit),
    getFile: (path) => file.get(path),
    putFile: (path, known) => void putFile.run({ path, ...known }),
    markStale: (gameId, now) => void markStale.run(now.toISOString(), gameId),
    markFresh: (gameId) => void markFresh.run(gameId),
    listGames: () => games.all(),
    markMissing: (gameId, now) => void markMissing.run(now.toISOString(), gameId),
    compareSet(setId, cards, prices) {
      const heldCards: number[] = JSON.parse(cardsOf.get(setId) ?? '[]')
      const heldPrices: [series: number, price: number][] = JSON.parse(pricesOf.get(setId) ?? '[]')
      const listed = cards && new Set(cards.map((card) => card.id))
      return {
        cards_before: heldCards.length,
        cards_kept: heldCards.filter((id) => listed?.has(id) !== false).length,
        shifts: comparePrices(heldPrices, prices && marketPrices(prices)),
      }
    },
    measureOthers: (gameId, setIds) =>
      sizeOfOthers.get(gameId, JSON.stringify(setIds)) ?? { cards: 0, prices: 0 },
    listSets: (gameId) => setsOf.all(gameId),
    getGameOfSet: (setId) => gameOfSet.get(setId),
    countForeignCards: (cardIds, gameId) => strangers.get(JSON.stringify(cardIds), gameId) ?? 0,
  }
}

/** A run of the sync; `outcome` is null while it is running, or if it was killed. */
export type SyncRun = SyncRunRow

/** Report of a run that was killed before it could write one. */
export const KILLED_REPORT = {
  games: 0,
  sets_read: 0,
  cards_read: 0,
  prices_changed: 0,
  bad_records: 0,
  alerts: 0,
  internal_errors: 1,
  failures: [
    {
      game: 'all',
      reason: 'The sync did not finish: it was killed, or the disk is full.',
    },
  ],
}
