import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const moverList = {
  period: text().notNull(),
  direction: text().notNull(),
  game_id: integer().notNull(),
}

const mover = {
  ...moverList,
  position: integer().notNull(),
  card_id: integer().notNull(),
  printing_id: integer().notNull(),
  product_type: integer().notNull(),
  previous_price: integer().notNull(),
  market_price: integer().notNull(),
  confidence: integer().notNull(),
}

const moverExclusion = {
  ...moverList,
  product_type: integer().notNull(),
  printing_id: integer().notNull(),
  excluded: integer().notNull(),
}

export const movers = sqliteTable('movers', mover, (table) => [
  primaryKey({ columns: [table.period, table.direction, table.game_id, table.position] }),
])

export const moverExclusions = sqliteTable('mover_exclusions', moverExclusion, (table) => [
  primaryKey({
    columns: [table.period, table.direction, table.game_id, table.product_type, table.printing_id],
  }),
])

const priceList = { source: text().notNull(), currency: text().notNull() }

/** Movers of further sources. */
export const sourceMovers = sqliteTable('source_movers', { ...priceList, ...mover }, (table) => [
  primaryKey({
    columns: [
      table.source,
      table.currency,
      table.period,
      table.direction,
      table.game_id,
      table.position,
    ],
  }),
])

export const sourceMoverExclusions = sqliteTable(
  'source_mover_exclusions',
  { ...priceList, ...moverExclusion },
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
