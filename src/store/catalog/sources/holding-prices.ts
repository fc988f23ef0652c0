import type { CardPrices, HoldingPrice } from '#rules/collections/choose-price.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import { convertKnown } from '#rules/pricing/viewed-prices.ts'
import { dayOfSeconds } from '#rules/primitives/days.ts'
import type { Db } from '../../db.ts'
import { seriesId } from '../history/history.ts'
import type { PublicationStore } from '../publication.ts'
import type { PriceRow } from '../schema/pricing.ts'
import type { ExchangeRateStore } from './exchange-rates.ts'
import type { SourcePriceRecord, SourcePriceStore } from './source-prices.ts'

/** Prices of a card with the series of their histories. */
export type HoldingCard = CardPrices & {
  /** False for sealed products. */
  is_single: boolean
  set_id: number
  /** Day of the first price of the game; null if unknown. */
  prices_since: number | null
}

/** Queries for the cards of collections. */
export type HoldingPriceStore = {
  /** Returns cards by id; ids that are not in the catalog are omitted. */
  getByIds(ids: Iterable<number>): Map<number, HoldingCard>
  /** Returns the ids of the cards of a set, also of removed ones. */
  listCards(set_id: number): number[]
  /** Returns the ids that count for their sets among some ids: neither sealed products nor removed cards. */
  listSingles(ids: Iterable<number>): Set<number>
  /** Counts those of `listSingles` by set. @param game_id only these sets; undefined for all */
  countBySet(ids: Iterable<number>, game_id: number | undefined): CardsOfSet[]
  /** Counts the single cards of a set; null if it is not in the catalog. */
  countSingles(set_id: number): number | null
}

/** Number of some cards that are in a set. */
export type CardsOfSet = { set_id: number; cards: number }

export function openHoldingPriceStore(
  db: Db,
  publication: Pick<PublicationStore, 'onChange'>,
  { sources, rates }: { sources: SourcePriceStore; rates: Pick<ExchangeRateStore, 'find'> },
): HoldingPriceStore {
  const isDaily = openDailyGames(db, publication)
  // Raw statements, because a collection has up to 250,000 cards.
  const cards = db.prepare<[string], StoredCard>(
    `SELECT cards.id, game_id, set_id, product_type, prices_since
       FROM json_each(+?) AS wanted CROSS JOIN cards ON cards.id = wanted.value
            JOIN games ON games.id = game_id`,
  )
  const prices = db.prepare<[string], StoredPrice>(
    `SELECT card_id, printing_id, name AS printing, market_price, low_price, median_price, base_24h,
            base_7d, base_30d
       FROM json_each(+?) AS wanted
       CROSS JOIN prices ON card_id = wanted.value AND changed_at > 0
       JOIN printings ON printings.id = printing_id
      ORDER BY is_base_printing DESC, printing_id`,
  )
  const ofSet = db.prepare<[number], number>('SELECT id FROM cards WHERE set_id = ?').pluck()
  const singleIds = db
    .prepare<[string], number>(
      `SELECT cards.id FROM json_each(+?) AS wanted CROSS JOIN cards ON cards.id = wanted.value
        WHERE product_type = 'Cards' AND missing_since IS NULL`,
    )
    .pluck()
  const bySet = db.prepare<[{ ids: string; game_id: number | null }], CardsOfSet>(
    `SELECT set_id, count(*) AS cards
       FROM json_each(@ids) AS wanted CROSS JOIN cards ON cards.id = wanted.value
      WHERE product_type = 'Cards' AND missing_since IS NULL
        AND (@game_id IS NULL OR game_id = @game_id)
      GROUP BY set_id`,
  )
  const singles = db
    .prepare<[number], number>('SELECT single_count FROM sets WHERE id = +?')
    .pluck()

  /** Converts a price with the rate of the day on which it was published, as its history is. */
  function toHoldingPrice(
    { currency, bases, published_at, ...price }: SourcePriceRecord,
    game_id: number,
  ): HoldingPrice {
    const day = dayOfSeconds(published_at)
    const rate = rates.find({ from: currency, to: MIRROR_KIND.currency, day })
    const { printing, source, condition, grade, series } = price
    return {
      printing,
      source,
      condition,
      grade,
      currency,
      market_price: convertKnown(price.market_price, rate),
      low_price: convertKnown(price.low_price, rate),
      median_price: convertKnown(price.median_price, rate),
      base_24h: convertKnown(bases['24h'], rate),
      base_7d: convertKnown(bases['7d'], rate),
      base_30d: convertKnown(bases['30d'], rate),
      is_daily: isDaily({ source, currency, game_id }),
      series,
    }
  }

  return {
    getByIds(ids) {
      const list = toJson(ids)
      const found = new Map<
        number,
        HoldingCard & { game_id: number; mirror: HoldingPrice[]; others: HoldingPrice[] }
      >()
      for (const { id, product_type, ...card } of cards.all(list)) {
        const is_single = product_type !== 'Sealed Products'
        found.set(id, { ...card, is_single, mirror: [], others: [] })
      }
      for (const { card_id, printing_id, ...price } of prices.all(list)) {
        const card = found.get(card_id)
        if (card === undefined) continue
        const is_daily = isDaily({ ...MIRROR_KIND, game_id: card.game_id })
        const series = seriesId(card_id, printing_id)
        card.mirror.push({ ...price, ...MIRROR_KIND, is_daily, series })
      }
      for (const [card_id, records] of sources.listByCards(found.keys())) {
        const isForeign = ({ currency }: SourcePriceRecord) => currency !== MIRROR_KIND.currency
        // A price that need not be converted comes first.
        const ordered = [
          ...records.filter((record) => !isForeign(record)),
          ...records.filter(isForeign),
        ]
        const card = found.get(card_id)
        card?.others.push(...ordered.map((record) => toHoldingPrice(record, card.game_id)))
      }
      return found
    },
    listCards: (set_id) => ofSet.all(set_id),
    listSingles: (ids) => new Set(singleIds.all(toJson(ids))),
    countBySet: (ids, game_id) => bySet.all({ ids: toJson(ids), game_id: game_id ?? null }),
    countSingles: (set_id) => singles.get(set_id) ?? null,
  }
}

type StoredCard = Pick<HoldingCard, 'set_id' | 'prices_since'> & {
  id: number
  game_id: number
  product_type: string | null
}

type StoredPrice = Pick<
  PriceRow,
  | 'card_id'
  | 'printing_id'
  | 'market_price'
  | 'low_price'
  | 'median_price'
  | 'base_24h'
  | 'base_7d'
  | 'base_30d'
> & { printing: string }

type PricesOfGame = { source: string; currency: string; game_id: number }

/** Returns a function that tells whether a source has prices of the day before for a game, as lists of movers ask. */
function openDailyGames(db: Db, publication: Pick<PublicationStore, 'onChange'>) {
  const mirror = db
    .prepare<[game: number], number>(
      `SELECT 1 FROM cards JOIN prices ON card_id = cards.id
        WHERE game_id = +? AND missing_since IS NULL AND market_price IS NOT NULL
          AND base_24h IS NOT NULL LIMIT 1`,
    )
    .pluck()
  const others = db
    .prepare<[source: string, currency: string, game: number], number>(
      `SELECT 1 FROM cards JOIN source_prices ON card_id = cards.id
              JOIN price_kinds ON price_kinds.id = kind_id
        WHERE source = ? AND currency = ? AND game_id = +? AND missing_since IS NULL
          AND grade IS NULL AND market_price IS NOT NULL AND base_24h IS NOT NULL LIMIT 1`,
    )
    .pluck()
  const known = new Map<string, boolean>()
  publication.onChange(() => known.clear())
  return ({ source, currency, game_id }: PricesOfGame): boolean => {
    const key = `${source} ${currency} ${game_id}`
    const found =
      known.get(key) ??
      (source === MIRROR_KIND.source
        ? mirror.get(game_id)
        : others.get(source, currency, game_id)) !== undefined
    known.set(key, found)
    return found
  }
}

function toJson(ids: Iterable<number>): string {
  return JSON.stringify([...new Set(ids)])
}
