import type { Deps } from '#deps.ts'
import { type CollectionMoney, IN_DOLLARS } from '#rules/collections/collection-money.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/**
 * Chooses the currency of values.
 *
 * @param currency undefined: US dollars
 * @throws ServiceError VALIDATION_ERROR for a currency without a reference rate of the last seven days
 */
export function chooseCurrency(
  { catalog, now }: Pick<Deps, 'catalog' | 'now'>,
  currency: string | undefined,
): CollectionMoney {
  const from = IN_DOLLARS.currency
  if (currency === undefined || currency === from) return IN_DOLLARS
  const { rates } = catalog.sources
  const rateOn = (day: number) => rates.find({ from, to: currency, day })
  const rate = rateOn(dayOf(now()))
  if (rate !== undefined) return { currency, rate, rateOn }
  const available = [...new Set([from, ...rates.listCurrencies()])].sort().join(', ')
  throw new ServiceError(
    'VALIDATION_ERROR',
    `"currency" has no exchange rate of the last seven days. Choose from ${available}.`,
  )
}
