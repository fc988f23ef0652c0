import type { Prices, Printing } from './content/shape'
import { type Course, FIRST_LISTED, SEASONS, STORIES } from './price-stories'
import { openRandom, type Random } from './random'

/** One row of upstream's price file. Amounts are dollars with two decimals. */
export interface PriceRow {
  productId: number
  lowPrice: number | null
  midPrice: number
  highPrice: number
  marketPrice: number | null
  directLowPrice: number | null
  subTypeName: Printing
}

export interface Priced {
  productId: number
  name: string
  prices: Prices
}

/** How restless a price is: a card worth cents rarely changes, a card worth dollars often does. */
interface Temper {
  below: number
  chance: number
  /** The largest share by which it moves on a day. */
  stride: number
}

const TEMPERS: readonly Temper[] = [
  { below: 0.5, chance: 0.05, stride: 0.12 },
  { below: 5, chance: 0.28, stride: 0.03 },
  { below: Number.POSITIVE_INFINITY, chance: 0.55, stride: 0.022 },
]

const STEADY: Course = [[0, 1]]

/** For so long the marketplace has not yet seen enough sales of something new to name its price. */
const DAYS_WITHOUT_MARKET = 2

/** Every row of the product for each of the days, the last of them being today. */
export function walkPrices(set: string, product: Priced, days: number): PriceRow[][] {
  const printings = Object.keys(product.prices) as Printing[] // Its keys are printings by its type.
  const walks = printings.map((printing) => walkPrinting(set, product, printing, days))
  return Array.from({ length: days }, (_, day) => walks.flatMap((walk) => walk[day] ?? []))
}

/** One entry a day; undefined while the product was not on sale. */
function walkPrinting(
  set: string,
  product: Priced,
  printing: Printing,
  days: number,
): (PriceRow | undefined)[] {
  const random = openRandom(`${product.productId} ${printing}`)
  const usual = product.prices[printing] ?? guessed(product.prices)
  const spread = spreadOf(random, usual)
  const hardlySold = product.prices[printing] === null
  const { course, restlessness } = courseOf(set, product.name, printing)
  const firstListed = FIRST_LISTED[product.name] ?? SEASONS[set]?.firstListed ?? -days
  const firstMarket = firstListed === -days ? -days : firstListed + DAYS_WITHOUT_MARKET
  const temper = temperOf(usual)

  let drift = 1
  return Array.from({ length: days }, (_, index) => {
    const day = index - days + 1
    drift = nextDrift(random, drift, temper, restlessness)
    const nobodyOffers = random.chance(spread.emptiness)
    if (day < firstListed) return undefined
    const cents = Math.max(1, Math.round(usual * factorOn(course, day) * drift * 100))
    const market = hardlySold || day < firstMarket ? null : cents / 100
    return {
      productId: product.productId,
      ...listings(cents, spread, nobodyOffers),
      marketPrice: market,
      directLowPrice: spread.direct && !nobodyOffers ? directLow(cents, spread) : null,
      subTypeName: printing,
    }
  })
}

/** A story is told by its course, and its own noise must not blur it. */
function courseOf(set: string, name: string, printing: Printing) {
  const story = STORIES.find((one) => {
    return one.set === set && one.name === name && one.printing === printing
  })
  if (story) return { course: story.course, restlessness: 0.5 }
  return { course: SEASONS[set]?.course ?? STEADY, restlessness: 1 }
}

/** How a printing's listings lie round its market price; the same on every day. */
interface Spread {
  low: number
  mid: number
  high: number
  direct: boolean
  /** How often nobody offers one at a fair price, so that there is no low price. */
  emptiness: number
}

function spreadOf(random: Random, usual: number): Spread {
  return {
    low: random.between(0.62, 0.92),
    mid: random.between(1.05, 1.32),
    high: random.between(1.6, 6),
    direct: random.chance(0.5),
    // Of cheap cards there is always one more copy somewhere.
    emptiness: usual >= 3 && random.chance(0.2) ? 0.3 : 0,
  }
}

function listings(cents: number, spread: Spread, nobodyOffers: boolean) {
  const mid = Math.max(cents + 1, Math.round(cents * spread.mid))
  const low = Math.min(mid - 1, Math.max(1, Math.round(cents * spread.low)))
  const high = Math.max(mid + 1, Math.round(mid * spread.high))
  return { lowPrice: nobodyOffers ? null : low / 100, midPrice: mid / 100, highPrice: high / 100 }
}

function temperOf(usual: number): Temper {
  const temper = TEMPERS.find(({ below }) => usual < below)
  if (!temper) throw new Error(`no temper for a price of ${usual}`)
  return temper
}

/** A step of the walk, always leaning back towards the usual price. */
function nextDrift(
  random: Random,
  drift: number,
  { chance, stride }: Temper,
  restlessness: number,
) {
  const moves = random.chance(chance)
  const step = random.between(-stride, stride)
  if (!moves) return drift
  return Math.min(1.25, Math.max(0.8, drift + (step + (1 - drift) * 0.06) * restlessness))
}

function factorOn(course: Course, day: number): number {
  let [fromDay, from] = course[0] ?? [0, 1]
  for (const [toDay, to] of course) {
    if (day <= toDay) {
      const share = toDay === fromDay ? 1 : (day - fromDay) / (toDay - fromDay)
      return day <= fromDay ? from : from + (to - from) * share
    }
    ;[fromDay, from] = [toDay, to]
  }
  return from
}

/** A printing that is hardly ever sold is offered at twice what the others cost. */
const guessed = (prices: Prices) =>
  2 * Math.max(0.2, ...Object.values(prices).map((usual) => usual ?? 0))

const directLow = (cents: number, spread: Spread) =>
  Math.max(1, Math.round(cents * spread.low * 1.04)) / 100
