import type {
  UpstreamCard,
  UpstreamGame,
  UpstreamPrice,
  UpstreamSet,
} from '#rules/catalog/catalog-records.ts'
import { dayOf, dayOfSeconds } from '#rules/primitives/days.ts'
import type { AlertRuleSource } from '../alert-rule-source.ts'
import { type Db, durable, inTransaction } from '../db.ts'
import { openAlertEvaluator } from './alerts.ts'
import { openGameRemoval } from './history/game-removal.ts'
import { type HistoryImport, openHistoryImport } from './history/history-import.ts'
import { closeMonths, dropFuturePoints } from './history/history-writer.ts'
import { rebuildMovers } from './movers-build.ts'
import { updateNames } from './names-index.ts'
import { openPriceWriter } from './price-writer.ts'
import { openVersionWriter } from './publication.ts'
import type { SetRow } from './schema/catalog.ts'
import { rebuildNumberShapes, updateSearch } from './search/search-index.ts'
import { openSetCounter } from './set-counts.ts'
import { rebuildSetKeys } from './set-keys.ts'
import { openSetWriter } from './set-writer.ts'
import { type KnownFile, openSyncLog } from './sync-log.ts'

/** A set that a sync has read, checked and mapped. */
export type SetBatch = {
  set: UpstreamSet
  /** True if the products were requested from the upstream. */
  products_read: boolean
  /** Undefined if the products are unchanged. */
  cards: readonly UpstreamCard[] | undefined
  /** Undefined if the prices are unchanged. */
  prices: readonly UpstreamPrice[] | undefined
  /** Cards with an unreadable product or price record, whose stored values stay. */
  unreadable: { cards: readonly number[]; prices: readonly number[] }
  /** Validators of the files, so that unchanged files are not fetched again. */
  files: readonly ({ path: string } & KnownFile)[]
}

/** Changes that are published in one transaction. */
export type PublicationBatch = {
  games: readonly UpstreamGame[]
  /** Iterated lazily, so that a large catalog is never completely in memory. */
  sets: Iterable<SetBatch>
  /** Games that are complete with this publication. */
  completeGames: readonly number[]
  /** Sets that the upstream no longer lists. */
  missingSets: readonly number[]
  /** Upstream publish time of all data. */
  publishedAt: Date
  /** Clock, read at the beginning and at the end of the transaction. */
  now: () => Date
}

/** Number of changes; `orphans` are prices of unknown cards, `alerts` new rows in the outbox. */
export type PublicationCounts = {
  sets: number
  cards: number
  prices: number
  orphans: number
  alerts: number
  version: number
}

/** Writes that bring a catalog up to date. */
export type BatchPublisher = {
  /**
   * Publishes a batch in one transaction: readers see all of it or nothing, even if the process is killed. The batch
   * is on disk before readers see it, so that no alert is sent twice after a power cut because its price was lost.
   */
  publish(batch: PublicationBatch): PublicationCounts
  /**
   * Deletes games with all their sets, cards, prices and history, in one transaction.
   *
   * @returns the new version; undefined if the catalog has none of the games
   */
  removeGames(ids: readonly number[], now: Date): number | undefined
  /** Lists the ids of alerts that may not be in the ledger yet. */
  listOutbox(): string[]
  history: {
    /** Begins an import of older days. Nothing else may write prices until it ends. */
    openImport(): HistoryImport
    /** Moves the months before the last ones into their final form, which is smaller. */
    closeMonths(): void
    /** Recomputes changes and movers in one transaction, after older days were imported. @returns the new version */
    recount(now: () => Date): number
  }
}

export function openBatchPublisher(db: Db, source: AlertRuleSource): BatchPublisher {
  const putGame = db.prepare(
    `INSERT INTO games (id, name, slug, priority, logo_url)
     VALUES (@id, @name, @slug, @priority, @logo_url)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, priority = excluded.priority,
       logo_url = excluded.logo_url, missing_since = NULL`,
  )
  const slugTaken = db
    .prepare<[string, number], number>('SELECT 1 FROM games WHERE slug = ? AND id <> ?')
    .pluck()
  const completeGame = db.prepare<[string, string, number]>(
    `UPDATE games SET last_synced_at = ?, published_at = ?, stale_since = NULL WHERE id = ?`,
  )
  const missSet = db.prepare<[string, number]>(
    'UPDATE sets SET missing_since = coalesce(missing_since, ?) WHERE id = ?',
  )
  const countGames = db.prepare(
    `UPDATE games SET
       set_count = (SELECT count(*) FROM sets WHERE game_id = games.id),
       card_count = (SELECT coalesce(sum(card_count), 0) FROM sets WHERE game_id = games.id),
       image_url = (SELECT image_url FROM sets WHERE game_id = games.id AND image_url IS NOT NULL
                     ORDER BY top_price IS NULL, is_top_doubtful, top_price DESC, id LIMIT 1)`,
  )
  const nameOfGame = db.prepare<[number], string>('SELECT name FROM games WHERE id = ?').pluck()
  const markSets = db.prepare<[number, number]>('UPDATE sets SET updated_in = ? WHERE game_id = ?')
  const markCards = db.prepare<[number, number]>(
    'UPDATE cards SET updated_in = ? WHERE game_id = ?',
  )
  const markSet = db.prepare<[number, number]>('UPDATE sets SET updated_in = ? WHERE id = ?')
  const pricedSets = db.prepare<[], Pick<SetRow, 'id' | 'priced_at'>>(
    'SELECT id, priced_at FROM sets WHERE priced_at > 0',
  )
  const newestDay = db.prepare<[], number>('SELECT max(priced_at) FROM sets').pluck()
  const putSet = openSetWriter(db)
  const prices = openPriceWriter(db)
  const countSet = openSetCounter(db)
  const syncLog = openSyncLog(db)
  const versions = openVersionWriter(db)
  const alerts = openAlertEvaluator(db, source)
  const removal = openGameRemoval(db)

  function putGameRow(game: UpstreamGame, version: number): void {
    const before = nameOfGame.get(game.id)
    const taken = slugTaken.get(game.slug, game.id) === 1
    putGame.run(taken ? { ...game, slug: `${game.slug}-${game.id}` } : game)
    if (before === undefined || before === game.name) return
    // Sets and cards have the name of their game in their JSON.
    markSets.run(version, game.id)
    markCards.run(version, game.id)
  }

  /** Updates everything that is derived from cards and prices. */
  function derive(cardsHaveChanged: boolean, namesHaveChanged: boolean, now: Date): void {
    countGames.run()
    rebuildSetKeys(db)
    updateSearch(db)
    updateNames(db, namesHaveChanged)
    if (cardsHaveChanged) rebuildNumberShapes(db)
    rebuildMovers(db, dayOf(now))
  }

  function closeOldMonths(): void {
    const newest = newestDay.get()
    if (newest != null) closeMonths(db, dayOfSeconds(newest))
  }

  return {
    publish(batch) {
      const { publishedAt } = batch
      const now = batch.now()
      const day = dayOf(publishedAt)
      const published_at = Math.floor(publishedAt.getTime() / 1000)
      const done = durable(db, () => {
        const counts = { sets: 0, cards: 0, prices: 0, orphans: 0 }
        const version = versions.next()
        for (const game of batch.games) putGameRow(game, version)
        dropFuturePoints(db, dayOf(now))
        let cardsHaveChanged = false
        let namesHaveChanged = false
        const left = new Set<number>()
        for (const { set, cards, prices: rows, unreadable, files, products_read } of batch.sets) {
          const products_read_at = products_read ? Math.floor(now.getTime() / 1000) : 0
          const times = { now, published_at, products_read_at, version }
          const changes = putSet.put(set, cards, new Set(unreadable.cards), times)
          if (changes.renamed) namesHaveChanged = true
          if (changes.renamed || changes.updated) cardsHaveChanged = true
          for (const id of changes.left) left.add(id)
          const setCounts = prices.replace({
            set_id: set.id,
            day,
            published_at,
            version,
            prices: rows,
            unreadable: new Set(unreadable.prices),
          })
          counts.prices += setCounts.changed
          counts.orphans += setCounts.orphans
          putSet.putCounts(set.id, setCounts, version)
          if (changes.updated || setCounts.updated) markSet.run(version, set.id)
          for (const file of files) syncLog.putFile(file.path, file)
          counts.sets++
          counts.cards += cards?.length ?? 0
        }
        // A set that lost a card may be written before it, or not at all.
        for (const id of left) putSet.putCounts(id, countSet(id), version)
        for (const set of batch.missingSets) missSet.run(now.toISOString(), set)
        for (const game of batch.completeGames) {
          completeGame.run(now.toISOString(), publishedAt.toISOString(), game)
        }
        derive(cardsHaveChanged, namesHaveChanged, now)
        const alertCount = alerts.evaluate(batch.now(), published_at)
        versions.put(version, batch.now(), publishedAt.toISOString())
        return { ...counts, alerts: alertCount, version }
      })
      closeMonths(db, day)
      return done
    },
    removeGames: (ids, now) =>
      durable(db, () => {
        const games = JSON.stringify(ids)
        if (!removal.hasAny(games)) return undefined
        const version = versions.next()
        removal.markMissing(games, now)
        updateSearch(db)
        removal.deleteRows(games)
        derive(true, true, now)
        versions.put(version, now, '')
        return version
      }),
    listOutbox: alerts.listMessages,

    history: {
      openImport: () => openHistoryImport(db),
      closeMonths: closeOldMonths,
      recount(now) {
        const recounted = inTransaction(db, () => {
          const version = versions.next()
          for (const { id, priced_at } of pricedSets.all()) {
            const { updated, ...counts } = prices.recount(id, priced_at, version)
            putSet.putCounts(id, counts, version)
            if (updated) markSet.run(version, id)
          }
          // Another price can be of low confidence now, so another card can represent a game.
          countGames.run()
          updateSearch(db)
          rebuildMovers(db, dayOf(now()))
          versions.put(version, now(), '')
          return version
        })
        closeOldMonths()
        return recounted
      },
    },
  }
}
