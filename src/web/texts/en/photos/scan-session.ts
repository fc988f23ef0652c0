/** Texts of scan sessions: their list, their page and their dialogs. */
import { pluralText } from '../../../format.ts'

export const cardstockScans = ({ account, session }: { account: number; session: string }) =>
  `cardstock scans ${account} ${session}`
export const exportLabel = 'Export'
export const addToCollection = 'Add to collection'
export const rename = 'Rename'
export const deleteLabel = 'Delete'
export const notIncluded = (open: number) =>
  pluralText(open, {
    one: '# card to review is not included. Review it first.',
    other: '# cards to review are not included. Review them first.',
  })
export const addToACollection = (name: string) => `Add “${name}” to a collection`
export const added = ({ number, collection }: { number: number; collection: string }) =>
  `${pluralText(number, { one: '# card is', other: '# cards are' })} now in “${collection}”.`
export const addedBefore = (number: number) =>
  pluralText(number, {
    one: '# card had been added before.',
    other: '# cards had been added before.',
  })
export const sessionStaysIfYouAdd =
  'The session stays. If you add it again later, only its new cards are added.'
export const cancel = 'Cancel'
export const add = 'Add'
export const sessionWasRenamed = 'The session was renamed.'
export const deleteQuestion = (name: string) => `Delete “${name}”?`
export const cardsWillBeDeleted = (itemCount: number) =>
  `Its ${pluralText(itemCount, { one: '# card', other: '# cards' })} will be deleted, and photos that were not sent. You cannot undo this. To keep a copy, export it or add it to a collection first.`
export const scanSessions = 'Scan sessions'
export const scanSessionsLead =
  'Turn piles, boxes and binders into a list: photo by photo, or card after card in front of the camera.'
export const identify = 'Identify'
export const newSession = 'New session'
export const noScanSessionsYet = 'No scan sessions yet'
export const noScanSessionsText =
  'Start one and hold your cards in front of the camera, or drop their photos. You decide about doubtful cards at the end, then export the list or add it to a collection.'
export const cardCount = (copies: number) => pluralText(copies, { one: '# card', other: '# cards' })
export const changed = (updatedAt: string) => `Changed ${updatedAt}`
export const toReview = (open: number) => `${open} to review`
export const scanSession = 'Scan session'
export const cards = 'Cards'
export const totals = 'Totals'
export const marketValue = 'Market value'
export const marketValueOfTheReviewed = 'Market value of the reviewed cards'
export const scansUsed = 'Scans used'
export const toReviewRows = 'To review'
export const reviewCards = (open: number) =>
  `Review ${pluralText(open, { one: '# card', other: '# cards' })}`
export const scanSessionNotFound = 'Scan session not found'
export const sessionNotFoundText =
  'It was deleted, belongs to another account, or ended 30 days after its last change.'
export const wasDuplicated = (name: string | null) => `${name} was duplicated.`
export const noCardsYetTheyAppear = 'No cards yet. They appear as photos are read.'
export const edit = 'Edit'
export const duplicate = 'Duplicate'
export const remove = 'Remove'
export const editCard = (name: string | null) => `Edit ${name}`
export const duplicateCard = (name: string | null) => `Duplicate ${name}`
export const removeCard = (name: string | null) => `Remove ${name}`
export const listOfCards = 'List of cards'
export const copies = (quantity: string) => `${quantity} copies`
export const actions = 'Actions'
export const theCard = 'The card'
export const wasSaved = (name: string) => `${name} was saved.`
export const wasRemoved = (name: string | null) => `${name} was removed.`
export const scanThatItUsed = 'The scan that it used is not refunded. You cannot undo this.'
