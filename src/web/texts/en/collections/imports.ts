/** Texts of the page of an import, and of the list of open ones. */
import type { ReactNode } from 'react'
import { pluralText } from '../../../format.ts'
import { type Markup, rich } from '../../rich-text.ts'

export const discardImport = 'Discard this import?'
export const discard = 'Discard'
export const decisionsAreLost = (file: string) =>
  `Your decisions about the rows of “${file}” are lost. Nothing of it was imported.`
export const rowNumber = (row: string) => `Row ${row}`
export const noCard = 'No card'
export const acceptRow = ({ row, hidden }: RowAction) => rich`Accept${hidden(` row ${row}`)}`
export const skipRow = ({ row, hidden }: RowAction) => rich`Skip${hidden(` row ${row}`)}`
export const searchForRow = ({ row, hidden }: RowAction) => rich`Search${hidden(` row ${row}`)}`
export const otherCardOfRow = ({ row, hidden }: RowAction) =>
  rich`Other card${hidden(` row ${row}`)}`
export const didYouMean = 'Did you mean one of these?'
export const otherPossibleCards = 'Other possible cards'
export const fileWasImportedBefore =
  'This file was imported into this collection before. If you import it again, its rows are added a second time.'
export const whatWasUnderstood = 'What was understood'
export const match = 'Match'
export const rows = 'Rows'
export const value = 'Value'
export const toImport = 'To import'
export const theirValue = 'Their value'
export const amountsInDollars = 'All amounts are in US dollars.'
export const noHeader = 'No header'
export const columnWithoutHeader = 'a column without a header'
export const columnsNotUsed = (columns: string) => `Not used: ${columns}`
export const importLabel = 'Import'
export const roomLeft = ({
  collectionName,
  room,
  plansLink,
}: {
  collectionName: string
  room: number
  plansLink: ReactNode
}) =>
  rich`“${collectionName}” has room for ${pluralText(room, { one: '# item', other: '# items' })}. Skip rows, or get more room: ${plansLink}`
export const valueInRows = ({
  value,
  accepted,
  hidden,
}: {
  value: ReactNode
  accepted: number
  hidden: Markup
}) => rich`${value}${hidden(` in ${pluralText(accepted, { one: '# row', other: '# rows' })}`)}`
export const rowsForWishlist = (unowned: number) =>
  `${pluralText(unowned, { one: '# row', other: '# rows' })} for your wish list`
export const rowsNotDecided = (open: number) =>
  `${pluralText(open, { one: '# row', other: '# rows' })} not decided, left out`
export const importRows = (accepted: number) =>
  `Import ${pluralText(accepted, { one: '# row', other: '# rows' })}`
export const groupNews = ({
  group,
  accepted,
  skipped,
  acceptedBefore,
  skippedBefore,
}: Record<'group' | 'skipped' | 'acceptedBefore' | 'skippedBefore', string> & {
  accepted: number
}) =>
  `${group}: now ${pluralText(accepted, { one: '# row', other: '# rows' })} accepted and ${skipped} skipped (before ${acceptedBefore} and ${skippedBefore})`
export const rowNews = ({ row, facts }: Record<'row' | 'facts', string>) => `Row ${row}: ${facts}`
export const result = 'Result'
export const canUndoUntil = (undoUntil: string) => `You can undo the import until ${undoUntil}.`
export const openIt = 'Open it'
export const undoImport = 'Undo import'
export const itemsRemoved = ({ removed, places, strong }: Removed) =>
  rich`${strong(pluralText(removed, { one: '# item', other: '# items' }))} ${pluralText(removed, { one: 'was', other: 'were' })} removed from ${places}.`
export const undoInterrupted = 'The undo was interrupted, or runs in another tab.'
export const continueUndo = 'Continue undo'
export const importUndone = (removed: Removed) =>
  rich`The import was undone. ${itemsRemoved(removed)}`
export const itemsStay = (kept: number) =>
  pluralText(kept, {
    one: '# item was changed after the import, and stays:',
    other: '# items were changed after the import, and stay:',
  })
export const andMore = (more: number) =>
  `And ${pluralText(more, { one: '# more item', other: '# more items' })}.`
export const rowsNotImported = ({ left, expiresAt }: { left: number; expiresAt: string }) =>
  `${pluralText(left, { one: '# row was', other: '# rows were' })} not imported. Until ${expiresAt}, a file has them as you sent them, each with its reason.`
export const downloadRows = (left: number) =>
  `Download ${pluralText(left, { one: '# row', other: '# rows' })}`
export const guessed = 'Guessed'
export const guessedExplained =
  'No card fits exactly. These rows are imported only if you accept them.'
export const assumed = 'Assumed'
export const assumedExplained =
  'No set or number says which card of the name is meant, so one was chosen. These rows are imported unless you skip them.'
export const notFound = 'Not found'
export const notFoundExplained =
  'No card has these names. Search for the cards, or leave the rows out.'
export const leftOut = 'Left out'
export const leftOutExplained =
  'Rows that nobody owns, or that cannot be read. To import one, choose its card.'
export const certain = 'Certain'
export const certainExplained =
  'Name, set and number fit. These rows are imported unless you skip them.'
export const pastedList = 'Pasted list'
export const fileWithoutAName = 'File without a name'
export const yourWishlist = 'your wish list'
export const placeAndWishlist = (collectionName: string) => `“${collectionName}” and your wish list`
export const noDecision = 'no decision'
export const accepted = 'accepted'
export const skipped = 'skipped'
export const noCardHasThisName = 'No card has this name or ID'
export const rowHasNoCardName = 'The row has no card name'
export const nameIsTooShort = 'The name is too short'
export const unknownGame = 'Unknown game'
export const unknownSet = 'Unknown set: the card was found by its name'
export const notInThisSet = 'Not in this set: the card was found by its name'
export const cardHasAnotherNumber = 'This card has another number'
export const itsPriceIsUncertain = 'Its price is uncertain'
export const unknownProductId = 'Unknown product ID: the card was found by its name'
export const noSuchPrinting = 'The card has no such printing: the closest one was used'
export const assumedCard =
  'No set or number says which card of the name is meant: this one was chosen'
export const wordsIgnored = 'Words behind the card were ignored'
export const differentName = 'The card has a different name'
export const onAWatchlistNotOwned = 'On a watchlist: not owned'
export const inAListNotOwned = 'In a list: not owned'
export const inADeck = 'In a deck, which repeats cards of the binders'
export const wishlistIsFull = 'The wish list is full'
export const proxy = 'A proxy is not a card'
export const quantityIs0 = 'The quantity is 0'
export const quantityIsNotValid = 'The quantity is not a number from 1 to 100,000'
export const lineIsTooLong = 'The line is too long'
export const rowIsVeryLong = 'The row is very long: only a part of it is kept'
export const unknownCondition = 'Unknown condition: near mint was used'
export const unknownLanguage = 'Unknown language'
export const priceIsNotAnAmount = 'The price is not an amount'
export const dateIsNotValid = 'The date is not valid'
export const currencyUnknown =
  'The currency of the price paid is unknown or contradictory, so the price was ignored'
export const columnsUsed = (used: number) =>
  `${pluralText(used, { one: '# column', other: '# columns' })} used`
export const columnsUsedAndNot = ({ used, unused }: { used: number; unused: string }) =>
  `${pluralText(used, { one: '# column', other: '# columns' })} used, ${unused} not used`
export const looksLikeQuantity = 'not used: it looks like a quantity'
export const isOwned = 'whether you own the copies'
export const notUsed = 'not used'
export const collections = 'Collections'
export const importTo = (collectionName: string) => `Import to “${collectionName}”`
export const draftExplained = ({
  file,
  rows,
  collectionName,
  expiresAt,
}: {
  file: string
  rows: number
  collectionName: string
  expiresAt: string
}) =>
  `${file}, ${pluralText(rows, { one: '# row', other: '# rows' })}. Nothing is in “${collectionName}” yet. This page is kept until ${expiresAt}.`
export const fileWithRows = ({ file, rows }: { file: string; rows: number }) =>
  `${file}, ${pluralText(rows, { one: '# row', other: '# rows' })}`
export const importChangedElsewhere = 'This import was changed elsewhere'
export const rowsAreDecided = 'Its rows can no longer be decided. Change the items themselves.'
export const changedAndShown = 'The page shows it as it is now.'
export const changedAndNotSaved =
  'The page shows it as it is now. Your last change is not saved yet.'
export const saveMyChange = 'Save my change'
export const discardMyChange = 'Discard my change'
export const ok = 'OK'
export const importNotFound = 'Import not found'
export const importHasEnded = 'This import has ended'
export const importHasEndedExplained =
  'A draft is kept for 24 hours, and an account has at most three. Nothing was lost: import the file or the list again, from the page of the collection.'
export const openCollections = 'Open collections'
export const openImports = 'Open imports'
export const accountIsFull =
  'These are as many as an account can have. A further import replaces the last one.'
export const isDiscarded = (file: string) => `“${file}” is discarded.`
export const changedInAnotherTab = (file: string) =>
  `“${file}” was changed in another tab. The list shows the imports as they are now.`
export const toCollection = (collectionName: string) => `To “${collectionName}”`
export const rowsWithProgress = ({ rows, progress }: { rows: number; progress: string }) =>
  `${pluralText(rows, { one: '# row', other: '# rows' })}, ${progress}`
export const keptUntil = (expiresAt: string) => `kept until ${expiresAt}`
export const continueFile = ({ file, hidden }: FileAction) => rich`Continue${hidden(` ${file}`)}`
export const discardFile = ({ file, hidden }: FileAction) => rich`Discard${hidden(` ${file}`)}`
export const ofImported = ({ imported, accepted }: Record<'imported' | 'accepted', string>) =>
  `${imported} of ${accepted} imported`
export const notDecided = (open: string) => `${open} not decided`
export const acceptedToImport = (accepted: string) => `${accepted} to import`
export const youHaveImports = ({ open, link }: OpenImports) =>
  rich`You have ${openImportsLink({ open, link })}.`
export const youHaveAsMany = ({ open, link, file }: OpenImports & { file: string }) =>
  rich`You have ${openImportsLink({ open, link })}, as many as an account can have. This one will replace “${file}”, which was changed longest ago.`
export const importedOfRows = ({ imported, rows }: { imported: string; rows: number }) =>
  `${imported} of ${pluralText(rows, { one: '# row', other: '# rows' })}`
export const rowsAreIn = (imported: Imported) => rich`${rowsIn(imported)}.`
export const rowsAreInAndWished = ({ wished, ...imported }: Imported & { wished: string }) =>
  rich`${rowsIn(imported)}, and ${wished} on your wish list.`
export const rowsAreInOrWished = (imported: Imported) =>
  rich`${rowsIn(imported)} or on your wish list.`
export const progress = 'Progress'
export const imported = 'Imported'
export const importInterrupted =
  'The import was interrupted, or runs in another tab. Continue it here: nothing is added twice.'
export const continueImport = 'Continue import'
export const printingOfRow = (row: string) => `Printing of row ${row}`
export const changeCopies = ({
  quantity,
  copies,
  row,
  hidden,
}: {
  quantity: string
  copies: string
  row: string
  hidden: Markup
}) => rich`${quantity} × ${copies}${hidden(`: change the copies of row ${row}`)}`
export const condition = 'Condition'
export const language = 'Language'
export const unknown = 'Unknown'
export const enterANumber = (max: string) => `Enter a number from 1 to ${max}.`
export const quantity = 'Quantity'
export const acceptAll = (rows: string) => `Accept all ${rows}`
export const skipAll = (rows: string) => `Skip all ${rows}`
export const decideAgain = 'Decide again'
export const whichCardIsRow = (row: string) => `Which card is row ${row}?`
export const cancel = 'Cancel'
export const undoTheImport = 'Undo the import?'
export const itemsWillBeRemoved = ({ imported, places }: { imported: number; places: string }) =>
  `${pluralText(imported, { one: '# item', other: '# items' })} will be removed from ${places}. Items that you have changed since stay.`
export const removing = 'Removing… A large import takes up to a minute.'

type RowAction = { row: string; hidden: Markup }
type FileAction = { file: string; hidden: Markup }
type Removed = { removed: number; places: string; strong: Markup }
type OpenImports = { open: number; link: Markup }
/** `rows` are rendered, as "3 of 4 rows"; `imported` is the number of those that were imported. */
type Imported = { rows: ReactNode; imported: number; collectionName: string }

function openImportsLink({ open, link }: OpenImports): ReactNode {
  return link(pluralText(open, { one: '# open import', other: '# open imports' }))
}

function rowsIn({ rows, imported, collectionName }: Imported): ReactNode {
  return rich`${rows} ${pluralText(imported, { one: 'is', other: 'are' })} in “${collectionName}”`
}
