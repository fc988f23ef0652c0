import type { PriceFacts } from '#rules/pricing/confidence.ts'
import { convertCents } from '#rules/pricing/exchange-rates.ts'
import { MIRROR_KIND, NATIVE_SOURCES, type PriceKey } from '#rules/pricing/price-key.ts'
import { dayOfSeconds } from '#rules/primitives/days.ts'
import type { Db } from '../../db.ts'
import { openPrintingStore } from '../printings.ts'
import type { CardRow, SetRow } from '../schema/catalog.ts'
import type { PriceRow } from '../schema/pricing.ts'
import type { ExchangeRateStore } from './exchange-rates.ts'
import { openSourcePriceStore } from './source-prices.ts'

/** A price of any source with the facts for rating it. */
export type PriceFactRecord = PriceKey & PriceFacts

/** Queries for the facts by which prices are rated. */
export type PriceFactStore = {
  /** Lists the facts of all prices of cards, those of the mirror first, in any order of cards. */
  listByCards(cardIds: Iterable<number>): PriceFactRecord[]
  /** Returns a function that finds the market price of a printing of these cards in the other market. */
  compareMirror(
    cardIds: Iterable<number>,
  ): (price: Pick<PriceRow, 'card_id' | 'printing_id'> & Pick<SetRow, 'priced_at'>) => number | null
}

export function openPriceFactStore(db: Db, rates: Pick<ExchangeRateStore, 'find'>): PriceFactStore {
  const printings = openPrintingStore(db)
  const sourcePrices = openSourcePriceStore(db)
  const ofCards = db.prepare<[string], PricedCard>(
    `SELECT cards.id AS card_id, cards.game_id, priced_at
       FROM json_each(+?) AS wanted CROSS JOIN cards ON cards.id = wanted.value
            JOIN sets ON sets.id = set_id`,
  )
  // Excludes rows known only from archives, without a current price (`changed_at` is 0).
  const ofMirror = db.prepare<[string], MirrorRow>(
    `SELECT card_id, printing_id, market_price, low_price, median_price, base_24h, base_7d,
            base_30d, changed_at, market_since
       FROM json_each(+?) AS wanted CROSS JOIN prices ON card_id = wanted.value
      WHERE changed_at > 0`,
  )

  function readMirror(row: MirrorRow, published_day: number): Draft {
    const printing = printings.getName(row.printing_id)
    return { card_id: row.card_id, printing, ...MIRROR_KIND, ...toMirrorFacts(row, published_day) }
  }

  /** Reads the prices of other sources. */
  function readOthers(cards: ReadonlyMap<number, PricedCard>): Draft[] {
    const found = [...sourcePrices.listByCards(cards.keys()).values()].flat()
    if (found.length === 0) return []
    const published = new Map(
      sourcePrices.listSources().map((one) => [`${one.source} ${one.game_id}`, one.published_at]),
    )
    return found.map(({ series, tracked_since, changed_at, ...price }) => {
      const publishedAt =
        published.get(`${price.source} ${cards.get(price.card_id)?.game_id}`) ??
        published.get(`${price.source} 0`) ??
        changed_at
      const published_day = dayOfSeconds(publishedAt)
      return { ...price, published_day, unchanged_days: published_day - dayOfSeconds(changed_at) }
    })
  }

  /** Finds the market price of the same printing in the other market, in the same currency. */
  function findOther(
    price: Pick<Draft, 'source' | 'currency' | 'published_day'>,
    comparable: readonly Pick<Draft, 'source' | 'currency' | 'market_price'>[],
  ): number | null {
    const { currency: to, published_day: day } = price
    for (const { source, market_price, currency: from } of comparable) {
      if (source === price.source || market_price === null) continue
      const rate = rates.find({ from, to, day })
      if (rate !== undefined) return convertCents(market_price, rate)
    }
    return null
  }

  return {
    listByCards(cardIds) {
      const wanted = JSON.stringify([...new Set(cardIds)])
      const cards = new Map(ofCards.all(wanted).map((card) => [card.card_id, card]))
      const mirror = ofMirror.all(wanted).map((row) => {
        return readMirror(row, dayOfSeconds(cards.get(row.card_id)?.priced_at ?? 0))
      })
      const others = readOthers(cards)
      if (others.length === 0) return mirror.map((draft) => ({ ...draft, other_price: null }))
      const drafts = [...mirror, ...others]
      const comparable = Map.groupBy(drafts.filter(isComparable), keyOf)
      return drafts.map((draft) => {
        const among = isComparable(draft) ? comparable.get(keyOf(draft)) : undefined
        return { ...draft, other_price: among === undefined ? null : findOther(draft, among) }
      })
    },
    compareMirror(cardIds) {
      const others = [...sourcePrices.listByCards(cardIds).values()].flat().filter(isComparable)
      if (others.length === 0) return () => null
      const byPrinting = Map.groupBy(others, keyOf)
      return ({ card_id, printing_id, priced_at }) => {
        const printing = printings.getName(printing_id)
        const price = { ...MIRROR_KIND, published_day: dayOfSeconds(priced_at) }
        return findOther(price, byPrinting.get(keyOf({ card_id, printing })) ?? [])
      }
    },
  }
}

type Draft = Omit<PriceFactRecord, 'other_price'>

type PricedCard = Pick<SetRow, 'priced_at'> & Pick<CardRow, 'game_id'> & { card_id: number }

/** Current price of the mirror, as stored. */
export type MirrorRow = Omit<
  PriceRow,
  | 'lowest_with_shipping'
  | 'buylist_price'
  | 'tracked_since'
  | 'updated_in'
  | 'is_base_printing'
  | 'preferred_since'
>

/** Returns the facts of a price of the mirror, without the price in the other market. */
export function toMirrorFacts(
  row: MirrorRow,
  published_day: number,
): Omit<PriceFacts, 'other_price'> {
  const { market_price, low_price, median_price, changed_at, market_since } = row
  return {
    market_price,
    low_price,
    median_price,
    bases: { '24h': row.base_24h, '7d': row.base_7d, '30d': row.base_30d },
    published_day,
    unchanged_days: published_day - (market_since ?? dayOfSeconds(changed_at)),
    sale_count: null,
  }
}

const MARKETS: ReadonlySet<string> = new Set(Object.values(NATIVE_SOURCES))

/** Returns true for a raw card in good condition on a market. An operator's own prices do not confirm others. */
function isComparable({ source, condition, grade }: PriceKey): boolean {
  return MARKETS.has(source) && grade === null && (condition ?? 'near_mint') === 'near_mint'
}

function keyOf({ card_id, printing }: Pick<PriceKey, 'card_id' | 'printing'>): string {
  return `${card_id} ${printing}`
}
