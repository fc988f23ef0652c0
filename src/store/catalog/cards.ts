import type { PictureUrl } from '#rules/catalog/picture-url.ts'
import {
  completePrices,
  countPrices,
  type PriceJson,
  parsePrices,
} from '#rules/pricing/price-json.ts'
import { toDollars } from '#rules/primitives/money.ts'
import { findRequestedPrinting } from '#rules/search/requested-printing.ts'
import type { Db } from '../db.ts'
import type { RowWindow } from '../rows.ts'
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
import type {
  CardStore,
  CatalogCard,
  JsonForm,
  RenderedCard,
  RequestedPrintings,
} from './card-store.ts'
import type { PublicationStore } from './publication.ts'
import { createRecentCache, createRecentLists } from './recent-cache.ts'
import { openSetCards } from './set-cards.ts'
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

const NO_PRINTINGS: RequestedPrintings = { words: [], isPriced: true }

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
  // Runs again for each page, so that no statement stays open during a slow reader.
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

  function listPrices(row: CardTextRow): PriceJson[] {
    return parsePrices(row, publication.getPricedAt(row.set_id))
  }

  // Searches for successive beginnings of a word, in the same order, have many results in common.
  const listPlainItems = createRecentLists(db, publication, (ids) =>
    readRows(ids).map((row) => renderSearchItem(row, NO_PRINTINGS, 'text')),
  )

  return {
    exists: (id) => exists.get(id) === 1,
    getNames: openCardNames(db),
    getById: createRecentCache(publication, (id) => {
      const row = byId.get(id)
      return row && cardText(row)
    }),
    readById(id) {
      const row = byId.get(id)
      return row && readCard(row)
    },
    listBySet(filter, window, form) {
      const { rows, total } = ofSet(filter, window)
      return { rows: renderCards(rows, form), total }
    },
    listReprints(id, window, form) {
      const rows = renderCards(readRows(reprints.all({ id, ...window })), form)
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
    listWithPrices: (ids, form) => renderCards(readRows(ids), form),
    listSearchItems: (ids, printings, form = 'text') =>
      form === 'text' && printings.words.length === 0 && printings.exact === undefined
        ? listPlainItems(ids)
        : readRows(ids).map((row) => renderSearchItem(row, printings, form)),
  }

  function readRows(ids: readonly number[]): PricedRow[] {
    const found = new Map(byIds.all(JSON.stringify(ids)).map((row) => [row.id, row]))
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  function renderCards(rows: readonly PricedRow[], form: JsonForm = 'text'): RenderedCard[] {
    return rows.map((row) => {
      const { printing, market_price } = row
      return renderPriced(row, { printing, market_price: toDollars(market_price) }, form)
    })
  }

  function renderSearchItem(
    row: PricedRow,
    requested: RequestedPrintings,
    form: JsonForm,
  ): RenderedCard {
    const { words, exact, isPriced } = requested
    const isAny = words.length === 0 && exact === undefined
    const prices = isAny ? [] : listPrices(row)
    const matched =
      exact === undefined
        ? findRequestedPrinting(prices, words)
        : prices.find(({ printing }) => printing === exact)
    const base = { printing: row.printing, market_price: toDollars(row.market_price) }
    const isShown = matched !== undefined && (isPriced || exact !== undefined)
    const { printing, market_price } = isShown ? matched : base
    const matched_printing = matched?.printing ?? null
    return renderPriced(row, { printing, market_price, matched_printing }, form)
  }

  /** @param price members that contain one price of the card */
  function renderPriced(row: PricedRow, price: object, form: JsonForm): RenderedCard {
    const { id } = row
    if (form === 'object') {
      return { id, data: readPriced(row, price), prices: countPrices(row.prices ?? '[]') }
    }
    const prices = renderPrices(row)
    const data = cardText(row, `${JSON.stringify(price).slice(1, -1)},"prices":${prices}`)
    return { id, data, prices: countPrices(prices) }
  }

  /** Parses the two longest members only if they are read, because most requests select others. */
  function readPriced(row: PricedRow, price: object): object {
    return {
      ...toJsonFields(row, pictureUrl),
      get custom_attributes() {
        return JSON.parse(row.custom_attributes)
      },
      ...price,
      get prices() {
        return listPrices(row)
      },
    }
  }

  function readCard(row: CardOnly): object {
    const custom_attributes: unknown = JSON.parse(row.custom_attributes)
    return { ...toJsonFields(row, pictureUrl), custom_attributes }
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
      prices: listPrices(row),
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
  // Lists each member, because serializing an object copied from the row takes three times as long.
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
    // Only cards of some games have hit points; the others omit the member.
    hp: row.hp ?? undefined,
  }
}

/** Appends rendered members to an object's JSON. */
function splice(object: object, members: string): string {
  return `${JSON.stringify(object).slice(0, -1)},${members}}`
}
