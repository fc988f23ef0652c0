import type { PriceOrigin } from '#client/endpoints.ts'

/** Currency of values, and the rate by which they were converted. */
export type AmountCurrency = { currency: string; rate?: number; rate_date?: string }

/** Returns the origin of values, so that they are shown like converted prices. */
export function amountOrigin({ currency, rate, rate_date }: AmountCurrency): PriceOrigin {
  return rate === undefined
    ? { currency }
    : { currency, converted: true, rate, rate_date: rate_date ?? null }
}
