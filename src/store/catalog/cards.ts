import type { ProductType } from '#rules/intake.ts'
import { dollars } from '#rules/money.ts'
import type { PictureUrl } from '#rules/picture-url.ts'
import { publishedText } from '#rules/price-text.ts'
import type { Db } from '../db.ts'
import type { PublicationShelf } from './publication.ts'

/** A card as its JSON has it, but for what is spliced in. */
type Row = {
  id: number
  game_id: number
  set_id: number
  name: string
  clean_name: string
  number: string | null
  rarity: string | null
  image_url: string | null
  marketplace_url: string | null
  product_type: string
  foil_only: number
  total_listings: number
  shipping_category_id: number
  product_status_id: number
  set_name: string
  set_slug: string
  game_name: string
  game_slug: string
  hp: string | null
  custom_attributes: string
  prices: string | null
}

// In the order of the JSON's members.
const COLUMNS = `
  cards.id, cards.game_id, cards.set_id, cards.name, clean_name, number, rarity, cards.image_url,
  marketplace_url, product_type, foil_only, total_listings, shipping_category_id, product_status_id,
  sets.name AS set_name, sets.slug AS set_slug, games.name AS game_name, games.slug AS game_slug,
  hp, custom_attributes, prices`

const JOINS = `
  JOIN sets ON sets.id = cards.set_id
  JOIN games ON games.id = cards.game_id
  LEFT JOIN price_texts ON price_texts.card_id = cards.id`

/**
 * Questions about cards. Answers are JSON text: custom attributes and prices are stored as the wire
 * wants them, and are spliced in rather than parsed and written again.
 */
export function openCards(db: Db, publication: PublicationShelf, pictureUrl: PictureUrl) {
  // Raw statements: a page of search is half as dear as through drizzle.
  const byId = db.prepare<[number], Row>(
    `SELECT ${COLUMNS} FROM cards ${JOINS} WHERE cards.id = +?`,
  )
  // What search sorts and filters by: the highest printing's price.
  const byIds = db.prepare<[string], Row & { highest: number | null }>(
    `SELECT ${COLUMNS},
            (SELECT max(market_price) FROM prices WHERE prices.card_id = cards.id) AS highest
       FROM cards ${JOINS} WHERE cards.id IN (SELECT value FROM json_each(+?))`,
  )
  const inSet =
    'cards.set_id = +? AND cards.missing_since IS NULL AND product_type = coalesce(+?, product_type)'
  const ofSet = db.prepare<[number, string | null, number, number], Row>(
    `SELECT ${COLUMNS} FROM cards ${JOINS} WHERE ${inSet}
      ORDER BY number_key, cards.id LIMIT +? OFFSET +?`,
  )
  const total = db
    .prepare<[number, string | null], number>(`SELECT count(*) FROM cards WHERE ${inSet}`)
    .pluck()
  const exists = db.prepare<[number], number>('SELECT 1 FROM cards WHERE id = ?').pluck()

  function pricesOf(row: Row): string {
    return row.prices === null ? '[]' : publishedText(row.prices, publication.pricedAt(row.set_id))
  }

  return {
    exists: (id: number) => exists.get(id) === 1,
    /** The Card of the specification. */
    byId(id: number): string | undefined {
      const row = byId.get(id)
      return row && cardText(row)
    },
    /** What a marketplace id stands for: id, name, foil_only and the prices. */
    byMarketplaceId(id: number): string | undefined {
      const row = byId.get(id)
      if (row === undefined) return undefined
      const { name, foil_only } = row
      return splice({ id, name, foil_only }, `"prices":${pricesOf(row)}`)
    },
    /** A set's cards with their prices, by collector number; of one type where it is given. */
    ofSet(
      set_id: number,
      type: ProductType | undefined,
      paging: { limit: number; offset: number },
    ) {
      const rows = ofSet.all(set_id, type ?? null, paging.limit, paging.offset)
      return {
        rows: rows.map((row) => cardText(row, `"prices":${pricesOf(row)}`)),
        total: total.get(set_id, type ?? null) ?? 0,
      }
    },
    /** Search items, in the order of `ids`: cards with the price they were sorted by, and all prices. */
    found(ids: readonly number[]): string[] {
      const found = new Map(byIds.all(JSON.stringify(ids)).map((row) => [row.id, row]))
      return ids.flatMap((id) => {
        const row = found.get(id)
        if (row === undefined) return []
        return [cardText(row, `"market_price":${dollars(row.highest)},"prices":${pricesOf(row)}`)]
      })
    },
  }

  function cardText(row: Row, more = ''): string {
    return splice(
      // Named one by one: an object that is copied from the row takes three times as long to write.
      {
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
        // Only some games' cards have hit points; the others lack the field.
        hp: row.hp ?? undefined,
      },
      `"custom_attributes":${row.custom_attributes}${more === '' ? '' : `,${more}`}`,
    )
  }
}

/** An object's JSON with ready-made members at its end. */
function splice(object: object, members: string): string {
  return `${JSON.stringify(object).slice(0, -1)},${members}}`
}
