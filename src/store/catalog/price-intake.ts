import type { PriceIntake } from '#rules/intake.ts'
import { type Bases, basesOf } from '#rules/price-change.ts'
import { priceText } from '#rules/price-text.ts'
import { foilOnly } from '#rules/printings.ts'
import type { Db } from '../db.ts'
import { seriesId } from './history.ts'
import { openHistoryIntake, TRACKED_CENTS_MIN } from './history-intake.ts'
import { openPrintingIds } from './printing-ids.ts'

/** A set's prices as one publication of the upstream tells them. */
export type SetPrices = {
  set_id: number
  /** The day that the prices are of. */
  day: number
  /** Upstream publish time, epoch seconds. */
  published_at: number
  /** Undefined: the upstream says that they are what they were. */
  prices: readonly PriceIntake[] | undefined
  /** Cards with an unreadable price record: what is known of their printings stays. */
  unreadable: ReadonlySet<number>
}

/**
 * Writes a set's prices: the current row of each printing, the day's history point, the bases of the
 * changes and the rendered text. Rows that did not change are not written.
 */
export function openPriceIntake(db: Db) {
  const history = openHistoryIntake(db)
  const known = db.prepare<[number], StoredRow>(
    `SELECT prices.*, printings.name AS printing
       FROM cards JOIN prices ON prices.card_id = cards.id
       JOIN printings ON printings.id = prices.printing_id
      WHERE cards.set_id = ? ORDER BY prices.card_id, prices.printing_id`,
  )
  const cardsOfSet = db.prepare<[number], CardRow>(
    `SELECT id, foil_only, told_foil_only, price_texts.set_id AS text_set_id
       FROM cards LEFT JOIN price_texts ON card_id = id WHERE cards.set_id = ?`,
  )
  const put = db.prepare(
    `INSERT INTO prices VALUES (@card_id, @printing_id, @market_price, @low_price, @median_price,
       @lowest_with_shipping, @buylist_price, @base_24h, @base_7d, @base_30d, @tracked_since,
       @changed_at)
     ON CONFLICT DO UPDATE SET market_price = excluded.market_price,
       low_price = excluded.low_price, median_price = excluded.median_price,
       lowest_with_shipping = excluded.lowest_with_shipping,
       buylist_price = excluded.buylist_price, base_24h = excluded.base_24h,
       base_7d = excluded.base_7d, base_30d = excluded.base_30d,
       tracked_since = excluded.tracked_since, changed_at = excluded.changed_at`,
  )
  const putText = db.prepare<[number, number, string]>(
    `INSERT INTO price_texts (card_id, set_id, prices) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET set_id = excluded.set_id, prices = excluded.prices`,
  )
  const markFoil = db.prepare<[number, number]>('UPDATE cards SET foil_only = ? WHERE id = ?')
  const printingId = openPrintingIds(db)

  /** The day's point of one printing, and the bases that follow from all its points. */
  function record(row: StoredRow, sales: Sales, day: number): void {
    if (row.tracked_since === null && (row.market_price ?? 0) >= TRACKED_CENTS_MIN) {
      row.tracked_since = day
    }
    if (row.tracked_since === null) return
    const series = seriesId(row.card_id, row.printing_id)
    const { market_price, low_price } = row
    history.put(series, { day, market_price, low_price, ...sales })
    setBases(row, basesOf(history.recent(series, day), day))
  }

  return {
    /** Prices of cards that the catalog does not have are left out, and counted. */
    replace({ set_id, day, published_at, prices, unreadable }: SetPrices): PriceCounts {
      const cards = new Map(cardsOfSet.all(set_id).map((card) => [card.id, card]))
      let orphans = 0
      const before = known.all(set_id)
      const current = new Map(before.map((row) => [keyOf(row), { ...row }]))
      const sales = new Map<string, Sales>()
      if (prices !== undefined) {
        for (const row of current.values()) if (!unreadable.has(row.card_id)) forgetPrice(row)
        for (const price of prices) {
          if (!cards.has(price.card_id)) {
            orphans++
            continue
          }
          const { avg_sales_price, sales_volume, ...values } = price
          const key = keyOf(price)
          sales.set(key, { avg_sales_price, sales_volume })
          const row = current.get(key) ?? emptyRow(price.card_id, printingId(price.printing))
          current.set(key, Object.assign(row, values))
        }
      }
      const old = new Map(before.map((row) => [keyOf(row), row]))
      const touched = new Set<number>()
      let changed = 0
      for (const [key, row] of current) {
        // A price that could not be read is not the day's price: it leaves no point.
        if (!unreadable.has(row.card_id) || sales.has(key)) {
          record(row, sales.get(key) ?? NO_SALES, day)
        }
        const was = old.get(key)
        const priceChanged = was === undefined || PRICES.some((field) => was[field] !== row[field])
        if (priceChanged) {
          row.changed_at = published_at
          changed++
        }
        if (priceChanged || DERIVED.some((field) => was[field] !== row[field])) {
          put.run(row)
          touched.add(row.card_id)
        }
      }
      renderCards(set_id, cards.values(), touched, current.values())
      return { changed, orphans }
    },

    /** Counts the changes of a set again, after older points were imported. */
    recount(set_id: number, day: number): void {
      const touched = new Set<number>()
      const rows = known.all(set_id)
      for (const row of rows) {
        if (row.tracked_since === null) continue
        const bases = basesOf(history.recent(seriesId(row.card_id, row.printing_id), day), day)
        const same = DERIVED_BASES.every(([field, period]) => row[field] === bases[period])
        // A printing that only the archives know has no text yet; its row says so by its time.
        if (same && row.changed_at > 0) continue
        setBases(row, bases)
        put.run(row)
        touched.add(row.card_id)
      }
      renderCards(set_id, cardsOfSet.all(set_id), touched, rows)
    },
  }

  function renderCards(
    setId: number,
    cards: Iterable<CardRow>,
    touched: Set<number>,
    rows: Iterable<StoredRow>,
  ): void {
    const byCard = new Map<number, StoredRow[]>()
    for (const row of rows) {
      const ofCard = byCard.get(row.card_id)
      if (ofCard === undefined) byCard.set(row.card_id, [row])
      else ofCard.push(row)
    }
    for (const card of cards) {
      const ofCard = byCard.get(card.id) ?? []
      if (touched.has(card.id) || (card.text_set_id !== setId && ofCard.length > 0)) {
        ofCard.sort((a, b) => a.printing_id - b.printing_id)
        const stored = ofCard.map((row) => ({ ...row, bases: basesIn(row) }))
        putText.run(card.id, setId, priceText(stored))
      }
      const foil = card.told_foil_only ?? foilOnly(ofCard.map((row) => row.printing))
      if (foil !== card.foil_only) markFoil.run(foil, card.id)
    }
  }
}

type StoredRow = {
  card_id: number
  printing_id: number
  printing: string
  market_price: number | null
  low_price: number | null
  median_price: number | null
  lowest_with_shipping: number | null
  buylist_price: number | null
  base_24h: number | null
  base_7d: number | null
  base_30d: number | null
  tracked_since: number | null
  changed_at: number
}
type CardRow = {
  id: number
  foil_only: number
  told_foil_only: number | null
  text_set_id: number | null
}

/** How many printings have another price than before, and how many rows had no card. */
export type PriceCounts = { changed: number; orphans: number }

type Sales = { avg_sales_price: number | null; sales_volume: number | null }

const NO_SALES: Sales = { avg_sales_price: null, sales_volume: null }

const PRICES = [
  'market_price',
  'low_price',
  'median_price',
  'lowest_with_shipping',
  'buylist_price',
] as const
const DERIVED_BASES = [
  ['base_24h', '24h'],
  ['base_7d', '7d'],
  ['base_30d', '30d'],
] as const
const DERIVED = ['base_24h', 'base_7d', 'base_30d', 'tracked_since'] as const

function keyOf(row: { card_id: number; printing: string }): string {
  return `${row.card_id}/${row.printing}`
}

function emptyRow(cardId: number, printingId: number): StoredRow {
  const row = { card_id: cardId, printing_id: printingId, printing: '', changed_at: 0 }
  return { ...row, ...NO_PRICE, base_24h: null, base_7d: null, base_30d: null, tracked_since: null }
}

const NO_PRICE = {
  market_price: null,
  low_price: null,
  median_price: null,
  lowest_with_shipping: null,
  buylist_price: null,
}

/** A printing that the upstream no longer lists keeps its row; its price is unknown. */
function forgetPrice(row: StoredRow): void {
  Object.assign(row, NO_PRICE)
}

function setBases(row: StoredRow, bases: Bases): void {
  for (const [field, period] of DERIVED_BASES) row[field] = bases[period]
}

function basesIn(row: StoredRow): Bases {
  return { '24h': row.base_24h, '7d': row.base_7d, '30d': row.base_30d }
}
