/** Texts of photos of a scan session: camera, queue and review. */
import { pluralText } from '../../../format.ts'

export const holdOneCardAfterAnother = 'Hold one card after another in the frame'
type Captured = { captured: number; waiting: number; last: string | undefined }

export const capturedCards = ({ captured, waiting, last }: Captured) => {
  const cards = pluralText(captured, { one: '# card captured', other: '# cards captured' })
  const state = waiting === 0 ? cards : `${cards}, ${waiting} waiting`
  return last === undefined ? state : `${state}. Last: ${last}`
}
export const soundOn = 'Sound on'
export const soundOff = 'Sound off'
export const capture = 'Capture'
export const done = 'Done'
export const aCard = 'a card'
export const needsADecision = 'needs a decision'
export const showACard = 'Show a card'
export const holdStill = 'Hold still'
export const holdStillFocusing = 'Hold still: focusing'
export const captured = 'Captured'
export const capturedShowTheNextCard = 'Captured. Show the next card'
export const likely = 'Likely'
export const score = (score: string) => `Score ${score}`
export const toReview = 'To review'
export const cardsLeft = (total: number) =>
  `${pluralText(total, { one: '# card', other: '# cards' })} left`
export const readAllCards = 'Read all cards'
export const remove = 'Remove'
export const skip = 'Skip'
export const isInTheList = (name: string | null) => `${name} is in the list.`
export const cardWasRemoved = 'The card was removed.'
export const allCardsOfThePhoto = 'All cards of the photo are being read.'
export const yours = 'Yours'
export const photoIsInTheBrowser = 'The photo is in the browser that sent it.'
export const whichOfTheseIsIt = 'Which of these is it?'
export const photoCouldNotBeReadSearch =
  'The photo could not be read. Search for the card, or remove it and take another photo.'
export const noMatchFoundSearch = 'No match found. Search for the card, or remove it.'
export const notInTheCatalog = 'This server does not list the card’s game or language.'
export const photos = 'Photos'
export const photosReadOf = (answered: number) =>
  `${pluralText(answered, { one: '# photo', other: '# photos' })} read`
export const readingPhotosOf = ({ answered, total }: Record<'answered' | 'total', string>) =>
  `Reading photos: ${answered} of ${total}`
export const photosRead = 'Photos read'
export const anotherTab = 'Another tab of this browser sends them. Close it to continue here.'
export const photosThatCouldNotBeRead = 'Photos that could not be read'
export const noScansLeft = 'No scans left'
export const paused = 'Paused'
export const waitingForTheServer = 'Waiting for the server'
export const photosStayInThisBrowser = 'Your photos stay in this browser for 30 days.'
export const seeScanPacks = 'See scan packs'
export const continueLabel = 'Continue'
export const countdown = (seconds: number) => `\u00a0(${seconds})`
export const tryAgain = 'Try again'
export const browserStoresNoPhotos =
  'This browser stores no photos for this site. Allow it to, or leave the private window.'
export const storageOfThisBrowserIsFull =
  'The storage of this browser is full. Wait until photos are sent, or free space on this device.'
export const dropThePhotosToAddThem = 'Drop the photos to add them'
export const addPhotos = 'Add photos'
export const dropAnyNumberOfPhotosHere =
  'Drop any number of photos here, or hold one card after another in front of the camera.'
export const searchIn = 'Search in'
export const anyGame = 'Any game'
export const severalCardsInOnePhoto = 'Several cards in one photo'
export const filesLeftOut = ({ number, names }: { number: number; names: string }) =>
  `${pluralText(number, {
    one: '# file left out, because this browser can’t read it as a photo',
    other: '# files left out, because this browser can’t read them as photos',
  })}: ${names}`
export const jpegPngOrWebPPhotosStay =
  'JPEG, PNG or WebP. Photos stay in this browser until they are read, and are never stored on the server.'
