import type { PictureUrl } from '#rules/catalog/picture-url.ts'
import { completePrices, countPrices, type PriceJson } from '#rules/pricing/price-json.ts'
import { toDollars } from '#rules/primitives/money.ts'
import { findRequestedPrinting, type PrintingWords } from '#rules/search/requested-printing.ts'
import type { Db } from '../db.ts'
import type { RowPage, RowWindow } from '../rows.ts'
import {
  CARD_COLUMNS,
  CARD_JOINS,
  type CardOnly,
  type CardTextRow,
  COLUMNS,
  JOINS,
  PRICED_COLUMNS,
  PRICED_JOINS,
  type PricedRow,
} from './card-rows.ts'
import type { PublicationStore } from './publication.ts'
import { createRecentCache, createRecentLists } from './recent-cache.ts'
import { openSetCards, type SetCardsFilter } from './set-cards.ts'
import { openCardNames } from './similar-names.ts'

/** Fields of a card in the order of its JSON. Only `hp` is omitted if unknown. */
export const CARD_FIELDS = [
  'id',
  'game_id',
  'set_id',
  'name',
  'clean_name',
  'number',
  'rarity',
  'image_url',
  'marketplace_url',
  'product_type',
  'foil_only',
  'total_listings',
  'shipping_category_id',
  'product_status_id',
  'set_name',
  'set_slug',
  'game_name',
  'game_slug',
  'marketplace_id',
  'hp',
  'custom_attributes',
] as const

/** A card as it is written to the bulk files. */
export type CatalogCard = {
  /** The Card of the specification on one line. */
  text: string
  /** Values in the order of CARD_FIELDS: null if unknown, custom attributes as JSON text. */
  cells: (string | number | null)[]
  prices: PriceJson[]
}

/** Queries for cards as JSON text: rendered attributes and prices are spliced in unparsed. */
export type CardStore = {
  /** Returns true if the catalog has a card with this id. */
  exists(id: number): boolean
  /** Returns the names of cards by id; ids that are not in the catalog are left out. */
  getNames(ids: readonly number[]): Map<number, string>
  /** Returns the Card of the specification; undefined if not found. */
  getById(id: number): string | undefined
  /** Lists a set's cards with their price and all prices. */
  listBySet(filter: SetCardsFilter, window: RowWindow): RowPage<RenderedCard>
  /** Lists the other cards of a card's game that have its name, by release from the newest. */
  listReprints(id: number, window: RowWindow): RowPage<RenderedCard>
  /** Lists all cards of a set that are not missing by collector number, page by page. */
  listPagesBySet(set_id: number): Generator<CatalogCard[]>
  /**
   * Lists cards with their price, that of the base printing, and all prices, in the order of `ids`;
   * ids that are not in the catalog are left out.
   */
  listWithPrices(ids: readonly number[]): RenderedCard[]
  /**
   * Lists search results in the order of `ids`: cards with the price of the requested printing, else of the base
   * printing, and all prices.
   */
  listSearchItems(ids: readonly number[], printings: RequestedPrintings): RenderedCard[]
}

/** Printings that a search requests. */
export type RequestedPrintings = {
  words: PrintingWords
  /** Exact name of the printing of all results, regardless of the words. */
  exact?: string | undefined
  /** True if results are priced by the printing that the words name; false: by the base printing. */
  isPriced: boolean
}

const NO_PRINTINGS: RequestedPrintings = { words: [], isPriced: true }

/** JSON text of a card with its prices. */
export type RenderedCard = {
  id: number
  text: string
  /** Number of its prices. */
  prices: number
}

export function openCardStore(
  db: Db,
  publication: PublicationStore,
  pictureUrl: PictureUrl,
): CardStore {
  // Raw statements: a page of search results costs twice as much through Drizzle.
  const byId = db.prepare<[number], CardOnly>(
    `SELECT ${CARD_COLUMNS} FROM cards ${CARD_JOINS} WHERE cards.id = +?`,
  )
  const byIds = db.prepare<[string], PricedRow>(
    `SELECT ${PRICED_COLUMNS} FROM cards ${PRICED_JOINS}
      WHERE cards.id IN (SELECT value FROM json_each(+?))`,
  )
  const ofSet = openSetCards(db)
  const reprints = db
    .prepare<[{ id: number } & RowWindow], number>(
      `SELECT other.id FROM ${REPRINTS} JOIN sets ON sets.id = other.set_id WHERE ${IS_REPRINT}
        ORDER BY release_date DESC, other.number_key, other.id LIMIT +@limit OFFSET +@offset`,
    )
    .pluck()
  const reprintCount = db
    .prepare<[{ id: number }], number>(`SELECT count(*) FROM ${REPRINTS} WHERE ${IS_REPRINT}`)
    .pluck()
  // Runs again for each page, so that no statement stays open while a slow reader consumes it.
  const pageOfSet = db.prepare<
    [number, string, number, number],
    CardTextRow & { number_key: string }
  >(
    `SELECT ${COLUMNS}, number_key FROM cards ${JOINS}
      WHERE cards.set_id = +? AND cards.missing_since IS NULL AND (number_key, cards.id) > (+?, +?)
      ORDER BY number_key, cards.id LIMIT +?`,
  )
  const exists = db.prepare<[number], number>('SELECT 1 FROM cards WHERE id = ?').pluck()

  function renderPrices(row: CardTextRow): string {
    return completePrices(row, publication.getPricedAt(row.set_id))
  }

  // Searches for the beginnings of a word, in the same order, have many results in common.
  const listPlainItems = createRecentLists(db, publication, (ids) =>
    readRows(ids).map((row) => renderSearchItem(row, NO_PRINTINGS)),
  )

  return {
    exists: (id) => exists.get(id) === 1,
    getNames: openCardNames(db),
    getById: createRecentCache(publication, (id) => {
      const row = byId.get(id)
      return row && cardText(row)
    }),
    listBySet(filter, window) {
      const { rows, total } = ofSet(filter, window)
      return { rows: rows.map(renderCard), total }
    },
    listReprints(id, window) {
      const rows = readRows(reprints.all({ id, ...window })).map(renderCard)
      return { rows, total: reprintCount.get({ id }) ?? 0 }
    },
    *listPagesBySet(set_id) {
      let last = { number_key: '', id: 0 }
      for (;;) {
        const rows = pageOfSet.all(set_id, last.number_key, last.id, PAGE_ROWS)
        const end = rows.at(-1)
        if (end === undefined) return
        yield rows.map(catalogCard)
        last = end
      }
    },
    listWithPrices: (ids) => readRows(ids).map(renderCard),
    listSearchItems: (ids, printings) =>
      printings.words.length === 0 && printings.exact === undefined
        ? listPlainItems(ids)
        : readRows(ids).map((row) => renderSearchItem(row, printings)),
  }

  function readRows(ids: readonly number[]): PricedRow[] {
    const found = new Map(byIds.all(JSON.stringify(ids)).map((row) => [row.id, row]))
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  function renderCard(row: PricedRow): RenderedCard {
    const { printing, market_price } = row
    return renderPriced(row, { printing, market_price: toDollars(market_price) })
  }

  function renderSearchItem(row: PricedRow, requested: RequestedPrintings): RenderedCard {
    const { words, exact, isPriced } = requested
    const isAny = words.length === 0 && exact === undefined
    // Written by price-json.ts, so its shape is known.
    const prices = isAny ? [] : (JSON.parse(renderPrices(row)) as PriceJson[])
    const matched =
      exact === undefined
        ? findRequestedPrinting(prices, words)
        : prices.find(({ printing }) => printing === exact)
    const base = { printing: row.printing, market_price: toDollars(row.market_price) }
    const isShown = matched !== undefined && (isPriced || exact !== undefined)
    const { printing, market_price } = isShown ? matched : base
    const matched_printing = matched?.printing ?? null
    return renderPriced(row, { printing, market_price, matched_printing })
  }

  /** @param price members that name one price of the card */
  function renderPriced(row: PricedRow, price: object): RenderedCard {
    const prices = renderPrices(row)
    const text = cardText(row, `${JSON.stringify(price).slice(1, -1)},"prices":${prices}`)
    return { id: row.id, text, prices: countPrices(prices) }
  }

  function cardText(row: CardOnly, more = ''): string {
    return splice(
      toJsonFields(row, pictureUrl),
      `"custom_attributes":${row.custom_attributes}${more === '' ? '' : `,${more}`}`,
    )
  }

  function catalogCard(row: CardTextRow): CatalogCard {
    const fields = { ...toJsonFields(row, pictureUrl), custom_attributes: row.custom_attributes }
    return {
      text: cardText(row),
      cells: CARD_FIELDS.map((field) => fields[field] ?? null),
      // Written by price-json.ts, so its shape is known.
      prices: JSON.parse(renderPrices(row)) as PriceJson[],
    }
  }
}

const REPRINTS = `cards AS own JOIN cards AS other
  ON other.game_id = own.game_id AND other.clean_name = own.clean_name`
const IS_REPRINT = `own.id = +@id AND other.id <> own.id AND other.missing_since IS NULL
  AND other.product_type = own.product_type`

/** A few hundred KiB. */
const PAGE_ROWS = 500

/** Returns the JSON members of a card except its custom attributes. */
function toJsonFields(row: CardOnly, pictureUrl: PictureUrl) {
  // Lists each member: serializing an object copied from the row takes three times as long.
  return {
    id: row.id,
    game_id: row.game_id,
    set_id: row.set_id,
    name: row.name,
    clean_name: row.clean_name,
    number: row.number,
    rarity: row.rarity,
    image_url: pictureUrl(row.image_url),
    marketplace_url: row.marketplace_url,
    product_type: row.product_type,
    foil_only: row.foil_only,
    total_listings: row.total_listings,
    shipping_category_id: row.shipping_category_id,
    product_status_id: row.product_status_id,
    set_name: row.set_name,
    set_slug: row.set_slug,
    game_name: row.game_name,
    game_slug: row.game_slug,
    marketplace_id: row.id,
    // Cards of some games only have hit points; the others omit the member.
    hp: row.hp ?? undefined,
  }
}

/** Appends rendered members to an object's JSON. */
function splice(object: object, members: string): string {
  return `${JSON.stringify(object).slice(0, -1)},${members}}`
}
