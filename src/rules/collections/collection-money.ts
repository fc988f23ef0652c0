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

/** Converts a sum of US cents to a JSON number in the currency. */
export function toAmount(money: Pick<CollectionMoney, 'rate'>, cents: number): number
export function toAmount(money: Pick<CollectionMoney, 'rate'>, cents: number | null): number | null
export function toAmount({ rate }: Pick<CollectionMoney, 'rate'>, cents: number | null) {
  if (rate === undefined || rate.rate === 1 || cents === null) return toDollars(cents)
  return toDollars(convertCents(cents, rate))
}
