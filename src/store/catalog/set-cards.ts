import type { ProductType } from '#rules/catalog/catalog-records.ts'
import type { Db } from '../db.ts'
import type { RowPage, RowWindow } from '../rows.ts'
import { JOINS, PRICED_COLUMNS, type PricedRow } from './card-rows.ts'
import { BEFORE_ALL_VERSIONS } from './publication.ts'

/** Orders of the cards of a set. Cards without the number, price or change come last. */
export const SET_SORTS = [
  'number',
  'name',
  'price_asc',
  'price_desc',
  'change_asc',
  'change_desc',
] as const

export type SetSort = (typeof SET_SORTS)[number]

/** Cards of a set. The price and its weekly change are those of the printing, or of the base printing. */
export type SetCardsFilter = {
  set_id: number
  type?: ProductType | undefined
  after_version?: number | undefined
  /** Exact name. */
  rarity?: string | undefined
  /** Exact name; only cards with this printing. */
  printing?: string | undefined
  sort?: SetSort | undefined
}

type StoredFilter = {
  set_id: number
  type: ProductType | null
  after_version: number
  rarity: string | null
  printing: string | null
}

/** Prepares the list of a set's cards. */
export function openSetCards(
  db: Db,
): (filter: SetCardsFilter, window: RowWindow) => RowPage<PricedRow> {
  const pages = Object.fromEntries(
    SET_SORTS.map((sort) => [
      sort,
      db.prepare<[StoredFilter & RowWindow], PricedRow>(
        `SELECT ${PRICED_COLUMNS} FROM cards ${JOINS} ${PRICE} WHERE ${IN_SET}
          ORDER BY ${ORDERS[sort]}, number_key, cards.id LIMIT +@limit OFFSET +@offset`,
      ),
    ]),
  )
  const count = db
    .prepare<[StoredFilter], number>(`SELECT count(*) FROM cards WHERE ${IN_SET}`)
    .pluck()

  return ({ sort = 'number', ...wanted }, window) => {
    const filter = {
      set_id: wanted.set_id,
      type: wanted.type ?? null,
      after_version: wanted.after_version ?? BEFORE_ALL_VERSIONS,
      rarity: wanted.rarity ?? null,
      printing: wanted.printing ?? null,
    }
    const rows = pages[sort]?.all({ ...filter, ...window }) ?? []
    return { rows, total: count.get(filter) ?? 0 }
  }
}

const REQUESTED_PRINTING = '(SELECT id FROM printings WHERE name = +@printing)'

const PRICE = `
  LEFT JOIN prices AS base ON base.card_id = cards.id AND CASE
    WHEN +@printing IS NULL THEN base.is_base_printing = 1 ELSE base.printing_id = ${REQUESTED_PRINTING} END
  LEFT JOIN printings ON printings.id = base.printing_id`

const IN_SET = `cards.set_id = +@set_id AND cards.missing_since IS NULL
  AND product_type = coalesce(+@type, product_type)
  AND (+@rarity IS NULL OR rarity = +@rarity)
  AND (+@printing IS NULL OR EXISTS (
    SELECT 1 FROM prices WHERE card_id = cards.id AND printing_id = ${REQUESTED_PRINTING}))
  AND (cards.updated_in > +@after_version OR EXISTS (
    SELECT 1 FROM prices WHERE card_id = cards.id AND prices.updated_in > +@after_version))`

const CHANGE = '(base.market_price - base.base_7d) * 1.0 / base.base_7d'

const ORDERS: Record<SetSort, string> = {
  // The key of cards without a number sorts last.
  number: 'number_key',
  name: 'cards.name COLLATE NOCASE',
  price_asc: 'base.market_price NULLS LAST',
  price_desc: 'base.market_price DESC NULLS LAST',
  change_asc: `${CHANGE} NULLS LAST`,
  change_desc: `${CHANGE} DESC NULLS LAST`,
}
