/** Texts of the home page. */
import { pluralText } from '../../../numbers.ts'

export const whatIsYourCardWorth = 'What is your card worth?'
export const homeLead = 'Prices and price history of every printing. Or identify a card by photo.'
export const games = 'Games'
export const cardsInSets = ({ cardCount, setCount }: Record<'cardCount' | 'setCount', number>) =>
  `${pluralText(cardCount, { one: '# card', other: '# cards' })} in ${pluralText(setCount, { one: '# set', other: '# sets' })}`
export const updated = (lastSyncedAt: string) => `Updated ${lastSyncedAt}`
export const identifyAPhoto = 'Identify a photo'
export const noGamesYet = 'No games yet'
export const noGamesText = 'They appear after the first sync of this server.'
