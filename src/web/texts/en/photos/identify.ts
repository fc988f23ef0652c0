/** Texts of the page that identifies a photo. */
import { pluralText } from '../../../format.ts'
import { type Markup, rich } from '../../rich-text.ts'

export const dropThePhotoToIdentifyIt = 'Drop the photo to identify it'
export const addAPhoto = 'Add a photo'
export const takeAPhotoOfOneCard = 'Take a photo of one card, or choose an existing one.'
export const dropOrPasteAPhotoAnywhere =
  'Drop or paste a photo anywhere on this page, or choose a file.'
export const jpegPngOrWebPPhotos = 'JPEG, PNG or WebP. Photos are never stored.'
export const tipsForAGoodPhoto = 'Tips for a good photo'
export const oneWholeCardShowAllFour = (strong: Markup) =>
  rich`${strong('One whole card.')} Show all four corners and fill most of the frame.`
export const evenLightAvoidReflections = (strong: Markup) =>
  rich`${strong('Even light.')} Avoid reflections. Tilt the card slightly if it shines.`
export const sharpPrintTheCollector = (strong: Markup) =>
  rich`${strong('Sharp print.')} The collector number distinguishes cards with the same art.`
export const addAPhotoDropOrPaste = (strong: Markup) =>
  rich`${strong('Add a photo.')} Drop or paste one, or take one with your phone.`
export const findTheCardItsText = (strong: Markup) =>
  rich`${strong('Find the card.')} Its text is read, its art is compared with every card in the catalog, and you see why each candidate matches.`
export const knowItsValueSeeTodaysPrice = (strong: Markup) =>
  rich`${strong('Know its value.')} See today’s price of each printing.`
export const logInOrCreateAccount = 'Log in or create account'
export const freeAccountWith25Scans = 'Free account with 25 scans.'
export const identifyACard = 'Identify a card'
export const sendAPhotoToFind = 'Send a photo to find the card and the price of each printing.'
export const scanManyCards = 'Scan many cards'
export const searchIn = 'Search in'
export const anyGame = 'Any game'
export const severalCardsInOnePhoto = 'Several cards in one photo'
export const readingYourPhoto = 'Reading your photo'
export const photoRead = (title: string) => `Photo read. ${title}.`
export const yourPhoto = (title: string) => `Your photo: ${title}`
export const identificationNotFound = 'Identification not found'
export const itMayBelongToAnotherAccount = 'It may belong to another account.'
export const noCardFound = 'No card found'
export const showWholeCardsInEvenLight = 'Show whole cards, in even light.'
export const cardsNotRead = (unread: number) =>
  `${pluralText(unread, { one: '# card', other: '# cards' })} not read`
export const sendAnotherPhotoOfThem = 'Send another photo of them.'
export const cardsOfThePhoto = 'Cards of the photo'
export const rowColumn = ({ row, column }: Record<'row' | 'column', number>) =>
  `Row ${row}, column ${column}`
export const noScansAreLeftForThem = 'No scans are left for them.'
export const photoTookTooLongSendParts = 'The photo took too long. Send parts of it.'
export const ofCardsRead = ({ done, cards }: Record<'done' | 'cards', string>) =>
  `${done} of ${cards} cards read`
export const yours = 'Yours'
export const cancel = 'Cancel'
export const canceledText = 'Canceled. It may still have used a scan.'
export const tryAgain = 'Try again'
export const readingYourPhotoNow = 'Reading your photo…'
export const takesLonger = 'This is taking longer than usual. Keep waiting, or cancel.'
export const cardPhoto = 'Card photo'
export const scanWithTheCamera = 'Scan with the camera'
export const takeAnother = 'Take another'
export const takePhoto = 'Take photo'
export const choosePhotos = 'Choose photos'
export const chooseAnother = 'Choose another'
export const choosePhoto = 'Choose photo'
export const liveCamera = 'Live camera'
export const readFromThePhoto = 'Read from the photo'
export const notReadable = 'Not readable'
export const language = 'Language'
export const finish = 'Finish'
export const grade = 'Grade'
export const kind = 'Kind'
export const name = 'Name'
export const number = 'Number'
export const set = 'Set'
export const editionStamp = 'Edition stamp'
export const card = 'Card'
export const gradedCard = 'Graded card'
export const cardBack = 'Card back'
export const sealedProduct = 'Sealed product'
export const none = 'None'
export const unclear = 'Unclear'
export const lessLikely = 'Less likely'
export const isThisIt = 'Is this it?'
export const itMatchesButNotInEvery =
  'It matches, but not in every detail. Confirm whether this is your card.'
export const whichOfTheseIsIt = 'Which of these is it?'
export const cardsMatch = (candidates: number) =>
  `${pluralText(candidates, { one: '# card', other: '# cards' })} match this photo. Choose your card.`
export const takeAnotherPhoto = 'Take another photo'
export const readAllCards = 'Read all cards'
export const possibleMatch = 'Possible match:'
export const possibleMatches = 'Possible matches:'
export const notInTheCatalog = 'Not in the catalog'
export const notInTheCatalogText =
  'This server does not list the card’s game or language. Another photo will not help.'
export const noMatchFound = 'No match found'
export const tryAnotherPhotoWithTheWhole =
  'Try another photo with the whole card in the frame and good light.'
export const searchByName = 'Search by name'
export const notThisOne = 'Not this one'
export const noneOfThese = 'None of these'
export const thanksForYourFeedback = 'Thanks for your feedback. You can change it at any time.'
export const recentPhotos = 'Recent photos'
export const clear = 'Clear'
export const cardCount = (cards: number) => pluralText(cards, { one: '# card', other: '# cards' })
export const read = 'Read'
export const reading = 'Reading'
export const failed = 'Failed'
export const canceled = 'Canceled'
export const severalMatches = 'Several matches'
export const pleaseTakeAnotherPhoto = 'Please take another photo'
export const notFound = 'Not found'
