import type { AccountLimits } from '../accounts/tiers.ts'
import type { Certainty } from '../matching/certainty.ts'
import type { ColumnUse } from '../matching/column-uses.ts'
import type { Preference } from '../matching/preference.ts'
import type { ErrorCode } from '../primitives/errors.ts'
import type { FileBytes } from '../primitives/file-bytes.ts'

/** Treatment of rows that nobody owns: of watchlists, lists and decks. Proxies are always left out. */
export const UNOWNED = ['leave_out', 'wishlist'] as const

export type Unowned = (typeof UNOWNED)[number]

/** A collection, and the account that imports something to it. */
type ImportTarget = AccountLimits & {
  account_id: number
  /** Network of the sender's address. */
  network: string
  collection_id: string
}

/** Work of the thread of imports. */
export type ImportTask = FileImport | StoredImport

/** An import whose rows are stored: what its draft accepts is imported, or what it has added is removed. */
export type StoredImport = ImportTarget & { import_id: string; step: 'import' | 'undo' }

/** A file for a collection, from the account that sends it. */
export type FileImport = ImportTarget & {
  file: FileBytes
  /** Name that the sender gives the file; undefined for a list. */
  file_name: string | undefined
  /** Slug of the game for rows that name none. */
  game: string | undefined
  /** Which of several cards a row without a set means. */
  prefer: Preference
  /** True to add a file once more that is already in the collection. */
  again: boolean
  /** Matches that are imported; the others are reported. */
  accept: readonly Certainty[]
  unowned?: Unowned
  /** Wish list for these rows; undefined for a draft, or if they are left out. */
  unowned_list_id?: string | undefined
  /** True to store nothing in the collection, and keep what was understood as a draft. */
  is_draft: boolean
}

/** Row that was not imported, is uncertain, or has an ignored cell. */
export type ImportProblem = {
  /** Row number, as in resolve/csv. */
  row: number
  name: string | null
  /** Imported card, or the one that the row may mean; null without one. */
  card_id: number | null
  card_name: string | null
  reason: string
  is_imported: boolean
  /** Other cards that a row may mean which was not certain enough, or cards with names similar to that of the row. */
  alternatives?: ProblemCard[]
}

/** A card to choose from. */
export type ProblemCard = { id: number; name: string; set_name: string; number: string | null }

/** State of a file in a collection. */
export type CollectionImportReport = {
  /** With it, the draft can be read, and the import undone. */
  import_id: string
  rows: number
  imported: number
  skipped: number
  /** Rows that were added to the wish list. */
  unowned: number
  problem_count: number
  /** The first problems of the file. */
  problems: ImportProblem[]
  /** Columns of the file; none of a list, or of a file that was imported before. */
  columns: readonly ColumnUse[]
  /** True if the collection had no room for the rest of the file. */
  is_full: boolean
  /** True if the whole file was imported before, so that nothing was done. */
  is_repeated: boolean
}

/** Report of a stored import: what has no room for its other rows, the collection or the wish list; null: it has ended. */
export type StoredImportReport = { full: 'full' | 'unowned_full' | null }

/** Report of work in the thread, or the error for its sender, because threads pass only plain objects. */
export type FileImportOutcome =
  | { report: CollectionImportReport | StoredImportReport }
  | { refusal: { code: ErrorCode; message: string; retryAfter: number | undefined } }

/** Rows of a part, which is stored in one transaction, during which other requests wait. */
export const ROWS_A_PART = 50
