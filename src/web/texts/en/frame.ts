/** Texts of the frame of all pages, and of what the first page has: search field, errors, placeholders. */
import { count, pluralText } from '../../numbers.ts'

export const skipToContent = 'Skip to content'
export const logIn = 'Log in'
export const account = 'Account'
export const alerts = 'Alerts'
export const alertsUnread = (unread: number) => `Alerts, ${count(unread)} unread`
export const currency = 'Currency'
export const theme = 'Theme'
export const system = 'System'
export const light = 'Light'
export const dark = 'Dark'
export const games = 'Games'
export const movers = 'Movers'
export const identify = 'Identify'
export const collection = 'Collection'
export const search = 'Search'
export const api = 'API'
export const guides = 'Guides'
export const pages = 'Pages'
export const operator = 'Operator'
export const dataStatus = 'Data status'
export const pricesNote = ({
  currency,
  source,
}: {
  currency: string
  source: string | undefined
}) => `Prices in ${currency}, updated daily from ${source ?? 'the marketplace'}.`
export const convertedNote = (source: string | undefined) =>
  source === undefined
    ? '≈ Converted from US dollars at reference rates of the ECB.'
    : '≈ Converted from US dollars of the marketplace at reference rates of the ECB.'
export const somethingWentWrong = 'Something went wrong'
export const partFailed =
  'Part of this page could not be loaded or has a bug. Your saved data is safe.'
export const reloadPage = 'Reload page'
export const pageNotFound = 'Page not found'
export const pageMayHaveMoved = 'The page may have moved, or the address is misspelled.'
export const browseGames = 'Browse games'
export const searchCards = 'Search cards'
export const pageFailed = 'Something went wrong on this page. Reload it.'
export const accountIsFree = 'An account is free. You only need an e-mail address.'
export const sendThisId = 'If this keeps happening, send this ID to the operator:'
export const logInOrCreateAccount = 'Log in or create account'
export const tryAgain = 'Try again'
export const logInToContinue = 'Log in to continue'
export const unreachable = 'Can’t reach the server. Check your connection.'
export const dailyLimitReached = 'Daily limit reached'
export const tooManyAttempts = 'Too many attempts'
export const notIncludedInYourPlan = 'Not included in your plan'
export const notAvailableInYourRegion = 'Not available in your region'
export const notFound = 'Not found'
export const serverError = 'Server error'
export const serverIsBusy = 'The server is busy'
export const titleOf = (title: string) => `${title} – Cardstock`
export const breadcrumbs = 'Breadcrumbs'
export const operatorHasMore = 'Ask the operator of this server for more.'
export const seePlans = 'See plans'
export const searchCardsSetsNumbers = 'Search cards, sets, numbers'
export const noMatchingCards = 'No matching cards.'
/** @param cards "3", the number of the suggested cards of all */
export const suggestionStatus = ({
  places,
  cards,
  total,
}: {
  places: number
  cards: string
  total: number
}) => {
  const found = `${cards} of ${pluralText(total, { one: '# card', other: '# cards' })}. Use the arrow keys to choose.`
  return places === 0
    ? found
    : `${pluralText(places, { one: '# set or game', other: '# sets or games' })}, ${found}`
}
export const suggestionsFailed = 'The suggestions could not be loaded. Enter searches.'
export const loading = 'Loading'
export const gameOfSets = (sets: number) =>
  pluralText(sets, { one: 'Game · # set', other: 'Game · # sets' })
export const setOfCards = ({ game, cards }: { game: string; cards: number }) =>
  `Set · ${game} · ${pluralText(cards, { one: '# card', other: '# cards' })}`
export const ignored = (words: string) => `Ignored: ${words}`
export const todaysMovers = 'Today’s movers'
export const rising = 'Rising'
export const falling = 'Falling'
