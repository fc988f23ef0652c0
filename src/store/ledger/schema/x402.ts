import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const photoPayments = sqliteTable('photo_payments', {
  id: text().primaryKey(),
  payer: text().notNull(),
  fingerprint: text().notNull(),
  state: text()
    .$type<'reserved' | 'worked' | 'unknown' | 'settled' | 'released' | 'failed'>()
    .notNull(),
  payment: text().notNull(),
  result: text(),
  settlement: text(),
  valid_before: integer().notNull(),
  owner: text(),
  due_at: integer().notNull(),
  next_at: integer(),
  tries: integer().notNull().default(0),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
})

export type PhotoPaymentRow = typeof photoPayments.$inferSelect
