import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { VERDICT_STATUSES } from '#rules/photos/verdict.ts'
import type { Condition } from '#rules/pricing/price-key.ts'

type ScanEntryKind =
  | 'trial'
  | 'trial_withdrawn'
  | 'purchase'
  | 'grant'
  | 'scan'
  | 'refund'
  | 'rejection'
  | 'reversal'
  | 'reinstatement'
  | 'debt_settled'

export const scanLedger = sqliteTable('scan_ledger', {
  id: integer().primaryKey(),
  account_id: integer().notNull(),
  kind: text().$type<ScanEntryKind>().notNull(),
  n: integer().notNull(),
  amount_cents: integer(),
  ref: text().notNull(),
  at: integer().notNull(),
})

export const scanHolds = sqliteTable('scan_holds', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  state: text().$type<'held' | 'done' | 'refunded' | 'rejected'>().notNull(),
  taken_at: integer().notNull(),
  due_at: integer().notNull(),
})

export const identifications = sqliteTable('identifications', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  at: integer().notNull(),
  status: text({ enum: VERDICT_STATUSES }).notNull(),
  game: text(),
  data: text().notNull(),
  feedback_at: integer(),
  feedback_card_id: integer(),
})

export const scanDays = sqliteTable(
  'scan_days',
  {
    account_id: integer().notNull(),
    day: integer().notNull(),
    scans: integer().notNull().default(0),
    refunded: integer().notNull().default(0),
    matched: integer().notNull().default(0),
    ambiguous: integer().notNull().default(0),
    retake: integer().notNull().default(0),
    not_found: integer().notNull().default(0),
    unsupported: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.day] })],
)

export const scanSessions = sqliteTable('scan_sessions', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  name: text().notNull(),
  photos: integer().notNull().default(0),
  scans: integer().notNull().default(0),
  items: integer().notNull().default(0),
  copies: integer().notNull().default(0),
  open: integer().notNull().default(0),
  added: integer().notNull().default(0),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  deleted_at: integer(),
})

export const scanSessionPhotos = sqliteTable(
  'scan_session_photos',
  {
    scan_session_id: text().notNull(),
    photo: text().notNull(),
    width: integer(),
    height: integer(),
    unread: text().notNull().default('[]'),
    scans: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.scan_session_id, table.photo] })],
)

export const scanSessionCards = sqliteTable(
  'scan_session_cards',
  {
    scan_session_id: text().notNull(),
    identification_id: text().notNull(),
    photo: text().notNull(),
    page_row: integer(),
    page_column: integer(),
    outline: text(),
    data: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.scan_session_id, table.identification_id] })],
)

export const scanSessionItems = sqliteTable(
  'scan_session_items',
  {
    scan_session_id: text().notNull(),
    id: text().notNull(),
    ordinal: integer().notNull(),
    identification_id: text().notNull(),
    copied_from: text(),
    card_id: integer(),
    name: text(),
    number: text(),
    game: text(),
    set_id: integer(),
    set_name: text(),
    printing: text(),
    condition: text().$type<Condition>().notNull(),
    grade: text(),
    language: text(),
    quantity: integer().notNull(),
    is_reviewed: integer().$type<0 | 1>().notNull(),
    revision: integer().notNull().default(1),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.scan_session_id, table.id] })],
)

export type ScanLedgerRow = typeof scanLedger.$inferSelect
export type ScanHoldRow = typeof scanHolds.$inferSelect
export type IdentificationRow = typeof identifications.$inferSelect
export type ScanDayRow = typeof scanDays.$inferSelect
export type ScanSessionRow = typeof scanSessions.$inferSelect
export type ScanSessionPhotoRow = typeof scanSessionPhotos.$inferSelect
export type ScanSessionCardRow = typeof scanSessionCards.$inferSelect
export type ScanSessionItemRow = typeof scanSessionItems.$inferSelect
