import type { Deps } from '#deps.ts'
import { convertCents } from '#rules/pricing/exchange-rates.ts'
import { selectGradedPrices } from '#rules/pricing/grades.ts'
import { changePercent } from '#rules/pricing/price-changes.ts'
import type { PriceJson } from '#rules/pricing/price-json.ts'
import { MIRROR_KIND, type PriceKind } from '#rules/pricing/price-key.ts'
import { dayOfSeconds } from '#rules/primitives/days.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type { SourcePriceRecord } from '#store/catalog/sources/source-prices.ts'

/** A price of a graded card, with the rest of its key. */
export type GradedPrice = PriceJson & Omit<PriceKind, 'printing'>

type PriceCatalog = Pick<Deps['catalog'], 'sources'>

/**
 * Finds the prices of a graded card in US dollars; other currencies are converted, unless a rate is missing.
 *
 * @returns the prices, and a note that describes them; undefined if the grade has no price
 */
export function findGradedPrices(
  catalog: PriceCatalog,
  cardId: number,
  grade: string,
): { prices: GradedPrice[]; note: string } | undefined {
  const dated = listWithDates(catalog.sources.prices, cardId)
  const inDollars = dated.flatMap((price) => toUsDollars(catalog, price) ?? [])
  const selected = selectGradedPrices(inDollars, grade)
  if (selected === undefined) return undefined
  const kind = selected.grade === grade ? grade : `the grade of ${grade}, by any grader`
  const note = `This is a graded card. Prices are for ${kind}.`
  return { prices: selected.prices.map(renderPrice), note }
}

/** A price with the time of its source's last publication, in epoch seconds, and its changes. */
type DatedPrice = SourcePriceRecord & {
  published_at: number
  /** In percent, in the currency of the source. */
  changes: Pick<PriceJson, 'price_change_24h' | 'price_change_7d' | 'price_change_30d'>
}

function listWithDates(store: PriceCatalog['sources']['prices'], cardId: number): DatedPrice[] {
  const prices = store.listByCard(cardId)
  if (prices.length === 0) return []
  const sources = Map.groupBy(store.listSources(), ({ source }) => source)
  return prices.map((price) => {
    const times = sources.get(price.source)?.map(({ published_at }) => published_at ?? 0) ?? []
    const { market_price, bases } = price
    const changes = {
      price_change_24h: changePercent(market_price, bases['24h']),
      price_change_7d: changePercent(market_price, bases['7d']),
      price_change_30d: changePercent(market_price, bases['30d']),
    }
    return { ...price, published_at: Math.max(price.changed_at, ...times), changes }
  })
}

/** Converts the amounts of a price by the rates of the day on which it was published. */
function toUsDollars({ sources }: PriceCatalog, price: DatedPrice): DatedPrice | undefined {
  const { currency } = MIRROR_KIND
  const day = dayOfSeconds(price.published_at)
  const rate = sources.rates.find({ from: price.currency, to: currency, day })
  if (rate === undefined) return undefined
  const convert = (cents: number | null) => (cents === null ? null : convertCents(cents, rate))
  const market_price = convert(price.market_price)
  const low_price = convert(price.low_price)
  return { ...price, currency, market_price, low_price, median_price: convert(price.median_price) }
}

function renderPrice(price: DatedPrice): GradedPrice {
  const { source, currency, condition, grade, changes } = price
  return {
    card_id: price.card_id,
    printing: price.printing,
    market_price: toDollars(price.market_price),
    low_price: toDollars(price.low_price),
    median_price: toDollars(price.median_price),
    lowest_with_shipping: null,
    buylist_price: null,
    ...changes,
    last_updated_at: new Date(price.published_at * 1000).toISOString(),
    source,
    currency,
    condition,
    grade,
  }
}
