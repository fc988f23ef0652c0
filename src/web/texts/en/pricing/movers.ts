/** Texts of the movers: their page, and their lists on other pages. */
import { pluralText } from '../../../format.ts'

export const rising = 'Rising'
export const falling = 'Falling'
export const last24Hours = '24 hours'
export const last7Days = '7 days'
export const last30Days = '30 days'
export const fiveOrMore = '5 or more'
export const twentyOrMore = '20 or more'
export const hundredOrMore = '100 or more'
export const cards = 'Cards'
export const sealedProducts = 'Sealed products'
export const movers = 'Movers'
export const moversLead = 'Printings with the largest change in market price.'
export const direction = 'Direction'
export const period = 'Period'
export const game = 'Game'
export const allGames = 'All games'
export const type = 'Type'
export const cardsAndSealed = 'Cards and sealed'
export const minimumPrice = 'Minimum price'
export const anyPrice = 'Any price'
export const hiddenPrintings = (excluded: number) =>
  `${pluralText(excluded, { one: '# printing', other: '# printings' })} hidden: implausible price change.`
export const pricesOf = (sourceName: string) => `Prices of ${sourceName}.`
export const moversRules =
  'Movers include printings worth $1 or more with reliable prices on both days.'
export const noPriceMovers = 'No price movers'
export const show30Days = 'Show 30 days'
export const thisWeeksMovers = 'This week’s movers'
export const todaysMovers = 'Today’s movers'
export const allMovers = 'All movers'
