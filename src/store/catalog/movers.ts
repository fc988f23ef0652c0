import { and, eq, gte, lte } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { ProductType } from '#rules/catalog/catalog-records.ts'
import type { PictureUrl } from '#rules/catalog/picture-url.ts'
import type { ConfidenceLevel } from '#rules/pricing/confidence.ts'
import type { Period } from '#rules/pricing/price-changes.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type { Db } from '../db.ts'
import { pageParameter, parameter } from '../parameter.ts'
import { type CardRow, cards, games, moverExclusions, movers, printings, sets } from './schema.ts'

export type MoverDirection = 'up' | 'down'

export type MoversQuery = {
  period: Period
  direction: MoverDirection
  game_id: number | undefined
  type: ProductType | undefined
  printing: string | undefined
  /** Least confidence that the prices had when the lists were built; undefined: any. */
  min_confidence?: ConfidenceLevel | undefined
  limit: number
}

/** An entry of a list of movers; money is dollars, the change is percent. */
export type MoverRecord = Pick<CardRow, 'name' | 'product_type' | 'foil_only' | 'image_url'> & {
  card_id: number
  set_name: string
  game_name: string
  printing: string
  market_price: number
  price_change: number
}

/** Numbers of the product type filter in the precomputed lists; 0 stands for any. */
export const PRODUCT_TYPE_ID: Record<ProductType, number> = { Cards: 1, 'Sealed Products': 2 }

/** Numbers of the levels of confidence in the precomputed lists. */
export const LEVEL_ID: Record<ConfidenceLevel, number> = { low: 1, medium: 2, high: 3 }

/** Queries for the precomputed lists of price movers. */
export type MoverStore = {
  /** Returns the matching list, and how many printings were excluded for implausible changes. */
  listTop(query: MoversQuery): { rows: MoverRecord[]; excluded: number }
}

export function openMoverStore(db: Db, pictureUrl: PictureUrl): MoverStore {
  const orm = drizzle(db)
  const selectRows = () =>
    orm
      .select({
        card_id: movers.card_id,
        name: cards.name,
        set_name: sets.name,
        game_name: games.name,
        product_type: cards.product_type,
        foil_only: cards.foil_only,
        printing: printings.name,
        market_price: movers.market_price,
        price_change: movers.price_change,
        image_url: cards.image_url,
      })
      .from(movers)
      .innerJoin(cards, eq(cards.id, movers.card_id))
      .innerJoin(sets, eq(sets.id, cards.set_id))
      .innerJoin(games, eq(games.id, cards.game_id))
      .innerJoin(printings, eq(printings.id, movers.card_printing_id))
  const list = selectRows()
    .where(and(...key(movers), lte(movers.position, parameter('limit'))))
    .orderBy(movers.position)
    .prepare()
  // Positions count all movers: a list of reliable ones has gaps.
  const confident = selectRows()
    .where(and(...key(movers), gte(movers.confidence, parameter('level'))))
    .orderBy(movers.position)
    .limit(pageParameter('limit'))
    .prepare()
  const excluded = orm
    .select({ excluded: moverExclusions.excluded })
    .from(moverExclusions)
    .where(and(...key(moverExclusions)))
    .prepare()
  const printingId = orm
    .select({ id: printings.id })
    .from(printings)
    .where(eq(printings.name, parameter('name')))
    .prepare()

  return {
    listTop({ period, direction, game_id, type, printing, min_confidence, limit }) {
      const printing_id = printing === undefined ? 0 : printingId.get({ name: printing })?.id
      if (printing_id === undefined) return { rows: [], excluded: 0 }
      const question = {
        period,
        direction,
        printing_id,
        game_id: game_id ?? 0,
        product_type: type === undefined ? 0 : PRODUCT_TYPE_ID[type],
      }
      const found =
        min_confidence === undefined
          ? list.all({ ...question, limit })
          : confident.all({ ...question, level: LEVEL_ID[min_confidence], limit })
      const rows = found.map((row) => ({
        ...row,
        market_price: toDollars(row.market_price),
        image_url: pictureUrl(row.image_url),
      }))
      return { rows, excluded: excluded.get(question)?.excluded ?? 0 }
    },
  }
}

function key(table: typeof movers | typeof moverExclusions) {
  return [
    eq(table.period, parameter('period')),
    eq(table.direction, parameter('direction')),
    eq(table.game_id, parameter('game_id')),
    eq(table.product_type, parameter('product_type')),
    eq(table.printing_id, parameter('printing_id')),
  ]
}
