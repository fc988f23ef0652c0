import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const cardPictures = sqliteTable('card_pictures', {
  card_id: integer().primaryKey(),
  game_id: integer().notNull(),
  model: text().notNull(),
  image_url: text().notNull(),
  etag: text(),
  vector: blob({ mode: 'buffer' }),
  hash: blob({ mode: 'buffer' }),
  art_group: integer(),
  status: text().notNull(),
  tries: integer().notNull().default(0),
  next_try_at: integer(),
  updated_at: text().notNull(),
  version: integer().notNull(),
})

export type CardPictureRow = typeof cardPictures.$inferSelect
