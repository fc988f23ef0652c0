import { formatDate } from '../primitives/days.ts'
import { ServiceError } from '../primitives/errors.ts'
import type { ExchangeRate } from './exchange-rates.ts'
import { MIRROR_KIND, NATIVE_SOURCES, type PriceKind } from './price-key.ts'

/** Choice of prices in a request; if both are missing, the mirror's unconverted prices. */
export type PriceChoice = { currency?: string | undefined; source?: string | undefined }

/** Prices of one source in one currency. */
export type PriceList = Pick<PriceKind, 'source' | 'currency'>

/** Prices in one currency. Each printing has the price of the first list that contains it, converted if necessary. */
export type PriceView<List = PriceList> = { currency: string; lists: readonly List[] }

/** A list of a view with the rate on a day; undefined if no rate is known. */
export type RatedList = PriceList & { rate: ExchangeRate | undefined; origin: PriceOrigin }

/** Members that state where a price in a view comes from. */
export type PriceOrigin = {
  /** Null if no price is known. */
  source: string | null
  currency: string
  converted: boolean
  /** Units of `currency` per unit of the original one, if converted; null if no rate is known. */
  rate?: number | null
  rate_date?: string | null
}

/** Members of an origin in the order of the JSON. */
export const ORIGIN_FIELDS = [
  'source',
  'currency',
  'converted',
  'rate',
  'rate_date',
] as const satisfies readonly (keyof PriceOrigin)[]

/** Lists of other sources, and the currencies with reference rates. */
export type KnownPrices = { lists: readonly PriceList[]; convertible: readonly string[] }

/**
 * Decides which lists answer a request. Without a source, these are the currency's native source and the mirror; with
 * a source, only its own lists, beginning with the one in the currency itself.
 *
 * @throws ServiceError VALIDATION_ERROR that names the known sources or currencies
 */
export function choosePriceView({ currency, source }: PriceChoice, known: KnownPrices): PriceView {
  const offered = listOffered(source, known)
  const [first] = offered
  if (first === undefined) {
    const sources = [MIRROR_KIND, ...known.lists].map((list) => list.source)
    throw notAvailable('source', sources)
  }
  const wanted = currency ?? first.currency
  const currencies = listCurrencies(known, source)
  if (!currencies.includes(wanted)) throw notAvailable('currency', currencies)
  const native = offered.filter((list) => list.currency === wanted)
  const others = offered.filter((list) => list.currency !== wanted)
  const converted = source === undefined ? others.filter(isMirrorList) : others
  return { currency: wanted, lists: [...native, ...converted] }
}

/** Lists the currencies that a request can choose, in alphabetical order. */
export function listCurrencies(known: KnownPrices, source?: string): string[] {
  const native = listOffered(source, known).map(({ currency }) => currency)
  return [...new Set([...known.convertible, ...native])].sort()
}

/** Returns the lists of a source; without a source, the lists of native sources in their own currency. */
function listOffered(source: string | undefined, { lists }: KnownPrices): PriceList[] {
  return [MIRROR_KIND, ...lists].filter(
    (list) => list.source === (source ?? NATIVE_SOURCES[list.currency]),
  )
}

function notAvailable(name: string, values: readonly string[]): ServiceError {
  const list = [...new Set(values)].sort().join(', ')
  return new ServiceError('VALIDATION_ERROR', `"${name}" is not available. Choose from ${list}.`)
}

/** Returns true for the list of the mirror, whose prices are in the catalog's own table. */
export function isMirrorList({ source }: PriceList): boolean {
  return source === MIRROR_KIND.source
}

/** Adds to a list the rate into a currency. @param rate undefined if none is known */
export function rateList(
  { source, currency: own }: PriceList,
  currency: string,
  rate: ExchangeRate | undefined,
): RatedList {
  const list = { source, currency: own, rate }
  if (own === currency) return { ...list, origin: { source, currency, converted: false } }
  const rate_date = rate === undefined ? null : formatDate(rate.day)
  const conversion = { converted: true, rate: rate?.rate ?? null, rate_date }
  return { ...list, origin: { source, currency, ...conversion } }
}

/**
 * Adds the rates of a day to the lists of a view.
 *
 * @param findRate returns the rate from a currency to the currency of the view
 */
export function rateView(
  { currency, lists }: PriceView,
  findRate: (from: string) => ExchangeRate | undefined,
): PriceView<RatedList> {
  const rated = lists.map((list) => rateList(list, currency, findRate(list.currency)))
  return { currency, lists: rated }
}

/** Describes the origin of an unknown price. */
export function describeMissing(currency: string): PriceOrigin {
  return { source: null, currency, converted: false }
}

/** Returns the members of a price that describe its origin. */
export function pickOrigin(price: PriceOrigin): PriceOrigin {
  const { source, currency, converted, rate, rate_date } = price
  const origin = { source, currency, converted }
  return rate === undefined ? origin : { ...origin, rate, rate_date: rate_date ?? null }
}
