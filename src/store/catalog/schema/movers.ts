import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const moverList = {
  period: text().notNull(),
  direction: text().notNull(),
  game_id: integer().notNull(),
  product_type: integer().notNull(),
  printing_id: integer().notNull(),
}

export const movers = sqliteTable(
  'movers',
  {
    ...moverList,
    position: integer().notNull(),
    card_id: integer().notNull(),
    card_printing_id: integer().notNull(),
    market_price: integer().notNull(),
    price_change: real().notNull(),
    confidence: integer(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.period,
        table.direction,
        table.game_id,
        table.product_type,
        table.printing_id,
        table.position,
      ],
    }),
  ],
)

export const moverExclusions = sqliteTable(
  'mover_exclusions',
  { ...moverList, excluded: integer().notNull() },
  (table) => [
    primaryKey({
      columns: [
        table.period,
        table.direction,
        table.game_id,
        table.product_type,
        table.printing_id,
      ],
    }),
  ],
)

const sourceMoverList = { source: text().notNull(), currency: text().notNull(), ...moverList }

/** Movers of further sources. */
export const sourceMovers = sqliteTable(
  'source_movers',
  {
    ...sourceMoverList,
    position: integer().notNull(),
    card_id: integer().notNull(),
    card_printing_id: integer().notNull(),
    market_price: integer().notNull(),
    price_change: real().notNull(),
    confidence: integer().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.source,
        table.currency,
        table.period,
        table.direction,
        table.game_id,
        table.product_type,
        table.printing_id,
        table.position,
      ],
    }),
  ],
)

export const sourceMoverExclusions = sqliteTable(
  'source_mover_exclusions',
  { ...sourceMoverList, excluded: integer().notNull() },
  (table) => [
    primaryKey({
      columns: [
        table.source,
        table.currency,
        table.period,
        table.direction,
        table.game_id,
        table.product_type,
        table.printing_id,
      ],
    }),
  ],
)
