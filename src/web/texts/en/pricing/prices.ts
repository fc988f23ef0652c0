/** Texts beside prices: their source, how they are made, and how reliable they are. */
import type { ReactNode } from 'react'
import { pluralText } from '../../../format.ts'
import { rich } from '../../rich-text.ts'

export const importOlderPrices = 'Import older prices'
export const sourceIn = ({ source, currency }: Record<'source' | 'currency', string | undefined>) =>
  `${source} in ${currency}`
export const pricesOf = (name: string) => `Prices of ${name}.`
export const convertedWithTheReference = '≈ Converted with the reference rate.'
export const fictionalPricesOfTheSample = (currency: string) =>
  `Fictional prices of the sample catalog, in ${currency}.`
export const marketPrices = ({
  marketplace,
  currency,
}: Record<'marketplace' | 'currency', string>) => `Market prices of ${marketplace} in ${currency}.`
export const updatedPrices = ({
  marketplace,
  currency,
  interval,
}: Record<'marketplace' | 'currency' | 'interval', string>) =>
  `Market prices of ${marketplace} in ${currency}, updated ${interval}.`
export const daily = 'daily'
export const weekly = 'weekly'
export const every3Days = 'every 3 days'
export const every4Days = 'every 4 days'
export const unreliablePrice = 'Unreliable price'
export const unreliable = 'unreliable'
export const atUnreliablePrices = (amount: ReactNode) => rich`${amount} of it at unreliable prices`
export const about = 'about'
export const howMade = ({ number, links }: { number: number; links: ReactNode }) =>
  rich`${pluralText(number, { one: 'How it is made:', other: 'How these are made:' })} ${links}`
export const marketPrice = 'market price'
export const lowPrice = 'low price'
export const medianPrice = 'median price'
export const change = 'change'
export const movers = 'movers'
export const confidence = 'confidence'
export const basePrinting = 'base printing'
export const valueOfASet = 'value of a set'
export const valueOfACollection = 'value of a collection'
export const conversion = 'conversion'
