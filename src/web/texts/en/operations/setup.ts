/** Texts of the setup of a server. */
import { pluralText } from '../../../format.ts'
import { type Markup, rich } from '../../rich-text.ts'

export const allFeaturesNoLimitsNoPlans =
  'All features, no limits, no plans. You create every account; visitors see nothing.'
export const everybodyCanCreateAFree =
  'Everybody can create a free account with daily limits. Nothing is for sale.'
export const freeAccountsAndPlans =
  'Free accounts, and plans and packs of scans that you sell, by Stripe or by hand.'
export const yesIndexThePictures = 'Yes, index the pictures'
export const picturesExplained =
  'The server reads each card’s picture once, in the background. This takes ten seconds for the sample and some hours for 100,000 cards. A card is recognized as soon as its picture is indexed.'
export const later = 'Later'
export const untilThenPhotos = 'Until then, photos are identified by the text on the card alone.'
export const yesWithTheDailyRates = 'Yes, with the daily rates of the European Central Bank'
export const ratesExplained =
  'The server fetches one small file from ecb.europa.eu on working days. Everybody can then choose among some thirty currencies in the header; converted prices are marked with ≈.'
export const no = 'No'
export const noRatesExplained =
  'No rates are fetched. Rates that are stored already convert prices for another seven days.'
export const createTheOperatorsAccount = 'Create the operator’s account'
export const createYourAccount = 'Create your account'
export const operatorAccountLead =
  'It is the operator’s account, which can change settings and see the server’s status.'
export const setupToken = 'Setup token'
export const serverPrintedItWhen =
  'The server printed it when it started, in a line that begins with “Set it up”.'
export const tokenIsWrongCopy = 'This token is wrong. Copy it from the server’s log.'
export const email = 'E-mail'
export const password = 'Password'
export const creatingAccount = 'Creating account…'
export const createAccount = 'Create account'
export const serverAlreadyHasAnOperator = (link: Markup) =>
  rich`This server already has an operator. ${link('Log in')} with that account to continue.`
export const emailHasAnAccount = 'This e-mail already has an account. Use another one.'
export const enterAValidEmailAddress = 'Enter a valid e-mail address.'
export const firstSync = 'First sync'
export const starting = 'Starting…'
export const serverIsRestarting = 'The server is restarting…'
export const noGamesYet = 'No games yet'
export const chooseAMirror = (link: Markup) => rich`Choose a mirror in the ${link('settings')}.`
export const mirrorCanBeChanged = (link: Markup) =>
  rich`The mirror can be changed in the ${link('settings')}.`
export const readingTheListOfSets = 'Reading the list of sets…'
export const ofSets = ({ done, total }: { done: string; total: number }) =>
  `${done} of ${pluralText(total, { one: '# set', other: '# sets' })}`
export const setsRead = 'Sets read'
export const readSoFar = (text: string) =>
  `${text} read. Prices appear game by game. You can close this page.`
export const waitingForTheSyncToStart = 'Waiting for the sync to start…'
export const completeSync = ({ games, cardsRead }: Record<'games' | 'cardsRead', number>) =>
  `Complete: ${pluralText(games, { one: '# game', other: '# games' })}, ${pluralText(cardsRead, { one: '# card', other: '# cards' })} read.`
export const syncFailed =
  'The sync failed. The server keeps what it has read, and tries again every hour.'
export const setsFailed =
  'Some sets could not be read. The server keeps what it has read, and tries again every hour.'
export const addressOfTheMirror = 'Address of the mirror'
export const folderThatContainsLast = 'The folder that contains last-updated.txt.'
export const removeTheSample = 'Remove the sample when the first prices have arrived'
export const checkingTheMirror = 'Checking the mirror…'
export const publicMirrorExplained =
  'A free public mirror of TCGplayer’s prices, updated daily. The first sync takes about half an hour, because it pauses between requests. It needs 1 GB of disk space.'
export const anotherMirror = 'Another mirror'
export const anotherMirrorExplained =
  'A server of your own, or of somebody you know, with the same files as tcgcsv.com.'
export const onlyTheSampleForNow = 'Only the sample for now'
export const sampleExplained =
  'Three invented games to look around in. You can choose a mirror later.'
export const nothingForNow = 'Nothing for now'
export const catalogStays = 'The catalog stays as it is. You can choose a mirror later.'
export const somebodyHasRegistered =
  'Somebody has registered this account without an invitation. It keeps the limits of its plan:'
export const peopleHaveRegistered =
  'People have registered these accounts without an invitation. They keep the limits of their plans:'
export const andMore = 'and more'
export const changeAccounts = (code: Markup) =>
  rich`On the server, ${code('bun run admin account tier')} changes a plan, and ${code('bun run admin account delete')} deletes an account.`
export const setUpThisServer = 'Set up this server'
export const cardstockIsRunningAFew = 'Cardstock is running. A few questions are left.'
export const setUpText = 'This server is set up. Its operator can change the settings.'
export const notSetUpText =
  'The setup of this server is not finished. If you are its operator, log in to continue.'
export const logIn = 'Log in'
export const apiReference = 'API reference'
export const ready = 'Ready'
export const youCanChangeTheAnswersLater =
  'You can change the answers later under Operator, Settings.'
export const questionOf = ({ number, steps }: Record<'number' | 'steps', number>) =>
  `Question ${number} of ${steps}`
export const continueLabel = 'Continue'
export const changeAnswer = (question: string) => `Change: ${question}`
export const change = 'Change'
export const openTheDashboard = 'Open the dashboard'
export const whoUsesThisServer = 'Who uses this server?'
export const whereDoPricesComeFrom = 'Where do prices come from?'
export const identifyCardsFromPhotos = 'Identify cards from photos?'
export const showPricesInOtherCurrencies = 'Show prices in other currencies?'
export const theSampleOnly = 'The sample only'
export const yes = 'Yes'
export const onlyMeAndMyStaff = 'Only me and my staff'
export const aCommunity = 'A community'
export const customers = 'Customers'
