/** Lines of text that language models can read at low cost. */

/** Members of a price that name its currency, if it is not the default. */
export type ToolOrigin = { currency?: string; rate_date?: string | null }

/** A printing with its prices. */
type PricedPrinting = ToolOrigin & {
  printing: string
  market_price: number | null
  low_price: number | null
}

/** Returns the currency of a list of prices, which all have the same one. */
export function currencyOf(prices: readonly ToolOrigin[]): string {
  return prices.find(({ currency }) => currency !== undefined)?.currency ?? 'USD'
}

/** Formats an amount: `$23.01`, `20.87 EUR`. */
export function money(amount: number | null, { currency = 'USD' }: ToolOrigin): string {
  if (amount === null) return 'no price'
  const text = amount.toFixed(2)
  return currency === 'USD' ? `$${text}` : `${text} ${currency}`
}

/** Formats a change in percent, with its sign. */
export function percent(change: number | null): string {
  if (change === null) return 'unknown'
  return `${change > 0 ? '+' : ''}${change.toFixed(1)} %`
}

/** Joins the known parts of a line. */
export function joined(...parts: readonly (string | number | null | undefined)[]): string {
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ')
}

/** States the currency of the following prices, and the times at which they were published. */
export function priceNote(
  prices: readonly ToolOrigin[],
  ...times: readonly (string | null)[]
): string {
  const known = times.filter((time) => time !== null).sort()
  const [oldest] = known
  const newest = known.at(-1)
  const range = oldest === newest ? oldest : `from ${oldest} to ${newest}`
  const published = oldest === undefined ? '' : `, published ${range}`
  return `Prices in ${nameCurrency(currencyOf(prices))}${published}.${conversionNote(prices)}`
}

function nameCurrency(currency: string): string {
  return currency === 'USD' ? 'US dollars' : currency
}

/** States the days of the rates of converted prices. */
function conversionNote(prices: readonly ToolOrigin[]): string {
  const days = prices.flatMap(({ rate_date }) => rate_date ?? []).sort()
  const [first] = days
  const last = days.at(-1)
  if (first === undefined) return ''
  const range = first === last ? `of ${first}` : `from ${first} to ${last}`
  return ` Converted where their source is in another currency, with reference rates ${range}.`
}

/**
 * Lists the market price of each printing: `Holofoil $23.01, 1st Edition Holofoil $92.86`.
 *
 * @param first name of the printing to begin with
 */
export function printingPrices(prices: readonly PricedPrinting[], first: string | null): string {
  if (prices.length === 0) return 'no price'
  const rank = ({ printing }: PricedPrinting) => Number(printing !== first)
  return prices
    .toSorted((a, b) => rank(a) - rank(b))
    .map((price) => `${price.printing} ${money(price.market_price, price)}`)
    .join(', ')
}

/** Describes which part of a list follows. */
export function pageNote(
  { total, page, has_more }: { total: number; page: number; has_more: boolean },
  count: number,
): string {
  const next = has_more ? ` Call again with page ${page + 1} for more.` : ''
  return `${count} of ${total} on page ${page}.${next}`
}
