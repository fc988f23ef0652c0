import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SetKeyKind } from '#rules/catalog/set-keys.ts'

export const setKeys = sqliteTable(
  'set_keys',
  {
    key: text().notNull(),
    kind: text().$type<SetKeyKind>().notNull(),
    set_id: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.kind, table.set_id] })],
)

export const cardNames = sqliteTable('card_names', {
  place: integer().primaryKey(),
  game_id: integer().notNull(),
  name: text().notNull(),
  spelling: text().notNull(),
  backwards: text().notNull(),
  is_whole: integer().$type<0 | 1>().notNull(),
  cards: text().notNull(),
})

export const cardNamePrices = sqliteTable('card_name_prices', {
  first_place: integer().primaryKey(),
  ranks: blob({ mode: 'buffer' }).notNull(),
  ends: blob({ mode: 'buffer' }).notNull(),
  top_cards: blob({ mode: 'buffer' }).notNull(),
})

export const cardNameGames = sqliteTable('card_name_games', {
  game_id: integer().primaryKey(),
  first_place: integer().notNull(),
  sizes: blob({ mode: 'buffer' }).notNull(),
})

export const cardNameTrigrams = sqliteTable('card_name_trigrams', {
  trigram: integer().primaryKey(),
  places: blob({ mode: 'buffer' }).notNull(),
})

export const numberShapes = sqliteTable(
  'number_shapes',
  {
    game_id: integer().notNull(),
    shape: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.game_id, table.shape] })],
)

export type SetKeyRow = typeof setKeys.$inferSelect
export type CardNameRow = typeof cardNames.$inferSelect
export type CardNamePriceRow = typeof cardNamePrices.$inferSelect
export type CardNameGameRow = typeof cardNameGames.$inferSelect
