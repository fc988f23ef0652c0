/** Texts about the value of a collection, its history and its parts. */
import { pluralText } from '../../../format.ts'

export const items = 'Items'
export const value = 'Value'
export const gain = 'Gain'
export const byGame = 'By game'
export const valueByGame = 'Value by game'
export const game = 'Game'
export const bySet = 'By set'
export const valueBySet = 'Value by set'
export const set = 'Set'
export const setCompletion = 'Set completion'
export const noSingleCardsYet = 'No single cards yet.'
export const ownedOfTotal = ({ owned, total }: Record<'owned' | 'total', string>) =>
  `${owned} of ${total}`
export const valueOverTime = 'Value over time'
export const beginsOn = (day: string) =>
  `Begins on ${day}, when 90 % of the value had a price. Earlier purchases count from then on.`
export const dashedExplained =
  'Dashed: some items had no price yet, and count with their first known one.'
export const untrackedExplained = (untracked: string) =>
  `Cards that were never worth $1 have no history: their price of today, ${untracked} in all, stands for every day.`
export const pricePaid = 'Price paid'
export const valued = (computedAt: string) => `Valued ${computedAt}`
export const beingValuedAgain = (computedAt: string) =>
  `Being valued again; these values are from ${computedAt}`
export const today = 'today'
export const onDay = (changeDate: string) => `on ${changeDate}`
export const copies = 'Copies'
export const targetsReached = 'Targets reached'
export const paidWithoutRate = (items: number) =>
  `What was paid for ${pluralText(items, { one: '# item', other: '# items' })} is in no sum, because its day has no exchange rate.`
/** @param how one of the ends of this sentence, `at…` */
export const partOfTheValue = ({
  amount,
  how,
  items,
}: Record<'amount' | 'how', string> & { items: number }) =>
  `${amount} of the value is ${how} (${pluralText(items, { one: '# item', other: '# items' })}).`
export const valueLeavesOut = (unpriced: number) =>
  `The value leaves out ${pluralText(unpriced, { one: '# item', other: '# items' })} without a price.`
export const allLeaveOut = (unpriced: number) =>
  `Value, price paid and gain leave out ${pluralText(unpriced, { one: '# item', other: '# items' })} without a price.`
export const allLeaveOutPaid = ({ unpriced, paid }: { unpriced: number; paid: string }) =>
  `Value, price paid and gain leave out ${pluralText(unpriced, { one: '# item', other: '# items' })} without a price, for which ${paid} was paid.`
export const gainLeavesOut = ({ withoutCost, worth }: WithoutCost) =>
  `Price paid and gain leave out ${pluralText(withoutCost, { one: '# item', other: '# items' })} without a price paid, worth ${worth}.`
export const gainLeavesOutUnconverted = ({ withoutCost, worth }: WithoutCost) =>
  `Price paid and gain leave out ${pluralText(withoutCost, { one: '# item', other: '# items' })} without a price paid, or an exchange rate for it, worth ${worth}.`
export const moversOf7Days = 'Movers of the last 7 days'
export const best = 'Best'
export const worst = 'Worst'
export const none = 'None.'
export const copyCount = (quantity: number) =>
  pluralText(quantity, { one: '# copy', other: '# copies' })

type WithoutCost = { withoutCost: number; worth: string }
