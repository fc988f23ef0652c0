import { simplifyPrintings } from '#rules/catalog/base-printing.ts'
import {
  completePrices,
  countPrices,
  type PriceJson,
  type PriceTexts,
  parsePrices,
  singlePrice,
} from '#rules/pricing/price-json.ts'
import type { PriceOrigin } from '#rules/pricing/price-view.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type { Db } from '../db.ts'
import type { JsonForm } from './card-store.ts'
import type { PublicationStore } from './publication.ts'
import { createRecentCache } from './recent-cache.ts'
import type { CardRow } from './schema/catalog.ts'
import type { PriceRow, PriceTextRow } from './schema/pricing.ts'

/**
 * Queries for current prices. JSON text is rendered when prices change. The base printing comes first among the prices
 * of a card.
 */
export type PriceStore = {
  /** Returns all printings of a card as JSON; undefined if it has no price rows. */
  getByCard(cardId: number): PricesText | undefined
  /** Lists the same prices as objects. */
  listByCard(cardId: number): PriceJson[] | undefined
  /** Returns the base printing of a card with its price in dollars; both null without prices. */
  getBase(cardId: number): BasePrice
  /** Returns the same base printing as JSON. */
  getBaseText(cardId: number): string
  /** Lists the names of a card's printings; empty if it has no price rows. */
  listPrintings(cardId: number): string[]
  /** Returns each card's printings as a JSON array by card id; cards without prices are omitted. */
  getByCards(ids: readonly number[]): Map<number, string>
  /** Lists each card's printings by card id; cards without prices are omitted. */
  listByCards(ids: readonly number[]): Map<number, PriceJson[]>
  /**
   * Lists one price per card, a SimplePriceRecord as JSON text or an object, in the order of `ids`; ids that are not
   * in the catalog are omitted.
   */
  listSimple(ids: readonly number[], form?: JsonForm): SimplePrice[]
  /**
   * Lists every price of a set, one row per printing, by collector number. A card without prices has a row with a null
   * printing and null prices.
   */
  listBySet(setId: number): Generator<SetPriceRecord>
  /** Lists the rows of a set that changed after a version of the catalog. */
  listBySetSince(setId: number, version: number): Generator<SetPriceRecord>
  /** Lists the cards of a set with their prices, by collector number. */
  listCardsOfSet(setId: number): Iterable<PricedSetCard>
}

export function openPriceStore(db: Db, publication: PublicationStore): PriceStore {
  // Raw statements, because this is the most frequent query of the service, and Drizzle would triple its cost.
  const ofCard = db.prepare<[number], Omit<StoredPrices, 'card_id'>>(
    `SELECT set_id, prices, changes
       FROM price_texts LEFT JOIN price_changes USING (card_id) WHERE card_id = +?`,
  )
  const ofSet = db.prepare<[number], SetPriceRow>(
    `SELECT cards.id AS card_id, cards.name, cards.number, cards.rarity, cards.product_type,
            cards.foil_only, prices, changes
       FROM cards LEFT JOIN price_texts ON price_texts.card_id = cards.id
            LEFT JOIN price_changes ON price_changes.card_id = cards.id
      WHERE cards.set_id = +? AND missing_since IS NULL ORDER BY cards.number_key, cards.id`,
  )

  const base = db.prepare<[number], BasePrice>(
    `SELECT printings.name AS printing, market_price
       FROM prices JOIN printings ON printings.id = printing_id
      WHERE card_id = +? AND is_base_printing = 1`,
  )
  // Does not join `cards`, because each row of another large table costs as much as the price itself.
  const ofCards = db.prepare<[string], StoredPrices>(
    `SELECT card_id, set_id, prices, changes
       FROM json_each(+?) AS wanted CROSS JOIN price_texts ON card_id = wanted.value
            LEFT JOIN price_changes USING (card_id)`,
  )
  const unpriced = db.prepare<[string], PricedSet>(
    `SELECT cards.id AS card_id, set_id
       FROM json_each(+?) AS wanted CROSS JOIN cards ON cards.id = wanted.value`,
  )
  // Includes changed cards, because prices show fields of the card such as its name.
  const updatedPrintings = db.prepare<
    [number, number, number],
    Pick<PriceRow, 'card_id'> & { name: string | null }
  >(
    `SELECT cards.id AS card_id, printings.name
       FROM cards LEFT JOIN prices ON card_id = cards.id LEFT JOIN printings ON printings.id = printing_id
      WHERE cards.set_id = +? AND (prices.updated_in > +? OR cards.updated_in > +?)`,
  )

  const getByCard = createRecentCache(publication, (cardId) => {
    const row = ofCard.get(cardId)
    if (row === undefined) return undefined
    const json = completePrices(row, publication.getPricedAt(row.set_id))
    return { json, count: countPrices(json) }
  })
  const getBase = createRecentCache(publication, (cardId) => {
    const row = base.get(cardId)
    if (row === undefined) return undefined
    const price: BasePrice = { ...row, market_price: toDollars(row.market_price) }
    return { price, json: JSON.stringify(price) }
  })

  /**
   * Returns a set's cards with their prices by collector number, optionally only some cards. Rows are read at once
   * and parsed one by one, because a slow reader of a stream must not keep a statement open.
   */
  function readRows(
    setId: number,
    only?: { has(cardId: number): boolean },
  ): Iterable<PricedSetCard> {
    const rows = ofSet.all(setId)
    const wanted = only === undefined ? rows : rows.filter(({ card_id }) => only.has(card_id))
    return parseRows(wanted, publication.getPricedAt(setId))
  }

  /** Reads the prices of cards by id; cards without prices are omitted. */
  function readCards<T>(
    ids: readonly number[],
    read: (texts: PriceTexts, publishedAt: string) => T,
  ): Map<number, T> {
    const rows = ofCards.all(JSON.stringify(ids))
    return new Map(rows.map((row) => [row.card_id, read(row, publication.getPricedAt(row.set_id))]))
  }

  return {
    getByCard,
    listByCard(cardId) {
      // Most texts are in memory, so parsing one takes half the time of reading its row.
      const prices = getByCard(cardId)
      return prices === undefined ? undefined : (JSON.parse(prices.json) as PriceJson[])
    },
    getBase: (cardId) => getBase(cardId)?.price ?? NO_BASE,
    getBaseText: (cardId) => getBase(cardId)?.json ?? NO_BASE_TEXT,
    listPrintings: (cardId) =>
      parsePrices(ofCard.get(cardId) ?? NO_TEXTS, '').map(({ printing }) => printing),
    getByCards: (ids) => readCards(ids, completePrices),
    listByCards: (ids) => readCards(ids, parsePrices),
    listSimple(ids, form = 'text') {
      const simplify = form === 'text' ? renderSimple : readSimple
      const found = new Map<number, SimplePrice['data']>()
      for (const row of ofCards.all(JSON.stringify(ids))) {
        const { card_id, set_id } = row
        found.set(card_id, simplify(card_id, row, publication.getPricedAt(set_id)))
      }
      const others = ids.filter((id) => !found.has(id))
      for (const { card_id, set_id } of others.length === 0
        ? []
        : unpriced.all(JSON.stringify(others))) {
        found.set(card_id, simplify(card_id, NO_TEXTS, publication.getPricedAt(set_id)))
      }
      return ids.flatMap((card_id) => {
        const data = found.get(card_id)
        return data === undefined ? [] : { card_id, data }
      })
    },
    listBySet: (setId) => flattenCards(readRows(setId), NO_PRICE_FIELDS),
    *listBySetSince(setId, version) {
      const updated = updatedPrintings.all(setId, version, version)
      const byCard = Map.groupBy(updated, ({ card_id }) => card_id)
      for (const row of flattenCards(readRows(setId, byCard), NO_PRICE_FIELDS)) {
        if (byCard.get(row.card_id)?.some(({ name }) => name === row.printing)) yield row
      }
    },
    listCardsOfSet: (setId) => readRows(setId),
  }
}

type PricedSet = Pick<PriceTextRow, 'card_id' | 'set_id'>

type StoredPrices = PricedSet & PriceTexts

const NO_TEXTS: PriceTexts = { prices: null, changes: null }

/** A card in a list of prices, with the prices of its printings. */
export type PricedSetCard<Price = PriceJson> = { card: SetCard; prices: Price[] }

function* parseRows(rows: readonly SetPriceRow[], publishedAt: string): Generator<PricedSetCard> {
  for (const { prices, changes, ...row } of rows) {
    const card = { ...row, marketplace_id: row.card_id }
    yield { card, prices: parsePrices({ prices, changes }, publishedAt) }
  }
}

/** Lists the prices of cards one by one. @param noPrice fields of a card without a price */
export function* flattenCards<Price, NoPrice>(
  cards: Iterable<PricedSetCard<Price>>,
  noPrice: NoPrice,
): Generator<SetCard & (Price | NoPrice)> {
  for (const { card, prices } of cards) {
    if (prices.length === 0) yield { ...card, ...noPrice }
    for (const price of prices) yield { ...card, ...price }
  }
}

/** Fields of a card without a price. */
export const NO_PRICE_FIELDS = {
  printing: null,
  market_price: null,
  low_price: null,
  median_price: null,
  lowest_with_shipping: null,
  buylist_price: null,
  price_change_24h: null,
  price_change_7d: null,
  price_change_30d: null,
  last_updated_at: null,
} satisfies Record<keyof PriceFields, null>

type SetPriceRow = Omit<SetCard, 'marketplace_id'> & PriceTexts

/** Fields that identify a card in a list of prices. */
export type SetCard = Pick<CardRow, 'name' | 'number' | 'rarity' | 'product_type' | 'foil_only'> & {
  card_id: number
  marketplace_id: number
}

type PriceFields = Omit<PriceJson, 'card_id'>

/**
 * A printing's price with its card; the price fields are null if the card has no price. In a view, it states its
 * origin.
 */
export type SetPriceRecord = SetCard &
  Partial<PriceOrigin> & {
    [Field in keyof PriceFields]: PriceFields[Field] | null
  }

/** All prices of a card: a JSON array, and their number. */
export type PricesText = { json: string; count: number }

/** Name and price of a base printing. */
export type BasePrice = { printing: string | null; market_price: number | null }

const NO_BASE: BasePrice = { printing: null, market_price: null }
const NO_BASE_TEXT = JSON.stringify(NO_BASE)

/** The price of the base printing beside that of the most expensive other foil. */
export type SimplePriceRecord = {
  card_id: number
  /** Name of the base printing; null without prices. */
  printing: string | null
  market_price: number | null
  low_price: number | null
  foil_market_price: number | null
  price_change_24h: number | null
  last_updated_at: string
}

/** A SimplePriceRecord as JSON text, or as an object. */
export type SimplePrice = { card_id: number; data: string | SimplePriceRecord }

function renderSimple(card_id: number, texts: PriceTexts, publishedAt: string): string {
  return singlePrice(texts, publishedAt) ?? JSON.stringify(readSimple(card_id, texts, publishedAt))
}

function readSimple(
  card_id: number,
  texts: PriceTexts,
  last_updated_at: string,
): SimplePriceRecord {
  const { base, foil } = simplifyPrintings(parsePrices(texts, last_updated_at))
  return {
    card_id,
    printing: base?.printing ?? null,
    market_price: base?.market_price ?? null,
    low_price: base?.low_price ?? null,
    foil_market_price: foil?.market_price ?? null,
    price_change_24h: base?.price_change_24h ?? null,
    last_updated_at,
  }
}
