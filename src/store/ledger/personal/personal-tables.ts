import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { keyOf, namesOf } from '../../table-sql.ts'
import * as schema from '../schema.ts'

/**
 * Treatment of an account's rows in a table when it is deleted. `kept`: a book, whose rows only contain the number of
 * the account. `hidden`: lists and their parts, which are deleted in batches, as there may be very many rows.
 * `unlinked`: the operator's records of invitations. `buried`: the account itself. `erased`: all others.
 */
export type RowFate = 'erased' | 'hidden' | 'kept' | 'unlinked' | 'buried'

/** A table with rows of accounts. */
export type PersonalTable = {
  name: string
  columns: readonly SQLiteColumn[]
  /** Columns of the primary key; without one, the position of the row. */
  order: string
  /** SQL condition for the rows of the account given as `?`. */
  owner: string
  /** Column with the list to which each row belongs; undefined if rows belong to the account or to something else. */
  list: 'list_id' | 'collection_id' | undefined
  fate: RowFate
}

/** Records of money and scans: without them, balances would not equal the sum of their entries. */
const BOOKS: ReadonlySet<string> = new Set([
  'scan_ledger',
  'scan_holds',
  'scan_purchases',
  'billing_customers',
  'billing_charges',
  'billing_payments',
  'billing_events',
  'checkouts',
  'subscriptions',
])

/** Tables whose rows are hidden, and columns that refer to them. */
const HIDDEN: ReadonlySet<string> = new Set(['lists', 'list_id', 'collection_id'])

/**
 * Column that names the owner of a row, directly or through a row of another table; the first one in a table counts.
 */
const OWNERS = {
  account_id: 'account_id = ?',
  list_id: 'list_id IN (SELECT id FROM lists WHERE account_id = ?)',
  collection_id: 'collection_id IN (SELECT id FROM lists WHERE account_id = ?)',
  message_id: 'message_id IN (SELECT id FROM alert_messages WHERE account_id = ?)',
  key_id: 'key_id IN (SELECT id FROM keys WHERE account_id = ?)',
} as const

/**
 * Tables with rows of accounts. A table that refers to accounts is included without being listed here, and its rows
 * are erased; only books must be listed.
 */
export const PERSONAL_TABLES: readonly PersonalTable[] = Object.values(schema).flatMap(
  (table) => describeTable(table) ?? [],
)

function describeTable(table: SQLiteTable): PersonalTable | undefined {
  const { name, columns } = getTableConfig(table)
  const order = namesOf(keyOf(table)) || 'rowid'
  const own = { name, columns, order }
  if (name === 'accounts') return { ...own, owner: 'id = ?', list: undefined, fate: 'buried' }
  const column = ownerColumns().find((owner) => columns.some((one) => one.name === owner))
  if (column === undefined) return undefined
  const list = column === 'list_id' || column === 'collection_id' ? column : undefined
  return { ...own, owner: OWNERS[column], list, fate: fateOf(name, column) }
}

function ownerColumns(): (keyof typeof OWNERS)[] {
  return Object.keys(OWNERS) as (keyof typeof OWNERS)[] // The keys of a constant.
}

function fateOf(name: string, owner: keyof typeof OWNERS): RowFate {
  if (BOOKS.has(name)) return 'kept'
  if (name === 'invitations') return 'unlinked'
  return HIDDEN.has(name) || HIDDEN.has(owner) ? 'hidden' : 'erased'
}
