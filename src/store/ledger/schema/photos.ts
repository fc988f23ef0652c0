import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { VERDICT_STATUSES } from '#rules/photos/verdict.ts'

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
  credit_until: integer(),
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
  fingerprint: text(),
})

export const cardReferences = sqliteTable('card_references', {
  id: text().primaryKey(),
  account_id: integer().notNull(),
  card_id: integer().notNull(),
  fingerprint: text().notNull(),
  created_at: integer().notNull(),
})

export const referenceVersion = sqliteTable('reference_version', {
  id: integer().primaryKey(),
  version: integer().notNull(),
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

export const scanPhotos = sqliteTable(
  'scan_photos',
  {
    list_id: text().notNull(),
    photo: text().notNull(),
    width: integer(),
    height: integer(),
    unread: text().notNull().default('[]'),
    scans: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.list_id, table.photo] })],
)

export const readings = sqliteTable(
  'readings',
  {
    list_id: text().notNull(),
    identification_id: text().notNull(),
    photo: text().notNull(),
    page_row: integer(),
    page_column: integer(),
    outline: text(),
    data: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.list_id, table.identification_id] })],
)

export type ScanLedgerRow = typeof scanLedger.$inferSelect
export type ScanHoldRow = typeof scanHolds.$inferSelect
export type IdentificationRow = typeof identifications.$inferSelect
export type CardReferenceRow = typeof cardReferences.$inferSelect
export type ScanDayRow = typeof scanDays.$inferSelect
export type ScanPhotoRow = typeof scanPhotos.$inferSelect
export type ReadingRow = typeof readings.$inferSelect
