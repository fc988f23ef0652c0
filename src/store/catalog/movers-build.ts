import { assessPrice } from '#rules/pricing/confidence.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import type { PriceList } from '#rules/pricing/price-view.ts'
import { listUsual, USUAL_CONDITIONS } from '#rules/pricing/viewed-prices.ts'
import type { Db } from '../db.ts'
import { seriesId } from './history/history.ts'
import {
  type CandidateArray,
  hasMoved,
  type MoverCandidate,
  type MoverLevels,
  type MoverTables,
  parseCandidate,
  putMoverLists,
} from './mover-lists.ts'
import { LEVEL_ID } from './movers.ts'
import { openPrintingStore } from './printings.ts'
import type { PriceKindRow } from './schema/pricing.ts'
import { openExchangeRateStore } from './sources/exchange-rates.ts'
import { openPriceFactStore } from './sources/price-facts.ts'

/**
 * Rebuilds all mover lists of the mirror. The caller provides the transaction that changes the prices.
 *
 * @param today day for which prices are rated
 */
export function rebuildMovers(db: Db, today: number): void {
  db.exec('DELETE FROM movers; DELETE FROM mover_exclusions')
  // Returns one JSON text, because rows cross the driver number by number.
  const text = db
    .prepare<[], string>(
      `SELECT json_group_array(json_array(prices.card_id, printing_id, market_price, base_24h,
                base_7d, base_30d, game_id, product_type = 'Sealed Products'))
         FROM prices JOIN cards ON cards.id = prices.card_id
        WHERE tracked_since IS NOT NULL AND market_price IS NOT NULL AND missing_since IS NULL`,
    )
    .pluck()
    .get()
  const rows: CandidateArray[] = JSON.parse(text ?? '[]')
  const candidates = rows.map(parseCandidate)
  const put = db.prepare('INSERT INTO movers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const putExcluded = db.prepare('INSERT INTO mover_exclusions VALUES (?, ?, ?, ?, ?, ?)')
  const tables: MoverTables = {
    put: (...row) => void put.run(...row),
    putExcluded: (...row) => void putExcluded.run(...row),
  }
  putMoverLists(tables, candidates, assessMoved(db, candidates, { list: MIRROR_KIND, today }))
}

/**
 * Rebuilds the lists of another source, one group per currency. They contain the prices of raw cards that represent
 * their printing. The caller provides the transaction that changes the prices.
 *
 * @param today day for which prices are rated
 */
export function rebuildSourceMovers(db: Db, source: string, today: number): void {
  for (const table of ['source_movers', 'source_mover_exclusions']) {
    db.prepare<[string]>(`DELETE FROM ${table} WHERE source = ?`).run(source)
  }
  const put = db.prepare('INSERT INTO source_movers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const putExcluded = db.prepare(
    'INSERT INTO source_mover_exclusions VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  for (const [currency, rows] of readSourceRows(db, source)) {
    const candidates = pickUsual(rows)
    const list = { source, currency }
    const tables: MoverTables = {
      put: (...row) => void put.run(source, currency, ...row),
      putExcluded: (...row) => void putExcluded.run(source, currency, ...row),
    }
    putMoverLists(tables, candidates, assessMoved(db, candidates, { list, today }))
  }
}

type SourceRow = {
  currency: string
  condition: PriceKindRow['condition']
  candidate: MoverCandidate
}

/** Reads the raw cards of a source by currency. */
function readSourceRows(db: Db, source: string): Map<string, SourceRow[]> {
  const text = db
    .prepare<[string], string>(
      `SELECT json_group_array(json_array(currency, condition, json_array(card_id,
                price_kinds.printing_id, market_price, base_24h, base_7d, base_30d, game_id,
                product_type = 'Sealed Products')))
         FROM source_prices JOIN price_kinds ON price_kinds.id = kind_id
              JOIN cards ON cards.id = card_id
        WHERE source = ? AND grade IS NULL AND tracked_since IS NOT NULL
          AND market_price IS NOT NULL AND missing_since IS NULL`,
    )
    .pluck()
    .get(source)
  const rows: [string, SourceRow['condition'], CandidateArray][] = JSON.parse(text ?? '[]')
  return Map.groupBy(
    rows.map(([currency, condition, row]) => {
      return { currency, condition, candidate: parseCandidate(row) }
    }),
    ({ currency }) => currency,
  )
}

/** Selects the price that represents each printing, as views do. */
function pickUsual(rows: readonly SourceRow[]): MoverCandidate[] {
  const picked = new Map<number, MoverCandidate>()
  for (const wanted of USUAL_CONDITIONS) {
    for (const { condition, candidate } of rows) {
      if (condition !== wanted) continue
      const series = seriesId(candidate.card_id, candidate.printing_id)
      if (!picked.has(series)) picked.set(series, candidate)
    }
  }
  return [...picked.values()]
}

/** Rates the prices in a list that changed in any period. */
function assessMoved(
  db: Db,
  candidates: readonly MoverCandidate[],
  { list, today }: { list: PriceList; today: number },
): MoverLevels {
  const moved = candidates.filter(hasMoved)
  const printings = openPrintingStore(db)
  // Valid during this transaction, in which no other rates are published.
  const rates = openExchangeRateStore(db, { onChange: () => {} })
  const facts = openPriceFactStore(db, rates).listByCards(moved.map(({ card_id }) => card_id))
  const levels = new Map<number, number>()
  for (const ofCard of Map.groupBy(facts, ({ card_id }) => card_id).values()) {
    for (const fact of listUsual(ofCard, list)) {
      const series = seriesId(fact.card_id, printings.getOrCreateId(fact.printing))
      levels.set(series, LEVEL_ID[assessPrice(fact, today).level])
    }
  }
  return levels
}
