import { and, count, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { ProductType } from '#rules/intake.ts'
import { dollars } from '#rules/money.ts'
import type { PictureUrl } from '#rules/picture-url.ts'
import { publishedText } from '#rules/price-text.ts'
import type { Db } from '../db.ts'
import { parameter } from '../parameter.ts'
import type { PublicationShelf } from './publication.ts'
import { cards, games, prices, priceTexts, sets } from './schema.ts'

const { number_key, search_text, told_foil_only, missing_since, ...ON_THE_WIRE } =
  getTableColumns(cards)
const CARD = {
  ...ON_THE_WIRE,
  set_name: sets.name,
  set_slug: sets.slug,
  game_name: games.name,
  game_slug: games.slug,
}

/**
 * Questions about cards. Answers are JSON text: custom attributes and prices are stored as the wire
 * wants them, and are spliced in rather than parsed and written again.
 */
export function openCards(db: Db, publication: PublicationShelf, pictureUrl: PictureUrl) {
  const orm = drizzle(db)
  const joined = <More extends Record<string, SQL<unknown>>>(more: More) =>
    orm
      .select({ ...CARD, prices: priceTexts.prices, ...more })
      .from(cards)
      .innerJoin(sets, eq(sets.id, cards.set_id))
      .innerJoin(games, eq(games.id, cards.game_id))
      .leftJoin(priceTexts, eq(priceTexts.card_id, cards.id))
  const byId = joined({})
    .where(eq(cards.id, parameter('id')))
    .prepare()
  // What search sorts and filters by: the highest printing's price.
  const highest = sql<number | null>`(
    SELECT max(${prices.market_price}) FROM ${prices} WHERE ${prices.card_id} = ${cards.id})`
  const byIds = joined({ highest })
    .where(sql`${cards.id} IN (SELECT value FROM json_each(${parameter('ids')}))`)
    .prepare()
  const inSet = and(
    eq(cards.set_id, parameter('set_id')),
    isNull(cards.missing_since),
    sql`${cards.product_type} = coalesce(${parameter('type')}, ${cards.product_type})`,
  )
  const ofSet = joined({})
    .where(inSet)
    .orderBy(cards.number_key, cards.id)
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare()
  const total = orm.select({ total: count() }).from(cards).where(inSet).prepare()
  const exists = db.prepare<[number], number>('SELECT 1 FROM cards WHERE id = ?').pluck()
  type Row = NonNullable<ReturnType<typeof byId.get>>

  function pricesOf(row: Row): string {
    return row.prices === null ? '[]' : publishedText(row.prices, publication.pricedAt(row.set_id))
  }

  return {
    exists: (id: number) => exists.get(id) === 1,
    /** The Card of the specification. */
    byId(id: number): string | undefined {
      const row = byId.get({ id })
      return row && cardText(row)
    },
    /** What a marketplace id stands for: id, name, foil_only and the prices. */
    byMarketplaceId(id: number): string | undefined {
      const row = byId.get({ id })
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
      const question = { set_id, type: type ?? null }
      return {
        rows: ofSet
          .all({ ...question, ...paging })
          .map((row) => cardText(row, `"prices":${pricesOf(row)}`)),
        total: total.get(question)?.total ?? 0,
      }
    },
    /** Search items, in the order of `ids`: cards with the price they were sorted by, and all prices. */
    found(ids: readonly number[]): string[] {
      const found = new Map(byIds.all({ ids: JSON.stringify(ids) }).map((row) => [row.id, row]))
      return ids.flatMap((id) => {
        const row = found.get(id)
        if (row === undefined) return []
        const { highest, ...card } = row
        return [cardText(card, `"market_price":${dollars(highest)},"prices":${pricesOf(card)}`)]
      })
    },
  }

  function cardText(row: Row, more = ''): string {
    const { custom_attributes, prices: _, hp, ...card } = row
    return splice(
      {
        ...card,
        image_url: pictureUrl(card.image_url),
        marketplace_id: card.id,
        // Only some games' cards have hit points; the others lack the field.
        ...(hp === null ? {} : { hp }),
      },
      `"custom_attributes":${custom_attributes}${more === '' ? '' : `,${more}`}`,
    )
  }
}

/** An object's JSON with ready-made members at its end. */
function splice(object: object, members: string): string {
  return `${JSON.stringify(object).slice(0, -1)},${members}}`
}
