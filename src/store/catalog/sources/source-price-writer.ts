import type { PriceKey } from '#rules/pricing/price-key.ts'
import { comparePrices, type PriceShifts } from '#rules/sync/price-shifts.ts'
import type { Db } from '../../db.ts'
import { sourceSeriesId } from '../history/history.ts'
import { openHistoryWriter, trackPrice } from '../history/history-writer.ts'
import type { SourcePriceRow } from '../schema/pricing.ts'
import { openPriceKindStore } from './price-kinds.ts'

/** Amounts of a price in hundredths of its currency; null if unknown. */
export type SourceAmounts = Pick<
  SourcePriceRow,
  'market_price' | 'low_price' | 'median_price' | 'sale_count'
>

/** A price as a source publishes it. */
export type SourcePrice = Omit<PriceKey, 'source'> & SourceAmounts

/** All prices of a source, or its prices for one game. */
export type SourcePrices = {
  source: string
  /** 0 for all games. */
  game_id: number
  day: number
  /** Publish time, epoch seconds. */
  published_at: number
  /** Catalog version in which they are written. */
  version: number
  prices: Iterable<SourcePrice>
}

/** `prices`: number of prices of cards in the catalog; `orphans`: number of prices of other cards. */
export type SourcePriceCounts = { prices: number; changed: number; orphans: number }

/**
 * Writes the prices of a source: the current row of each kind, the day's history point, and the bases of changes.
 * A price that is no longer listed becomes unknown and keeps its history. Unchanged rows are not written.
 */
export type SourcePriceWriter = {
  replace(prices: SourcePrices): SourcePriceCounts
  /** Compares the known market prices of a source with their replacements. */
  compare(prices: Pick<SourcePrices, 'source' | 'game_id' | 'prices'>): PriceShifts
}

export function openSourcePriceWriter(db: Db): SourcePriceWriter {
  const kinds = openPriceKindStore(db)
  const history = openHistoryWriter(db)
  // Returns one JSON text, because rows cross the driver number by number.
  const known = db
    .prepare<[string, number, number], string>(
      `SELECT json_group_array(json_array(card_id, kind_id, market_price, low_price, median_price,
                sale_count, base_24h, base_7d, base_30d, tracked_since, changed_at))
         FROM source_prices
        WHERE kind_id IN (SELECT id FROM price_kinds WHERE source = ?)
          AND (? = 0 OR card_id IN (SELECT id FROM cards WHERE game_id = ?))`,
    )
    .pluck()
  const cards = db
    .prepare<[number, number], string>(
      'SELECT json_group_array(id) FROM cards WHERE ? = 0 OR game_id = ?',
    )
    .pluck()
  const put = db.prepare(
    `INSERT INTO source_prices (card_id, kind_id, market_price, low_price, median_price, sale_count,
       base_24h, base_7d, base_30d, tracked_since, changed_at, updated_in)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET market_price = excluded.market_price,
       low_price = excluded.low_price, median_price = excluded.median_price,
       sale_count = excluded.sale_count, base_24h = excluded.base_24h, base_7d = excluded.base_7d,
       base_30d = excluded.base_30d, tracked_since = excluded.tracked_since,
       changed_at = excluded.changed_at, updated_in = excluded.updated_in`,
  )

  function readRows(source: string, gameId: number): Map<number, RowState> {
    const rows: StoredArray[] = JSON.parse(known.get(source, gameId, gameId) ?? '[]')
    return new Map(
      rows.map((row) => [
        sourceSeriesId(row[0], row[1]),
        {
          card_id: row[0],
          kind_id: row[1],
          market_price: row[2],
          low_price: row[3],
          median_price: row[4],
          sale_count: row[5],
          bases: { '24h': row[6], '7d': row[7], '30d': row[8] },
          tracked_since: row[9],
          changed_at: row[10],
        },
      ]),
    )
  }

  function putRow(row: RowState, version: number): void {
    const { bases } = row
    put.run(
      row.card_id,
      row.kind_id,
      row.market_price,
      row.low_price,
      row.median_price,
      row.sale_count,
      bases['24h'],
      bases['7d'],
      bases['30d'],
      row.tracked_since,
      row.changed_at,
      version,
    )
  }

  return {
    compare({ source, game_id, prices }) {
      const known = [...readRows(source, game_id)].flatMap(
        ([series, { market_price }]): [number, number][] =>
          market_price === null ? [] : [[series, market_price]],
      )
      const next = new Map<number, number>()
      // A kind that is not stored has no price to compare, and searching for it would read all kinds.
      const kindIds = new Map<string, number | undefined>()
      for (const { card_id, market_price, printing, currency, condition, grade } of prices) {
        const key = [printing, currency, condition, grade].join('|')
        if (!kindIds.has(key))
          kindIds.set(key, kinds.findId({ printing, source, currency, condition, grade }))
        const kindId = kindIds.get(key)
        if (kindId !== undefined && market_price !== null)
          next.set(sourceSeriesId(card_id, kindId), market_price)
      }
      return comparePrices(known, next)
    },
    replace({ source, game_id, day, published_at, version, prices }) {
      const rows = readRows(source, game_id)
      const cardIds = new Set<number>(JSON.parse(cards.get(game_id, game_id) ?? '[]'))
      const listed = new Map<number, SourceAmounts>()
      let orphans = 0
      for (const { card_id, printing, currency, condition, grade, ...amounts } of prices) {
        if (!cardIds.has(card_id)) {
          orphans++
          continue
        }
        const kind_id = kinds.getOrCreateId({ printing, source, currency, condition, grade })
        const series = sourceSeriesId(card_id, kind_id)
        if (!rows.has(series)) rows.set(series, emptyRow(card_id, kind_id))
        listed.set(series, amounts)
      }
      const tracker = history.openTracker()
      let changed = 0
      for (const [series, row] of rows) {
        const priceChanged = applyAmounts(row, listed.get(series) ?? NO_AMOUNTS)
        if (priceChanged) row.changed_at = published_at
        const sales = { avg_sales_price: null, sales_volume: null }
        const derivedChanged = trackPrice(tracker, series, row, { day, ...sales })
        if (priceChanged) changed++
        if (priceChanged || derivedChanged) putRow(row, version)
      }
      tracker.flush()
      return { prices: listed.size, changed, orphans }
    },
  }
}

type RowState = Omit<SourcePriceRow, 'base_24h' | 'base_7d' | 'base_30d' | 'updated_in'> & {
  bases: { '24h': Cents; '7d': Cents; '30d': Cents }
}

type Cents = number | null

type StoredArray = [
  card_id: number,
  kind_id: number,
  ...amounts: [Cents, Cents, Cents, sale_count: number | null],
  ...bases: [Cents, Cents, Cents],
  tracked_since: number | null,
  changed_at: number,
]

const NO_AMOUNTS: SourceAmounts = {
  market_price: null,
  low_price: null,
  median_price: null,
  sale_count: null,
}

function emptyRow(card_id: number, kind_id: number): RowState {
  const bases = { '24h': null, '7d': null, '30d': null }
  return { card_id, kind_id, ...NO_AMOUNTS, bases, tracked_since: null, changed_at: 0 }
}

/** Copies the amounts of a source. @returns true if any amount changed */
function applyAmounts(row: RowState, amounts: SourceAmounts): boolean {
  const { market_price, low_price, median_price, sale_count } = amounts
  const changed =
    row.market_price !== market_price ||
    row.low_price !== low_price ||
    row.median_price !== median_price ||
    row.sale_count !== sale_count
  Object.assign(row, { market_price, low_price, median_price, sale_count })
  return changed
}
