import type { BasePrices } from '#rules/pricing/price-changes.ts'
import type { PriceKey } from '#rules/pricing/price-key.ts'
import type { PriceList } from '#rules/pricing/price-view.ts'
import type { Db } from '../../db.ts'
import { sourceSeriesId } from '../history/history.ts'
import type { PriceSourceRow, SourcePriceRow } from '../schema/pricing.ts'
import { openPriceKindStore } from './price-kinds.ts'

/** Current price of a further source, in hundredths of its currency. */
export type SourcePriceRecord = PriceKey &
  Pick<SourcePriceRow, 'market_price' | 'low_price' | 'median_price' | 'sale_count'> & {
    bases: BasePrices
    /** Series of its history. */
    series: number
    /** Day of the first point of the history; null without one. */
    tracked_since: number | null
    /** Publish time of its last change, epoch seconds. */
    changed_at: number
    /** Publish time of the source's prices, epoch seconds. */
    published_at: number
  }

/** Series of a price's history. */
export type SourceSeriesRecord = PriceKey & Pick<SourcePriceRecord, 'series'>

/** Queries for prices of further sources. */
export type SourcePriceStore = {
  /** Lists all kinds of prices of a card, in the order of their first occurrence. */
  listByCard(cardId: number): SourcePriceRecord[]
  /** Returns all kinds of prices by card id; cards without prices are omitted. */
  listByCards(cardIds: Iterable<number>): Map<number, SourcePriceRecord[]>
  /** Lists the histories of a card, including those of prices that their source no longer has. */
  listHistories(cardId: number): SourceSeriesRecord[]
  /** Lists each currency of each source, in alphabetical order. */
  listPriceLists(): PriceList[]
  /** Lists the state of each source and game. */
  listSources(): PriceSourceRow[]
}

export function openSourcePriceStore(db: Db): SourcePriceStore {
  const kinds = openPriceKindStore(db)
  // Prices without amounts are no longer listed, so only their history counts.
  const ofCards = db.prepare<[string], StoredRow>(
    `SELECT card_id, kind_id, market_price, low_price, median_price, sale_count, base_24h, base_7d,
            base_30d, tracked_since, changed_at, ${PUBLISHED_AT} AS published_at
       FROM json_each(+?) AS wanted CROSS JOIN source_prices ON card_id = wanted.value
      WHERE coalesce(market_price, low_price, median_price) IS NOT NULL
      ORDER BY card_id, kind_id`,
  )
  const tracked = db.prepare<[number], Pick<SourcePriceRow, 'card_id' | 'kind_id'>>(
    `SELECT card_id, kind_id FROM source_prices
      WHERE card_id = +? AND tracked_since IS NOT NULL ORDER BY kind_id`,
  )
  const lists = db.prepare<[], PriceList>(
    'SELECT DISTINCT source, currency FROM price_kinds ORDER BY source, currency',
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
    listHistories: (cardId) =>
      tracked.all(cardId).map(({ card_id, kind_id }) => ({
        card_id,
        ...kinds.get(kind_id),
        series: sourceSeriesId(card_id, kind_id),
      })),
    listPriceLists: () => lists.all(),
    listSources: () => sources.all(),
  }
}

type StoredRow = Omit<SourcePriceRow, 'updated_in'> & Pick<SourcePriceRecord, 'published_at'>

// Sources publish per game, or all games at once under the id 0.
const PUBLISHED_AT = `coalesce(
  (SELECT max(published_at) FROM price_sources
    WHERE source = (SELECT source FROM price_kinds WHERE id = kind_id)
      AND game_id IN (0, (SELECT game_id FROM cards WHERE id = card_id))), changed_at)`
