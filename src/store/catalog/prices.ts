import { simplifyPrintings } from '#rules/catalog/printings.ts'
import { fillPublishTime, type PriceJson } from '#rules/pricing/price-json.ts'
import type { Db } from '../db.ts'
import type { PublicationStore } from './publication.ts'

/** Questions about current prices. The answers are JSON text, rendered when the prices changed. */
export function openPriceStore(db: Db, publication: PublicationStore) {
  // Raw statements: this is the hottest question of the service, and drizzle would triple its cost.
  const ofCard = db.prepare<[number], { set_id: number; prices: string }>(
    'SELECT set_id, prices FROM price_texts WHERE card_id = ?',
  )
  const ofSet = db.prepare<[number], SetPriceRow>(
    `SELECT cards.id AS card_id, cards.name, cards.number, cards.rarity, cards.product_type,
            cards.foil_only, price_texts.prices
       FROM cards LEFT JOIN price_texts ON price_texts.card_id = cards.id
      WHERE cards.set_id = +? AND missing_since IS NULL ORDER BY cards.number_key, cards.id`,
  )

  // Not by way of the cards: each row of another large table costs as much as the price itself.
  const ofCards = db.prepare<[string], PricedSet & { prices: string }>(
    `SELECT card_id, set_id, prices
       FROM json_each(+?) AS asked CROSS JOIN price_texts ON card_id = asked.value`,
  )
  const unpriced = db.prepare<[string], PricedSet>(
    `SELECT cards.id AS card_id, set_id
       FROM json_each(+?) AS asked CROSS JOIN cards ON cards.id = asked.value`,
  )
  // Whatever changed of a card may be something that its prices show, such as its name.
  const updatedPrintings = db.prepare<[number, number, number], { card_id: number; name: string }>(
    `SELECT card_id, printings.name
       FROM cards JOIN prices ON card_id = cards.id JOIN printings ON printings.id = printing_id
      WHERE cards.set_id = +? AND (prices.updated_in > +? OR cards.updated_in > +?)`,
  )

  // A few cards are asked for again and again, and the look-up is half of what such a request costs.
  const recent = new Map<number, string>()
  publication.onChange(() => recent.clear())

  /**
   * A set's cards in the order of their numbers, each with its prices; of these cards where given.
   * They are read at once, and taken apart one by one: who streams them waits for a slow reader, and
   * must not hold the file.
   */
  function rowsOf(setId: number, only?: { has(cardId: number): boolean }): Iterable<PricedRow> {
    const rows = ofSet.all(setId)
    const wanted = only === undefined ? rows : rows.filter(({ card_id }) => only.has(card_id))
    return takenApart(wanted, publication.getPricedAt(setId))
  }

  return {
    /** All printings of a card as a JSON array; undefined where the card has no price rows at all. */
    getByCard(cardId: number): string | undefined {
      const known = recent.get(cardId)
      if (known !== undefined) return known
      const row = ofCard.get(cardId)
      if (row === undefined) return undefined
      const text = fillPublishTime(row.prices, publication.getPricedAt(row.set_id))
      if (recent.size >= RECENT_MAX) recent.clear()
      recent.set(cardId, text)
      return text
    },
    /** The names of a card's printings; none where it has no price rows at all. */
    listPrintings: (cardId: number): string[] =>
      pricesIn(ofCard.get(cardId)?.prices ?? null, '').map(({ printing }) => printing),
    /** By id all printings of each card as a JSON array; a card without any is left out. */
    getByCards: (ids: readonly number[]): Map<number, string> =>
      new Map(
        ofCards.all(JSON.stringify(ids)).map(({ card_id, set_id, prices }) => {
          return [card_id, fillPublishTime(prices, publication.getPricedAt(set_id))]
        }),
      ),
    /** One price a card, in the order of `ids`; a card that is not there is left out. */
    listSimple(ids: readonly number[]): SimplePriceRecord[] {
      const found = new Map<number, SimplePriceRecord>()
      for (const { card_id, set_id, prices } of ofCards.all(JSON.stringify(ids))) {
        const publishedAt = publication.getPricedAt(set_id)
        found.set(card_id, simplePrice(card_id, publishedAt, pricesIn(prices, publishedAt)))
      }
      const others = ids.filter((id) => !found.has(id))
      for (const { card_id, set_id } of unpriced.all(JSON.stringify(others))) {
        found.set(card_id, simplePrice(card_id, publication.getPricedAt(set_id), []))
      }
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    /** Every price of a set, one row a printing, cards in the order of their numbers. */
    *listBySet(setId: number): Generator<SetPriceRecord> {
      for (const { card, prices } of rowsOf(setId)) {
        for (const priceJson of prices) yield { ...card, ...priceJson }
      }
    },
    /** Those of them that changed in a version of the catalog after this one. */
    *listBySetSince(setId: number, version: number): Generator<SetPriceRecord> {
      const updated = updatedPrintings.all(setId, version, version)
      const byCard = Map.groupBy(updated, ({ card_id }) => card_id)
      for (const { card, prices } of rowsOf(setId, byCard)) {
        const printings = byCard.get(card.card_id)?.map(({ name }) => name) ?? []
        for (const json of prices) {
          if (printings.includes(json.printing)) yield { ...card, ...json }
        }
      }
    },
    /** The same, and a row without prices for each card that has none: nothing is left out. */
    exportSet: (setId: number): Iterable<PriceExportRow> => exportRows(rowsOf(setId)),
  }
}

type PricedSet = { card_id: number; set_id: number }

type PricedRow = { card: SetCard; prices: PriceJson[] }

function* takenApart(rows: readonly SetPriceRow[], publishedAt: string): Generator<PricedRow> {
  for (const { prices, ...row } of rows) {
    const card = { ...row, marketplace_id: row.card_id }
    yield { card, prices: pricesIn(prices, publishedAt) }
  }
}

/** The prices of a text; none where there is none. */
function pricesIn(text: string | null, publishedAt: string): PriceJson[] {
  // The text was written by price-text.ts, so its shape is known.
  return JSON.parse(fillPublishTime(text ?? '[]', publishedAt)) as PriceJson[]
}

function* exportRows(rows: Iterable<PricedRow>): Generator<PriceExportRow> {
  for (const { card, prices } of rows) {
    if (prices.length === 0) yield card
    for (const priceJson of prices) yield { ...card, ...priceJson }
  }
}

/** Some hundred bytes each: about 10 MB at the most. */
const RECENT_MAX = 20_000

type SetPriceRow = Omit<SetCard, 'marketplace_id'> & { prices: string | null }

/** What tells a card apart in a list of prices. */
export type SetCard = {
  card_id: number
  name: string
  number: string | null
  rarity: string | null
  marketplace_id: number
  product_type: string
  foil_only: number
}

/** One printing's price with its card. */
export type SetPriceRecord = SetCard & PriceJson

/** The same; a card without any price has none of the price's fields. */
export type PriceExportRow = SetCard & Partial<PriceJson>

/** The simplified shape: the base printing's price beside the best-known foil's. */
export type SimplePriceRecord = {
  card_id: number
  market_price: number | null
  low_price: number | null
  foil_market_price: number | null
  price_change_24h: number | null
  last_updated_at: string
}

function simplePrice(
  card_id: number,
  last_updated_at: string,
  prices: readonly PriceJson[],
): SimplePriceRecord {
  const { base, foil } = simplifyPrintings(prices)
  const priceJson = base === undefined ? undefined : prices[base]
  return {
    card_id,
    market_price: priceJson?.market_price ?? null,
    low_price: priceJson?.low_price ?? null,
    foil_market_price: (foil === undefined ? undefined : prices[foil])?.market_price ?? null,
    price_change_24h: priceJson?.price_change_24h ?? null,
    last_updated_at,
  }
}
