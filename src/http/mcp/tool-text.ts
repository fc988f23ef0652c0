/** Lines of text that a language model reads cheaply. */

/** A printing with its prices. */
type PricedPrinting = { printing: string; market_price: number | null; low_price: number | null }

/** Formats US dollars. */
export function dollars(amount: number | null): string {
  return amount === null ? 'no price' : `$${amount.toFixed(2)}`
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

/** States the currency, and the age of the prices below it by the times at which they were published. */
export function priceNote(...times: readonly (string | null)[]): string {
  const known = times.filter((time) => time !== null).sort()
  const [oldest] = known
  const newest = known.at(-1)
  if (oldest === undefined) return 'Prices in US dollars.'
  const range = oldest === newest ? oldest : `from ${oldest} to ${newest}`
  return `Prices in US dollars, published ${range}.`
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
    .map(({ printing, market_price }) => `${printing} ${dollars(market_price)}`)
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
