import type { BasePrices } from '#rules/pricing/price-changes.ts'
import type { PriceKey } from '#rules/pricing/price-key.ts'
import type { Db } from '../../db.ts'
import { sourceSeriesId } from '../history/history.ts'
import type { PriceSourceRow, SourcePriceRow } from '../schema.ts'
import { openPriceKindStore } from './price-kinds.ts'

/** Current price of a source beside the mirror, in hundredths of its currency. */
export type SourcePriceRecord = PriceKey &
  Pick<SourcePriceRow, 'market_price' | 'low_price' | 'median_price' | 'sale_count'> & {
    bases: BasePrices
    /** Series of its history. */
    series: number
    /** Day of the first point of the history; null without one. */
    tracked_since: number | null
    /** Publish time of its last change, epoch seconds. */
    changed_at: number
  }

/** Queries for prices of sources beside the mirror. */
export type SourcePriceStore = {
  /** Lists all kinds of prices of a card, in the order in which they were first seen. */
  listByCard(cardId: number): SourcePriceRecord[]
  /** Returns all kinds of prices by card id; cards without any are left out. */
  listByCards(cardIds: Iterable<number>): Map<number, SourcePriceRecord[]>
  /** Lists the state of each source and game. */
  listSources(): PriceSourceRow[]
}

export function openSourcePriceStore(db: Db): SourcePriceStore {
  const kinds = openPriceKindStore(db)
  // Prices without amounts are no longer listed: only their history counts.
  const ofCards = db.prepare<[string], StoredRow>(
    `SELECT card_id, kind_id, market_price, low_price, median_price, sale_count, base_24h, base_7d,
            base_30d, tracked_since, changed_at
       FROM json_each(+?) AS wanted CROSS JOIN source_prices ON card_id = wanted.value
      WHERE coalesce(market_price, low_price, median_price) IS NOT NULL
      ORDER BY card_id, kind_id`,
  )
  const sources = db.prepare<[], PriceSourceRow>(
    `SELECT source, game_id, published_at, synced_at, stale_since, failure
       FROM price_sources ORDER BY source, game_id`,
  )

  function read(cardIds: Iterable<number>): SourcePriceRecord[] {
    const rows = ofCards.all(JSON.stringify([...new Set(cardIds)]))
    return rows.map(({ kind_id, base_24h, base_7d, base_30d, ...row }) => ({
      ...row,
      ...kinds.get(kind_id),
      bases: { '24h': base_24h, '7d': base_7d, '30d': base_30d },
      series: sourceSeriesId(row.card_id, kind_id),
    }))
  }

  return {
    listByCard: (cardId) => read([cardId]),
    listByCards: (cardIds) => Map.groupBy(read(cardIds), ({ card_id }) => card_id),
    listSources: () => sources.all(),
  }
}

type StoredRow = Omit<SourcePriceRow, 'updated_in'>
