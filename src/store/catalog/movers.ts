import { and, eq, gte, sql } from 'drizzle-orm'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { ProductType } from '#rules/catalog/catalog-records.ts'
import type { PictureUrl } from '#rules/catalog/picture-url.ts'
import type { ConfidenceLevel } from '#rules/pricing/confidence.ts'
import { MOVER_PRICES, type MoverPrice } from '#rules/pricing/movers.ts'
import { type Period, relativeChange } from '#rules/pricing/price-changes.ts'
import { isMirrorList, type PriceList } from '#rules/pricing/price-view.ts'
import { toDollars } from '#rules/primitives/money.ts'
import { type Db, onFirstUse } from '../db.ts'
import { pageParameter, parameter } from '../parameter.ts'
import { type CardRow, cards, games, printings, sets } from './schema/catalog.ts'
import { moverExclusions, movers, sourceMoverExclusions, sourceMovers } from './schema/movers.ts'

export type MoverDirection = 'up' | 'down'

export type MoversQuery = {
  period: Period
  direction: MoverDirection
  game_id: number | undefined
  type: ProductType | undefined
  printing: string | undefined
  /** Minimum confidence in the prices when the lists were built; `low` by default, which is any. */
  min_confidence?: ConfidenceLevel
  /** Minimum of the current price; that of all lists by default. */
  min_price?: MoverPrice
  limit: number
  /** List of prices; undefined for the prices of the mirror. */
  list?: PriceList
}

/** An entry in a list of movers; money is in the currency of the list. */
export type MoverRecord = Pick<
  CardRow,
  'name' | 'number' | 'rarity' | 'set_id' | 'product_type' | 'foil_only' | 'image_url'
> & {
  card_id: number
  marketplace_id: number
  set_name: string
  game_name: string
  game_slug: string
  printing: string
  /** Price at the beginning of the period. */
  previous_price: number
  market_price: number
  /** Change in percent. */
  price_change: number
  /** Change in money. */
  price_change_amount: number
}

/** Numbers of the product type filter in the precomputed lists; 0 means any. */
export const PRODUCT_TYPE_ID: Record<ProductType, number> = { Cards: 1, 'Sealed Products': 2 }

/** Numbers of the levels of confidence in the precomputed lists. */
export const LEVEL_ID: Record<ConfidenceLevel, number> = { low: 1, medium: 2, high: 3 }

/** Queries for the precomputed lists of price movers. */
export type MoverStore = {
  /** Returns the matching list, and the number of printings excluded for implausible changes. */
  listTop(query: MoversQuery): { rows: MoverRecord[]; excluded: number }
  /** Returns true if a list of another source has movers of a period and confidence, of one game or of all. */
  hasAny(
    list: PriceList,
    query: Pick<MoversQuery, 'period' | 'game_id' | 'min_confidence'>,
  ): boolean
}

export function openMoverStore(db: Db, pictureUrl: PictureUrl): MoverStore {
  const orm = drizzle(db)
  const ofMirror = onFirstUse(() => prepareLists(orm, movers, moverExclusions))
  const ofSources = onFirstUse(() => prepareLists(orm, sourceMovers, sourceMoverExclusions))
  const printingId = onFirstUse(() =>
    orm
      .select({ id: printings.id })
      .from(printings)
      .where(eq(printings.name, parameter('name')))
      .prepare(),
  )
  const anyOfSource = db
    .prepare<[PriceList & { period: Period; game_id: number; level: number }], number>(
      `SELECT 1 FROM source_movers
        WHERE source = @source AND currency = @currency AND period = @period
          AND direction IN ('up', 'down') AND game_id = @game_id AND confidence >= @level LIMIT 1`,
    )
    .pluck()

  return {
    listTop({ period, direction, game_id, type, printing, limit, list, ...minimum }) {
      const { min_confidence = 'low', min_price = MOVER_PRICES[0] } = minimum
      const printing_id = printing === undefined ? 0 : printingId().get({ name: printing })?.id
      if (printing_id === undefined) return { rows: [], excluded: 0 }
      const key = {
        period,
        direction,
        printing_id,
        game_id: game_id ?? 0,
        product_type: type === undefined ? 0 : PRODUCT_TYPE_ID[type],
      }
      const isMirror = list === undefined || isMirrorList(list)
      const lists = isMirror ? ofMirror() : ofSources()
      const question = isMirror ? key : { ...key, source: list.source, currency: list.currency }
      const level = LEVEL_ID[min_confidence]
      const cents = Number(min_price) * 100
      const found = lists.rows.all({ ...question, level, cents, limit })
      const rows = found.map(({ previous_price, market_price, image_url, ...row }) => ({
        ...row,
        previous_price: toDollars(previous_price),
        market_price: toDollars(market_price),
        price_change: relativeChange(market_price, previous_price),
        price_change_amount: toDollars(market_price - previous_price),
        image_url: pictureUrl(image_url),
      }))
      return { rows, excluded: lists.excluded.get(question)?.excluded ?? 0 }
    },
    hasAny({ source, currency }, { period, game_id = 0, min_confidence = 'low' }) {
      const level = LEVEL_ID[min_confidence]
      return anyOfSource.get({ source, currency, period, game_id, level }) === 1
    },
  }
}

/** Prepares the statements on the lists of the mirror, or of other sources. */
function prepareLists(
  orm: BetterSQLite3Database,
  table: typeof movers | typeof sourceMovers,
  exclusions: typeof moverExclusions | typeof sourceMoverExclusions,
) {
  const selectRows = () =>
    orm
      .select({
        card_id: table.card_id,
        marketplace_id: table.card_id,
        name: cards.name,
        number: cards.number,
        rarity: cards.rarity,
        set_id: cards.set_id,
        set_name: sets.name,
        game_name: games.name,
        game_slug: games.slug,
        product_type: cards.product_type,
        foil_only: cards.foil_only,
        printing: printings.name,
        previous_price: table.previous_price,
        market_price: table.market_price,
        image_url: cards.image_url,
      })
      .from(table)
      .innerJoin(cards, eq(cards.id, table.card_id))
      .innerJoin(sets, eq(sets.id, cards.set_id))
      .innerJoin(games, eq(games.id, cards.game_id))
      .innerJoin(printings, eq(printings.id, table.printing_id))
  // A filter of 0 is open.
  const isWanted = (name: string, column: SQLiteColumn) =>
    sql`(${parameter(name)} IN (0, ${column}))`
  return {
    rows: selectRows()
      .where(
        and(
          ...listOf(table),
          isWanted('product_type', table.product_type),
          isWanted('printing_id', table.printing_id),
          gte(table.confidence, parameter('level')),
          gte(table.market_price, parameter('cents')),
        ),
      )
      .orderBy(table.position)
      .limit(pageParameter('limit'))
      .prepare(),
    excluded: orm
      .select({ excluded: exclusions.excluded })
      .from(exclusions)
      .where(
        and(
          ...listOf(exclusions),
          eq(exclusions.product_type, parameter('product_type')),
          eq(exclusions.printing_id, parameter('printing_id')),
        ),
      )
      .prepare(),
  }
}

function listOf(
  table:
    | typeof movers
    | typeof moverExclusions
    | typeof sourceMovers
    | typeof sourceMoverExclusions,
) {
  const list = [
    eq(table.period, parameter('period')),
    eq(table.direction, parameter('direction')),
    eq(table.game_id, parameter('game_id')),
  ]
  if (!('source' in table)) return list
  const source = eq(table.source, parameter('source'))
  return [source, eq(table.currency, parameter('currency')), ...list]
}
