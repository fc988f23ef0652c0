/** Texts of the list of collections, and of the pages of one and of a shared one. */
import { pluralText } from '../../../format.ts'

export const importLabel = 'Import'
export const exportLabel = 'Export'
export const share = 'Share'
export const collections = 'Collections'
export const collection = 'Collection'
export const moreActions = 'More actions'
export const rename = 'Rename'
export const deleteLabel = 'Delete'
export const wishlist = 'Wish list'
export const itemCount = (itemCount: number) =>
  pluralText(itemCount, { one: '# item', other: '# items' })
export const collectionNotFound = 'Collection not found'
export const collectionIsGone = 'It was deleted, or belongs to another account.'
export const collectionsExplained = 'Your cards, their value, and the cards you want.'
export const newCollection = 'New collection'
export const noCollectionsYet = 'No collections yet'
export const noCollectionsExplained =
  'Create one, then import the export of your app, paste a list, or add cards from their pages. A wish list has target prices in place of prices paid.'
export const itemsValued = ({ items, ago }: { items: number; ago: string }) =>
  `${pluralText(items, { one: '# item', other: '# items' })} · valued ${ago}`
export const shared = 'Shared'
export const isShared = 'shared'
export const create = 'Create'
export const kind = 'Kind'
export const planIncludes = ({
  collectionsMax,
  itemsMax,
}: {
  collectionsMax: number
  itemsMax: string
}) =>
  `Your plan includes ${pluralText(collectionsMax, { one: '# collection', other: '# collections' })} and as many wish lists, of ${itemsMax} items each.`
export const listOfItems = 'List of items'
export const select = 'Select'
export const actions = 'Actions'
export const copyCount = (quantity: number) =>
  pluralText(quantity, { one: '# copy', other: '# copies' })
export const price = 'Price'
export const value = 'Value'
export const targetOf = (amount: string) => `target ${amount}`
export const paidFor = (amount: string) => `paid ${amount}`
export const target = 'Target'
export const paid = 'Paid'
export const allCopies = 'All copies'
export const targetReached = 'Target reached'
export const selectCard = (name: string) => `Select ${name}`
export const actionsFor = (name: string | null) => `Actions for ${name}`
export const table = 'Table'
export const tiles = 'Tiles'
export const renamedElsewhere = (name: string) =>
  `It was renamed elsewhere, to “${name}”. Save again to replace that name.`
export const deleteCollection = (name: string) => `Delete “${name}”?`
export const deletionExplained = (items: number) =>
  `Its ${pluralText(items, { one: '# item', other: '# items' })} will be deleted. You cannot undo this. To keep a copy, export it first.`
export const deletionOfSharedExplained = (items: number) =>
  `Its ${pluralText(items, { one: '# item', other: '# items' })} will be deleted, and its link will end. You cannot undo this. To keep a copy, export it first.`
export const regularCheapest = 'Regular, cheapest'
export const ofTheNewestSet = 'Of the newest set'
export const ofTheOldestSet = 'Of the oldest set'
export const cheapestAlsoPromos = 'Cheapest, also promos'
export const highestPrice = 'Highest price'
export const cardOfRowsWithoutASet = 'Card of rows without a set'
export const newestFirst = 'Newest first'
export const oldestFirst = 'Oldest first'
export const mostValuableFirst = 'Most valuable first'
export const leastValuableFirst = 'Least valuable first'
export const byName = 'By name'
export const shareCollection = (name: string) => `Share “${name}”`
export const linkExplained =
  'Everybody who has the link sees the cards and their values. Prices paid, targets, dates, notes and places stay hidden.'
export const linkCannotBeShown =
  'The link works, but can no longer be shown: the server’s APP_SECRET has changed since. A new link can be shown, and ends this one.'
export const createdOn = (sharedAt: string) => `Created on ${sharedAt}.`
export const notShared = 'Not shared'
export const close = 'Close'
export const endLink = 'End link'
export const createLink = 'Create link'
export const createNewLink = 'Create new link'
export const sharedCollection = 'Shared collection'
export const view = 'View'
export const order = 'Order'
export const collectionIsEmpty = 'This collection is empty.'
export const linkHasEnded = 'This link has ended'
export const senderHasANewLink = 'Ask the person who sent it to you for a new one.'
