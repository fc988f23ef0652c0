import { chooseBasePrinting } from '#rules/catalog/base-printing.ts'
import type { UpstreamPrice } from '#rules/catalog/catalog-records.ts'
import { foilOnly } from '#rules/catalog/printings.ts'
import { formatChanges, formatPrices } from '#rules/pricing/price-json.ts'
import { dayOfSeconds } from '#rules/primitives/days.ts'
import type { Db } from '../db.ts'
import { openRowWriter, type RowValue } from '../row-writer.ts'
import { seriesId } from './history/history.ts'
import { openHistoryWriter, type PointTracker, trackPrice } from './history/history-writer.ts'
import {
  applyPrice,
  type CardsById,
  emptyPriceState,
  findMarketSince,
  hasChangedPercentages,
  isDoubtful,
  NO_PRICE,
  openSetReader,
  type PriceState,
  setBases,
  toColumns,
  WRITTEN_COLUMNS,
} from './price-rows.ts'
import { openPrintingStore } from './printings.ts'
import { countCards, type SetCounts } from './set-counts.ts'

/** Prices of a set as the upstream published them. */
export type SetPrices = {
  set_id: number
  /** Day of the prices. */
  day: number
  /** Upstream publish time, epoch seconds. */
  published_at: number
  /** Catalog version in which they are written. */
  version: number
  /** Undefined if the prices are unchanged. */
  prices: readonly UpstreamPrice[] | undefined
  /** Cards with an unreadable price record; the stored prices of their printings stay. */
  unreadable: ReadonlySet<number>
}

/** Result of writing a set's prices. */
type WrittenPrices = SetCounts & {
  /** Number of printings whose price changed. */
  changed: number
  /** True if the JSON of any price or the `foil_only` of any card changed. */
  updated: boolean
  /** Number of prices without a card. */
  orphans: number
}

/**
 * Writes a set's prices: the current row of each printing, the day's history point, the bases of
 * changes, the base printing and the rendered JSON. Unchanged rows are not written; rows whose JSON changes are marked
 * with the version.
 */
export type PriceWriter = {
  /** Replaces a set's prices; prices of cards that the catalog does not have are counted and skipped. */
  replace(prices: SetPrices): WrittenPrices
  /**
   * Recomputes the changes of a set after older points were imported.
   *
   * @param published_at publish time of the set's prices, epoch seconds
   * @returns the counts of the set, and `updated` as of `replace`
   */
  recount(
    set_id: number,
    published_at: number,
    version: number,
  ): SetCounts & Pick<WrittenPrices, 'updated'>
}

export function openPriceWriter(db: Db): PriceWriter {
  const history = openHistoryWriter(db)
  const printings = openPrintingStore(db)
  const { readCards, readRows } = openSetReader(db, printings)
  const putRows = openRowWriter(
    db,
    'prices',
    WRITTEN_COLUMNS,
    `ON CONFLICT DO UPDATE SET market_price = excluded.market_price,
       low_price = excluded.low_price, median_price = excluded.median_price,
       lowest_with_shipping = excluded.lowest_with_shipping,
       buylist_price = excluded.buylist_price, base_24h = excluded.base_24h,
       base_7d = excluded.base_7d, base_30d = excluded.base_30d,
       tracked_since = excluded.tracked_since, changed_at = excluded.changed_at,
       market_since = excluded.market_since,
       updated_in = coalesce(nullif(excluded.updated_in, 0), updated_in)`,
  )
  const putTexts = openRowWriter(
    db,
    'price_texts',
    ['card_id', 'set_id', 'prices'],
    'ON CONFLICT DO UPDATE SET set_id = excluded.set_id, prices = excluded.prices',
  )
  const putChanges = openRowWriter(
    db,
    'price_changes',
    ['card_id', 'changes'],
    'ON CONFLICT DO UPDATE SET changes = excluded.changes',
  )
  // The base printing is a part of its card's JSON.
  const markBase = db.prepare<[number, number | null, number, number, number]>(
    `UPDATE prices SET is_base_printing = ?, preferred_since = ?, updated_in = max(updated_in, ?)
      WHERE card_id = ? AND printing_id = ?`,
  )
  const markFoil = db.prepare<[number, number, number]>(
    'UPDATE cards SET foil_only = ?, updated_in = ? WHERE id = ?',
  )

  /** Writes a printing's point of the day and its base prices. @returns true if the row changed */
  function record(
    tracker: PointTracker,
    row: PriceState,
    upstream: UpstreamPrice | undefined,
    day: number,
  ): boolean {
    return trackPrice(tracker, seriesId(row.card_id, row.printing_id), row, {
      day,
      avg_sales_price: upstream?.avg_sales_price ?? null,
      sales_volume: upstream?.sales_volume ?? null,
    })
  }

  /** Matches the stored rows of a set with the upstream's prices. */
  function matchPrices(
    prices: readonly UpstreamPrice[] | undefined,
    cards: CardsById,
    stored: PriceState[],
  ) {
    const rows = new Map<number, PriceState>()
    for (const row of stored) rows.set(seriesId(row.card_id, row.printing_id), row)
    const upstreamPrices = new Map<PriceState, UpstreamPrice>()
    let orphans = 0
    for (const price of prices ?? []) {
      if (!cards.has(price.card_id)) {
        orphans++
        continue
      }
      const printing = printings.getOrCreateId(price.printing)
      const series = seriesId(price.card_id, printing)
      const row = rows.get(series) ?? emptyPriceState(price, printing)
      rows.set(series, row)
      upstreamPrices.set(row, price)
    }
    return { rows: [...rows.values()], upstreamPrices, orphans }
  }

  return {
    replace({ set_id, day, published_at, version, prices, unreadable }) {
      const cards = readCards(set_id)
      const { rows, upstreamPrices, orphans } = matchPrices(prices, cards, readRows(set_id))
      const touched: Touched = { priced: new Set(), shifted: new Set() }
      const tracker = history.openTracker()
      const changedRows: RowValue[] = []
      let changed = 0
      let updated = false
      for (const row of rows) {
        const price = upstreamPrices.get(row)
        // An unreadable price stays unchanged and gets no point for the day.
        if (prices !== undefined && price === undefined && unreadable.has(row.card_id)) continue
        const market = row.market_price
        const priceChanged = prices !== undefined && applyPrice(row, price ?? NO_PRICE)
        if (priceChanged) changed++
        // A printing known only from archives stays at 0 until the upstream lists it.
        const isNew = row.changed_at === 0 && price !== undefined
        if (priceChanged || isNew) {
          row.market_since = findMarketSince(row, market, day)
          row.changed_at = published_at
        }
        const before = row.bases
        const derivedChanged = record(tracker, row, price, day)
        if (!priceChanged && !derivedChanged && !isNew) continue
        const isPriced = priceChanged || isNew
        const shows = isListed(row) && (isPriced || hasChangedPercentages(row, before))
        changedRows.push(...toColumns(row, shows ? version : 0))
        if (isPriced) touched.priced.add(row.card_id)
        if (shows) touched.shifted.add(row.card_id)
        if (shows) updated = true
      }
      tracker.flush()
      putRows(changedRows)
      if (renderCards({ set_id, version, day, cards, touched, rows })) updated = true
      return { changed, updated, orphans, ...countCards(cards, rows, day) }
    },

    recount(set_id, published_at, version) {
      const day = dayOfSeconds(published_at)
      const touched: Touched = { priced: new Set(), shifted: new Set() }
      const changedRows: RowValue[] = []
      let updated = false
      const rows = readRows(set_id)
      for (const row of rows) {
        if (row.tracked_since === null) continue
        const series = seriesId(row.card_id, row.printing_id)
        const before = row.bases
        const basesChanged = setBases(row, history.readBases(series, day))
        const since = history.findStart(series, day, row.market_price)
        const isOlder = since < findMarketSince(row, row.market_price, day)
        if (isOlder) row.market_since = since
        if (!basesChanged && !isOlder) continue
        const shows = isListed(row) && hasChangedPercentages(row, before)
        changedRows.push(...toColumns(row, shows ? version : 0))
        if (shows) touched.shifted.add(row.card_id)
        if (shows) updated = true
      }
      putRows(changedRows)
      const cards = readCards(set_id)
      if (renderCards({ set_id, version, day, cards, touched, rows })) updated = true
      return { updated, ...countCards(cards, rows, day) }
    },
  }

  /** Marks the printing that represents a card. @returns true if it is another one than before */
  function markBasePrinting(
    ofCard: readonly PriceState[],
    { day, version }: { day: number; version: number },
  ): boolean {
    const { base, rival } = chooseBasePrinting(ofCard, day, (row) => isDoubtful(row, day))
    let isOther = false
    for (const row of ofCard) {
      const is_base_printing = row === base ? 1 : 0
      const preferred_since = row === rival?.printing ? rival.since : null
      const isMoved = row.is_base_printing !== is_base_printing
      if (!isMoved && row.preferred_since === preferred_since) continue
      if (isMoved && is_base_printing === 0) isOther = true
      row.is_base_printing = is_base_printing
      row.preferred_since = preferred_since
      const shown = isMoved ? version : 0
      markBase.run(is_base_printing, preferred_since, shown, row.card_id, row.printing_id)
    }
    return isOther
  }

  /** @returns true if `foil_only` or the base printing of any card changed */
  function renderCards(set: {
    set_id: number
    version: number
    day: number
    cards: CardsById
    touched: Touched
    rows: readonly PriceState[]
  }): boolean {
    const { set_id, version, day, cards, touched, rows } = set
    let marked = false
    const texts: RowValue[] = []
    const changes: RowValue[] = []
    const byCard = Map.groupBy(rows, (row) => row.card_id)
    for (const card of cards.values()) {
      const ofCard = (byCard.get(card.id) ?? []).filter(isListed)
      const hasNewPrice = touched.priced.has(card.id)
      // Otherwise the choice stays, unless it waits for its day.
      const isOpen = hasNewPrice || ofCard.some(({ preferred_since }) => preferred_since !== null)
      const hasNewChange = touched.shifted.has(card.id)
      if (isOpen || hasNewChange) ofCard.sort((a, b) => a.printing_id - b.printing_id)
      const isMoved = isOpen && markBasePrinting(ofCard, { day, version })
      if (isMoved) marked = true
      const isPriced = isMoved || hasNewPrice
      const isShifted = isMoved || hasNewChange
      if (isPriced || isShifted) ofCard.sort((a, b) => b.is_base_printing - a.is_base_printing)
      if (isPriced) texts.push(card.id, set_id, formatPrices(ofCard))
      if (isShifted) changes.push(card.id, formatChanges(ofCard))
      const foil = card.told_foil_only ?? foilOnly(ofCard)
      if (foil === card.foil_only) continue
      markFoil.run(foil, version, card.id)
      marked = true
    }
    putTexts(texts)
    putChanges(changes)
    return marked
  }
}

/** Ids of the cards whose price texts, or whose changes in percent, must be written. */
type Touched = { priced: Set<number>; shifted: Set<number> }

/** Returns false for a printing that is known only from archives, with a history but without a current price. */
function isListed({ changed_at }: PriceState): boolean {
  return changed_at > 0
}
