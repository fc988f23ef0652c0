import { FIRST_LISTED, factorOn, SEASONS, STORIES } from './price-stories.ts'
import type { Printing, UsualPrices } from './usual-prices.ts'

/** A row of a price file. Amounts are dollars with two decimals. */
export type PriceRow = {
  productId: number
  lowPrice: number | null
  midPrice: number
  highPrice: number
  marketPrice: number | null
  directLowPrice: number | null
  subTypeName: Printing
}

export type PricedProduct = {
  productId: number
  name: string
  prices: UsualPrices
}

/** How often a price moves, and how far: a card worth cents rarely changes, a card worth dollars often. */
type Volatility = {
  below: number
  chance: number
  /** Maximum change per day, as a share of the price. */
  stride: number
}

const VOLATILITIES: readonly Volatility[] = [
  { below: 0.5, chance: 0.05, stride: 0.12 },
  { below: 5, chance: 0.28, stride: 0.03 },
  { below: Number.POSITIVE_INFINITY, chance: 0.55, stride: 0.022 },
]

const STEADY = '0:1'

/** Days on sale before the marketplace has seen enough sales for a market price. */
const DAYS_WITHOUT_MARKET = 2

/** Returns the rows of a product for each of `days` days; the last day is the sample's last. */
export function walkPrices(set: string, product: PricedProduct, days: number): PriceRow[][] {
  const printings = Object.keys(product.prices) as Printing[] // The type of `prices` restricts its keys to printings.
  const walks = printings.map((printing) => walkPrinting(set, product, printing, days))
  return Array.from({ length: days }, (_, day) => walks.flatMap((walk) => walk[day] ?? []))
}

/** Returns an entry for each day; undefined if the product was not on sale. */
function walkPrinting(
  set: string,
  product: PricedProduct,
  printing: Printing,
  days: number,
): (PriceRow | undefined)[] {
  const random = createRandom(`${product.productId} ${printing}`)
  const usual = product.prices[printing] ?? guessed(product.prices)
  const spread = spreadOf(random, usual)
  const hardlySold = product.prices[printing] === null
  const { course, restlessness } = courseOf(set, product.name, printing)
  const firstListed = FIRST_LISTED[product.name] ?? SEASONS[set]?.firstListed ?? -days
  const firstMarket = firstListed === -days ? -days : firstListed + DAYS_WITHOUT_MARKET
  const volatility = volatilityOf(usual)

  let drift = 1
  return Array.from({ length: days }, (_, index) => {
    const day = index - days + 1
    drift = nextDrift(random, drift, volatility, restlessness)
    const isUnlisted = random.chance(spread.emptiness)
    if (day < firstListed) return undefined
    const cents = Math.max(1, Math.round(usual * factorOn(course, day) * drift * 100))
    const market = hardlySold || day < firstMarket ? null : cents / 100
    return {
      productId: product.productId,
      ...listings(cents, spread, isUnlisted),
      marketPrice: market,
      directLowPrice: spread.direct && !isUnlisted ? directLow(cents, spread) : null,
      subTypeName: printing,
    }
  })
}

/** A product with a story gets half the noise, so that its course stays visible. */
function courseOf(set: string, name: string, printing: Printing) {
  const story = STORIES.find((one) => one[0] === set && one[1] === name && one[2] === printing)
  if (story) return { course: story[3], restlessness: 0.5 }
  return { course: SEASONS[set]?.course ?? STEADY, restlessness: 1 }
}

/** Listed prices as factors of the market price; the same on every day. */
type Spread = {
  low: number
  mid: number
  high: number
  direct: boolean
  /** Chance that no copy is offered, so that the low price is unknown. */
  emptiness: number
}

function spreadOf(random: Random, usual: number): Spread {
  return {
    low: random.between(0.62, 0.92),
    mid: random.between(1.05, 1.32),
    high: random.between(1.6, 6),
    direct: random.chance(0.5),
    // Cheap cards are always offered.
    emptiness: usual >= 3 && random.chance(0.2) ? 0.3 : 0,
  }
}

function listings(cents: number, spread: Spread, isUnlisted: boolean) {
  const mid = Math.max(cents + 1, Math.round(cents * spread.mid))
  const low = Math.min(mid - 1, Math.max(1, Math.round(cents * spread.low)))
  const high = Math.max(mid + 1, Math.round(mid * spread.high))
  return { lowPrice: isUnlisted ? null : low / 100, midPrice: mid / 100, highPrice: high / 100 }
}

function volatilityOf(usual: number): Volatility {
  const volatility = VOLATILITIES.find(({ below }) => usual < below)
  if (!volatility) throw new Error(`no volatility for a price of ${usual}`)
  return volatility
}

/** Moves a random walk, which tends back to the usual price, by one day. */
function nextDrift(
  random: Random,
  drift: number,
  { chance, stride }: Volatility,
  restlessness: number,
) {
  const moves = random.chance(chance)
  const step = random.between(-stride, stride)
  if (!moves) return drift
  return Math.min(1.25, Math.max(0.8, drift + (step + (1 - drift) * 0.06) * restlessness))
}

/** Returns the assumed usual price of a printing that is hardly ever sold: twice that of the others. */
const guessed = (prices: UsualPrices) =>
  2 * Math.max(0.2, ...Object.values(prices).map((usual) => usual ?? 0))

const directLow = (cents: number, spread: Spread) =>
  Math.max(1, Math.round(cents * spread.low * 1.04)) / 100

type Random = { between(low: number, high: number): number; chance(probability: number): boolean }

/**
 * A generator whose numbers depend on the seed alone: mulberry32, seeded with FNV-1a. It uses only
 * whole-number arithmetic, so that no engine rounds differently.
 */
function createRandom(seed: string): Random {
  let state = 0x811c9dc5
  for (const byte of new TextEncoder().encode(seed)) state = Math.imul(state ^ byte, 0x01000193)
  state |= 0

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  return {
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
  }
}
