import { convertCents, type ExchangeRate } from '../pricing/exchange-rates.ts'
import { MIRROR_KIND } from '../pricing/price-key.ts'
import { toDollars } from '../primitives/money.ts'

/** Currency in which values of collections are shown. They are computed and stored in US cents. */
export type CollectionMoney = {
  currency: string
  /** Rate of current values; undefined for US dollars. */
  rate: ExchangeRate | undefined
  /** Returns the rate on a day; undefined without a rate in the last seven days. */
  rateOn(day: number): ExchangeRate | undefined
}

export const IN_DOLLARS: CollectionMoney = {
  currency: MIRROR_KIND.currency,
  rate: undefined,
  rateOn: (day) => ({ rate: 1, day }),
}

/** Cost of copies. */
export type Costs = {
  /** In US cents. */
  cost: number
  /** Parts of it that were paid in other currencies, by currency. */
  foreign?: Readonly<Record<string, ForeignCost>> | undefined
}

/** Amount in hundredths of a currency, and its cost in US cents by the rate of each purchase. */
export type ForeignCost = { paid: number; cost: number }

/** Converts a sum of US cents to a JSON number in the currency. */
export function toAmount(money: Pick<CollectionMoney, 'rate'>, cents: number): number
export function toAmount(money: Pick<CollectionMoney, 'rate'>, cents: number | null): number | null
export function toAmount({ rate }: Pick<CollectionMoney, 'rate'>, cents: number | null) {
  if (rate === undefined || rate.rate === 1 || cents === null) return toDollars(cents)
  return toDollars(convertCents(cents, rate))
}

/** Converts costs to the currency: what was paid in it stays exactly as it was paid. */
export function toCost(
  money: Pick<CollectionMoney, 'currency' | 'rate'>,
  { cost, foreign }: Costs,
): number {
  const own = foreign?.[money.currency] ?? { paid: 0, cost: 0 }
  const others = toAmount(money, cost - own.cost)
  return own.paid === 0 ? others : roundAmount(others + toDollars(own.paid))
}

/** Rounds a sum of amounts to two decimals. */
export function roundAmount(amount: number): number {
  return Math.round(amount * 100) / 100
}
