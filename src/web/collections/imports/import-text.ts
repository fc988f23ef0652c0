import type { CollectionImport } from '#client/endpoints.ts'
import { plural } from '../../format.ts'
import type { ImportEntry, ImportKind } from './import-queries.ts'

/** Titles and explanations of the groups of rows. */
export const KIND_TEXTS: Readonly<Record<ImportKind, { title: string; text: string }>> = {
  guessed: {
    title: 'Guessed',
    text: 'No card fits exactly. These rows are imported only if you accept them.',
  },
  assumed: {
    title: 'Assumed',
    text: 'No set or number says which card of the name is meant, so one was chosen. These rows are imported unless you skip them.',
  },
  not_found: {
    title: 'Not found',
    text: 'No card has these names. Search for the cards, or leave the rows out.',
  },
  skipped: {
    title: 'Left out',
    text: 'Rows that nobody owns, or that cannot be read. To import one, choose its card.',
  },
  certain: {
    title: 'Certain',
    text: 'Name, set and number fit. These rows are imported unless you skip them.',
  },
}

/** Names what was sent: a file, or a pasted list. */
export function fileText({
  file_name,
  columns,
}: Pick<CollectionImport, 'file_name' | 'columns'>): string {
  return file_name ?? (columns.length === 0 ? 'Pasted list' : 'File without a name')
}

type Imported = Pick<CollectionImport, 'collection_name' | 'imported' | 'unowned'>

/** Names where an import has added items: the collection, the wish list, or both. */
export function placesText({ collection_name, imported, unowned }: Imported): string {
  if (unowned === 0) return `“${collection_name}”`
  return imported === 0 ? 'your wish list' : `“${collection_name}” and your wish list`
}

/** Names of the decisions, inside a sentence. */
export const STATE_NAMES: Readonly<Record<ImportEntry['state'], string>> = {
  open: 'no decision',
  accepted: 'accepted',
  skipped: 'skipped',
}

/** Sums of all kinds of rows. `open` ones need a decision: those that the file itself leaves out need none. */
export function sumTotals({ totals }: Pick<CollectionImport, 'totals'>) {
  const sum = (read: (sums: (typeof totals)[number]) => number) =>
    totals.reduce((all, sums) => all + read(sums), 0)
  return {
    accepted: sum(({ accepted }) => accepted),
    unowned: sum(({ unowned }) => unowned),
    open: sum(({ kind, rows, accepted, skipped }) =>
      kind === 'skipped' ? 0 : rows - accepted - skipped,
    ),
    value: sum(({ accepted_value }) => accepted_value),
  }
}

/** Explains why a row has no card, or which part of it does not fit its card. */
export function noteText(note: string): string {
  return NOTES[note] ?? note.replaceAll('_', ' ')
}

const NOTES: Readonly<Record<string, string>> = {
  no_match: 'No card has this name or ID',
  no_name: 'The row has no card name',
  name_too_short: 'The name is too short',
  game_not_found: 'Unknown game',
  set_not_found: 'Unknown set: the card was found by its name',
  not_in_set: 'Not in this set: the card was found by its name',
  number_not_found: 'This card has another number',
  low_confidence: 'Its price is uncertain',
  product_id_not_found: 'Unknown product ID: the card was found by its name',
  printing_not_found: 'The card has no such printing: the closest one was used',
  printing_assumed: 'No set or number says which card of the name is meant: this one was chosen',
  words_ignored: 'Words behind the card were ignored',
  similar_name: 'The card has a different name',
  on_watchlist: 'On a watchlist: not owned',
  in_list: 'In a list: not owned',
  in_deck: 'In a deck, which repeats cards of the binders',
  wishlist_full: 'The wish list is full',
  proxy: 'A proxy is not a card',
  no_copies: 'The quantity is 0',
  invalid_quantity: 'The quantity is not a number from 1 to 100,000',
  line_too_long: 'The line is too long',
  row_cut: 'The row is very long: only a part of it is kept',
  invalid_condition: 'Unknown condition: near mint was used',
  invalid_language: 'Unknown language',
  invalid_price: 'The price is not an amount',
  invalid_date: 'The date is not valid',
  currency_not_supported:
    'The currency of the price paid is unknown or contradictory, so the price was ignored',
}

/** Sums the use of columns up: "Columns: 8 used, 2 not used". */
export function columnsText(columns: CollectionImport['columns']): string {
  const unused = columns.filter(({ use }) => !isUsed(use)).length
  const used = `${plural(columns.length - unused, 'column')} used`
  return unused === 0 ? used : `${used}, ${unused} not used`
}

/** Describes what a column was used for. */
export function describeUse(use: string | null): string {
  if (use === 'unknown_quantity') return 'not used: it looks like a quantity'
  if (use === 'ownership') return 'whether you own the copies'
  return use === null ? 'not used' : use.replaceAll('_', ' ')
}

export function isUsed(use: string | null): boolean {
  return use !== null && use !== 'unknown_quantity'
}
