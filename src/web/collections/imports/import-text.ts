import type { CollectionImport } from '#client/endpoints.ts'
import * as texts from '#texts/collections/imports.ts'
import type { ImportEntry, ImportKind } from './import-queries.ts'

/** Titles and explanations of the groups of rows. */
export const KIND_TEXTS: Readonly<Record<ImportKind, { title: string; text: string }>> = {
  guessed: {
    title: texts.guessed,
    text: texts.guessedExplained,
  },
  assumed: {
    title: texts.assumed,
    text: texts.assumedExplained,
  },
  not_found: {
    title: texts.notFound,
    text: texts.notFoundExplained,
  },
  skipped: {
    title: texts.leftOut,
    text: texts.leftOutExplained,
  },
  certain: {
    title: texts.certain,
    text: texts.certainExplained,
  },
}

/** Names what was sent: a file, or a pasted list. */
export function fileText({
  file_name,
  columns,
}: Pick<CollectionImport, 'file_name' | 'columns'>): string {
  return file_name ?? (columns.length === 0 ? texts.pastedList : texts.fileWithoutAName)
}

type Imported = Pick<CollectionImport, 'collection_name' | 'imported' | 'unowned'>

/** Names where an import has added items: the collection, the wish list, or both. */
export function placesText({ collection_name, imported, unowned }: Imported): string {
  if (unowned === 0) return `“${collection_name}”`
  return imported === 0 ? texts.yourWishlist : texts.placeAndWishlist(collection_name)
}

/** Names of the decisions, inside a sentence. */
export const STATE_NAMES: Readonly<Record<ImportEntry['state'], string>> = {
  open: texts.noDecision,
  accepted: texts.accepted,
  skipped: texts.skipped,
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
  no_match: texts.noCardHasThisName,
  no_name: texts.rowHasNoCardName,
  name_too_short: texts.nameIsTooShort,
  game_not_found: texts.unknownGame,
  set_not_found: texts.unknownSet,
  not_in_set: texts.notInThisSet,
  number_not_found: texts.cardHasAnotherNumber,
  low_confidence: texts.itsPriceIsUncertain,
  product_id_not_found: texts.unknownProductId,
  printing_not_found: texts.noSuchPrinting,
  printing_assumed: texts.assumedCard,
  words_ignored: texts.wordsIgnored,
  similar_name: texts.differentName,
  on_watchlist: texts.onAWatchlistNotOwned,
  in_list: texts.inAListNotOwned,
  in_deck: texts.inADeck,
  wishlist_full: texts.wishlistIsFull,
  proxy: texts.proxy,
  no_copies: texts.quantityIs0,
  invalid_quantity: texts.quantityIsNotValid,
  line_too_long: texts.lineIsTooLong,
  row_cut: texts.rowIsVeryLong,
  invalid_condition: texts.unknownCondition,
  invalid_language: texts.unknownLanguage,
  invalid_price: texts.priceIsNotAnAmount,
  invalid_date: texts.dateIsNotValid,
  currency_not_supported: texts.currencyUnknown,
}

/** Sums the use of columns up: "Columns: 8 used, 2 not used". */
export function columnsText(columns: CollectionImport['columns']): string {
  const unused = columns.filter(({ use }) => !isUsed(use)).length
  const used = columns.length - unused
  return unused === 0
    ? texts.columnsUsed(used)
    : texts.columnsUsedAndNot({ used, unused: String(unused) })
}

/** Describes what a column was used for. */
export function describeUse(use: string | null): string {
  if (use === 'unknown_quantity') return texts.looksLikeQuantity
  if (use === 'ownership') return texts.isOwned
  return use === null ? texts.notUsed : use.replaceAll('_', ' ')
}

export function isUsed(use: string | null): boolean {
  return use !== null && use !== 'unknown_quantity'
}
