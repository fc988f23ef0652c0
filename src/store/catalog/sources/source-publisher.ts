import type { DayRates } from '#rules/pricing/exchange-rates.ts'
import { dayOf } from '#rules/primitives/days.ts'
import type { PriceShifts } from '#rules/sync/price-shifts.ts'
import { type Db, durable } from '../../db.ts'
import type { AlertEvaluator } from '../alerts.ts'
import { rebuildSourceMovers } from '../movers-build.ts'
import { openVersionWriter } from '../publication.ts'
import type { PriceSourceRow } from '../schema/pricing.ts'
import { openExchangeRateReader } from './exchange-rates.ts'
import {
  openSourcePriceWriter,
  type SourcePriceCounts,
  type SourcePrices,
} from './source-price-writer.ts'

/** Prices of a source that are published in one transaction. */
export type SourceBatch = Pick<SourcePrices, 'source' | 'game_id' | 'prices'> & {
  /** Publish time of all of them. */
  publishedAt: Date
  now: Date
}

/**
 * Writes the prices and rates that do not come from the mirror. Each publication is one transaction and a new catalog
 * version, with the alerts that it causes.
 */
export type SourcePublisher = {
  /** Replaces all prices of a source, or its prices for one game. */
  publish(batch: SourceBatch): SourcePriceCounts & { version: number }
  /** Lists the state of a source, by game. */
  list(source: string): PriceSourceRow[]
  /** Compares the market prices of a source with their replacements. */
  compare(batch: Pick<SourceBatch, 'source' | 'game_id' | 'prices'>): PriceShifts
  /** Records that an import has found the prices unchanged, so they are not stale. */
  markFresh(source: string, gameId: number, now: Date): void
  /** Records that an import failed: the prices stay, but are stale. */
  markFailed(source: string, gameId: number, failure: string, now: Date): void
  /** Lists the stored reference rates from one day to another, both included, in ascending order. */
  listRates(from: number, until: number): DayRates[]
  /** Adds days of reference rates, or replaces them. @returns the number of days that changed */
  putRates(rates: Iterable<DayRates>, now: Date): number
}

/** @param alerts undefined if there are no webhooks */
export function openSourcePublisher(
  db: Db,
  alerts?: Pick<AlertEvaluator, 'evaluateChosen'>,
): SourcePublisher {
  const prices = openSourcePriceWriter(db)
  const versions = openVersionWriter(db)
  const putState = db.prepare<[Omit<PriceSourceRow, 'stale_since' | 'failure'>]>(
    `INSERT INTO price_sources (source, game_id, published_at, synced_at)
     VALUES (@source, @game_id, @published_at, @synced_at)
     ON CONFLICT DO UPDATE SET published_at = excluded.published_at, synced_at = excluded.synced_at,
       stale_since = NULL, failure = NULL`,
  )
  const markFailed = db.prepare<[Omit<PriceSourceRow, 'published_at' | 'synced_at'>]>(
    `INSERT INTO price_sources (source, game_id, stale_since, failure)
     VALUES (@source, @game_id, @stale_since, @failure)
     ON CONFLICT DO UPDATE SET stale_since = coalesce(stale_since, excluded.stale_since),
       failure = excluded.failure`,
  )
  const rates = openExchangeRateReader(db)
  const markFresh = db.prepare<[string, string, number]>(
    `UPDATE price_sources SET synced_at = ?, stale_since = NULL, failure = NULL
      WHERE source = ? AND game_id = ?`,
  )
  const putRate = db.prepare<[number, string]>(
    `INSERT INTO exchange_rates (day, per_euro) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET per_euro = excluded.per_euro WHERE per_euro <> excluded.per_euro`,
  )

  const list = db.prepare<[string], PriceSourceRow>(
    `SELECT source, game_id, published_at, synced_at, stale_since, failure
       FROM price_sources WHERE source = ?`,
  )

  return {
    list: (source) => list.all(source),
    publish: ({ publishedAt, now, source, game_id, ...batch }) =>
      durable(db, () => {
        const version = versions.next()
        const published_at = Math.floor(publishedAt.getTime() / 1000)
        const day = dayOf(publishedAt)
        const counts = prices.replace({ ...batch, source, game_id, day, published_at, version })
        putState.run({ source, game_id, published_at, synced_at: now.toISOString() })
        rebuildSourceMovers(db, source, dayOf(now))
        alerts?.evaluateChosen(now)
        versions.put(version, now, '')
        return { ...counts, version }
      }),
    compare: prices.compare,
    markFresh: (source, game_id, now) => void markFresh.run(now.toISOString(), source, game_id),
    markFailed(source, game_id, failure, now) {
      markFailed.run({ source, game_id, failure, stale_since: now.toISOString() })
    },
    listRates: rates.list,
    putRates: (days, now) =>
      durable(db, () => {
        let changed = 0
        for (const { day, perEuro } of days) {
          changed += putRate.run(day, JSON.stringify(perEuro)).changes
        }
        if (changed === 0) return 0
        alerts?.evaluateChosen(now)
        versions.put(versions.next(), now, '')
        return changed
      }),
  }
}
