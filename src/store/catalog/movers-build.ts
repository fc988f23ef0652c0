import { assessPrice } from '#rules/pricing/confidence.ts'
import type { PriceList } from '#rules/pricing/price-view.ts'
import { listUsual, USUAL_CONDITIONS } from '#rules/pricing/viewed-prices.ts'
import { dayOfSeconds } from '#rules/primitives/days.ts'
import type { Db } from '../db.ts'
import { openRowWriter } from '../row-writer.ts'
import { seriesId } from './history/history.ts'
import { createMoverLists, hasMoved, type MoverCandidate } from './mover-lists.ts'
import { LEVEL_ID, PRODUCT_TYPE_ID } from './movers.ts'
import { openPrintingStore } from './printings.ts'
import type { SetRow } from './schema/catalog.ts'
import type { PriceKindRow } from './schema/pricing.ts'
import { openExchangeRateStore } from './sources/exchange-rates.ts'
import {
  type MirrorRow,
  openPriceFactStore,
  type PriceFactStore,
  toMirrorFacts,
} from './sources/price-facts.ts'

/**
 * Rebuilds all mover lists of the mirror. The caller provides the transaction that changes the prices.
 *
 * @param today day for which prices are rated
 */
export function rebuildMovers(db: Db, today: number): void {
  db.exec('DELETE FROM movers; DELETE FROM mover_exclusions')
  const candidates = db
    .prepare<[], MirrorCandidate>(
      `SELECT prices.card_id, prices.printing_id, cards.game_id, ${PRODUCT_TYPE} AS product_type,
              market_price, low_price, median_price, base_24h, base_7d, base_30d, changed_at,
              market_since, priced_at, tracked_since
         FROM prices CROSS JOIN cards ON cards.id = prices.card_id
              CROSS JOIN sets ON sets.id = cards.set_id
        WHERE tracked_since IS NOT NULL AND market_price IS NOT NULL
          AND cards.missing_since IS NULL`,
    )
    .all()
  const findOther = openFacts(db).compareMirror(candidates.map(({ card_id }) => card_id))
  const rate = (candidate: MirrorCandidate) => {
    const facts = toMirrorFacts(candidate, dayOfSeconds(candidate.priced_at))
    return LEVEL_ID[assessPrice({ ...facts, other_price: findOther(candidate) }, today).level]
  }
  const { rows, exclusions } = createMoverLists(candidates, rate)
  openRowWriter(db, 'movers', MOVER_COLUMNS)(rows.flat())
  openRowWriter(db, 'mover_exclusions', EXCLUSION_COLUMNS)(exclusions.flat())
  putFirstDays(db, candidates)
}

/** Price of the mirror with the facts for rating it. */
type MirrorCandidate = MoverCandidate &
  MirrorRow &
  Pick<SetRow, 'priced_at'> & { tracked_since: number }

/** Stores since when each game has prices. */
function putFirstDays(db: Db, candidates: readonly MirrorCandidate[]): void {
  const firstDays = new Map<number, number>()
  for (const { game_id, tracked_since } of candidates) {
    const known = firstDays.get(game_id)
    if (known === undefined || tracked_since < known) firstDays.set(game_id, tracked_since)
  }
  db.exec('UPDATE games SET prices_since = NULL')
  const put = db.prepare<[number, number]>('UPDATE games SET prices_since = ? WHERE id = ?')
  for (const [game, day] of firstDays) put.run(day, game)
}

const PRODUCT_TYPE = `iif(product_type = 'Sealed Products', ${PRODUCT_TYPE_ID['Sealed Products']}, ${PRODUCT_TYPE_ID.Cards})`

const LIST_COLUMNS = ['period', 'direction', 'game_id']
const MOVER_COLUMNS = [
  ...LIST_COLUMNS,
  'position',
  'card_id',
  'printing_id',
  'product_type',
  'previous_price',
  'market_price',
  'confidence',
]
const EXCLUSION_COLUMNS = [...LIST_COLUMNS, 'product_type', 'printing_id', 'excluded']

/** Opens the facts of prices for one transaction, in which no other rates are published. */
function openFacts(db: Db): PriceFactStore {
  return openPriceFactStore(db, openExchangeRateStore(db, { onChange: () => {} }))
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
  const listColumns = ['source', 'currency']
  const putMovers = openRowWriter(db, 'source_movers', [...listColumns, ...MOVER_COLUMNS])
  const putExclusions = openRowWriter(db, 'source_mover_exclusions', [
    ...listColumns,
    ...EXCLUSION_COLUMNS,
  ])
  for (const [currency, ofCurrency] of readSourceRows(db, source)) {
    const candidates = pickUsual(ofCurrency)
    const levels = assessMoved(db, candidates, { list: { source, currency }, today })
    const rate = ({ card_id, printing_id }: MoverCandidate) =>
      levels.get(seriesId(card_id, printing_id)) ?? LEVEL_ID.low
    const { rows, exclusions } = createMoverLists(candidates, rate)
    putMovers(rows.flatMap((row) => [source, currency, ...row]))
    putExclusions(exclusions.flatMap((row) => [source, currency, ...row]))
  }
}

/** Price of a raw card of a source. */
type SourceCandidate = MoverCandidate & Pick<PriceKindRow, 'currency' | 'condition'>

/** Reads the raw cards of a source by currency. */
function readSourceRows(db: Db, source: string): Map<string, SourceCandidate[]> {
  const rows = db
    .prepare<[string], SourceCandidate>(
      `SELECT currency, condition, card_id, price_kinds.printing_id, game_id,
              ${PRODUCT_TYPE} AS product_type, market_price, low_price, median_price,
              base_24h, base_7d, base_30d
         FROM source_prices JOIN price_kinds ON price_kinds.id = kind_id
              JOIN cards ON cards.id = card_id
        WHERE source = ? AND grade IS NULL AND tracked_since IS NOT NULL
          AND market_price IS NOT NULL AND missing_since IS NULL`,
    )
    .all(source)
  return Map.groupBy(rows, ({ currency }) => currency)
}

/** Selects the price that represents each printing, as views do. */
function pickUsual(candidates: readonly SourceCandidate[]): MoverCandidate[] {
  const picked = new Map<number, MoverCandidate>()
  for (const wanted of USUAL_CONDITIONS) {
    for (const candidate of candidates) {
      if (candidate.condition !== wanted) continue
      const series = seriesId(candidate.card_id, candidate.printing_id)
      if (!picked.has(series)) picked.set(series, candidate)
    }
  }
  return [...picked.values()]
}

/** Rates the prices of a source's list that changed in any period. @returns numbers of levels by series */
function assessMoved(
  db: Db,
  candidates: readonly MoverCandidate[],
  { list, today }: { list: PriceList; today: number },
): ReadonlyMap<number, number> {
  const moved = candidates.filter(hasMoved)
  const printings = openPrintingStore(db)
  const facts = openFacts(db).listByCards(moved.map(({ card_id }) => card_id))
  const levels = new Map<number, number>()
  for (const ofCard of Map.groupBy(facts, ({ card_id }) => card_id).values()) {
    for (const fact of listUsual(ofCard, list)) {
      const series = seriesId(fact.card_id, printings.getOrCreateId(fact.printing))
      levels.set(series, LEVEL_ID[assessPrice(fact, today).level])
    }
  }
  return levels
}
