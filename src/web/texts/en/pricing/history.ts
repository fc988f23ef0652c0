/** Texts of the price history: chart, its files and its table. */
import { pluralText } from '../../../format.ts'

export const all = 'All'
export const period = 'Period'
export const convertedFromUsDollars =
  '≈ Converted from US dollars at the reference rate of each day.'
export const loading = 'Loading'
export const planShows = (days: number) =>
  pluralText(days, {
    one: 'Your plan shows # day of history.',
    other: 'Your plan shows # days of history.',
  })
export const visitorsSee = (days: number) =>
  pluralText(days, {
    one: 'Visitors see # day of history.',
    other: 'Visitors see # days of history.',
  })
export const onlyPrice = 'Only price'
export const firstPrice = 'First price'
export const onlyValue = 'Only value'
export const firstValue = 'First value'
export const changeSince = (day: string) => `change since ${day}`
export const cardCount = (cards: number) => pluralText(cards, { one: '# card', other: '# cards' })
export const atFirstKnownPrices = (amount: string) => `${amount} at first known prices`
export const sameAs = (equal: string) => `same as ${equal}`
export const marketPriceByDay = 'Market price by day'
export const saveAsPng = 'Save as PNG'
export const saveAsCsv = 'Save as CSV'
export const noPricesInThisPeriod = 'No prices in this period'
export const historyIsRecorded = 'History is recorded for cards worth $1 or more.'
export const tryALongerPeriod =
  'History is recorded for cards worth $1 or more. Try a longer period.'
export const chartBegins = 'The chart begins with the second day.'
export const cards = 'Cards'
export const carriedBack = 'Carried back'
export const showAsTable = 'Show as table'
export const pricesByDay = 'Prices by day'
export const day = 'Day'
