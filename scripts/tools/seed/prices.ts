import type { UpstreamPrice } from '#rules/catalog/catalog-records.ts'
import type { HistoryPoint } from '#rules/pricing/packed-history.ts'
import { TRACKED_CENTS_MIN } from '#store/catalog/history/history-writer.ts'
import type { GameStyle, SeedRequest } from './catalog-plan.ts'
import { createSeededRandom, type SeededRandom } from './random.ts'

/** Properties of a card that its prices depend on. */
export type PricedCard = { id: number; isSealed: boolean; releaseDay: number; style: GameStyle }

/** The price of a printing on the last day, and its history before. */
export type PricedPrinting = {
  printing: string
  price: UpstreamPrice
  /** Ascending, without the last day; empty if no price was high enough to be recorded. */
  history(): HistoryPoint[]
}

/**
 * Generates the prices of a card's printings. They are the same on every call, so nothing needs to be stored between
 * writing the history and publishing.
 */
export function createPriceGenerator({ days, lastDay, seed }: SeedRequest) {
  const walk = openWalk(days)

  function cheap(seededRandom: SeededRandom, card: PricedCard, printing: string): PricedPrinting {
    // Bulk cards: most have one of a few prices that are multiples of five cents.
    const cents = 1 + Math.floor((WALK_CENTS_MIN - 2) * seededRandom.unit() ** 2)
    const market = cents > 12 && seededRandom.happens(0.5) ? cents - (cents % 5) : cents
    const known = seededRandom.happens(UNKNOWN_SHARE) ? null : market
    const day = { market: known, low: Math.max(1, Math.floor(market * 0.6)), sales: null }
    return { printing, price: priceOf(seededRandom, card.id, printing, day), history: () => [] }
  }

  function dear(random: SeededRandom, card: PricedCard, printing: string): PricedPrinting {
    const least = card.isSealed ? 1_500 : WALK_CENTS_MIN
    const start = Math.min(DEAREST_CENTS, Math.round(least / (1.0001 - random.unit())))
    const firstDay = Math.max(lastDay - days + 1, card.releaseDay)
    const length = Math.max(1, lastDay - firstDay + 1)
    walk.draw(random, start, length)
    return {
      printing,
      price: priceOf(random, card.id, printing, walk.at(length - 1)),
      // Call it before the next printing is generated, because all printings share one walk.
      history: () => walk.points(lastDay - length + 1, length - 1),
    }
  }

  return {
    /** Yields the printings in order. Read the history of each before generating the next. */
    *ofCard(card: PricedCard): Generator<PricedPrinting> {
      const chance = createSeededRandom(seed, PRICES, card.id)
      const dearShare = card.isSealed ? 1 : DEAR_SHARE
      for (const printing of printingsOf(chance, card)) {
        yield chance.happens(dearShare)
          ? dear(chance, card, printing)
          : cheap(chance, card, printing)
      }
    },
  }
}

function printingsOf(
  seededRandom: SeededRandom,
  { isSealed, style }: PricedCard,
): readonly string[] {
  if (isSealed) return ['Normal']
  let rest = 100 * seededRandom.unit()
  for (const { share, printings } of style.printings) {
    rest -= share
    if (rest < 0) return printings
  }
  return style.printings[0]?.printings ?? ['Normal']
}

type Day = {
  market: number | null
  low: number | null
  /** Null if the upstream does not state them. */
  sales: { average: number | null; volume: number } | null
}

function priceOf(
  seededRandom: SeededRandom,
  cardId: number,
  printing: string,
  day: Day,
): UpstreamPrice {
  const { market, low, sales } = day
  const around = market ?? low
  return {
    card_id: cardId,
    printing,
    market_price: market,
    low_price: low,
    median_price:
      around === null
        ? null
        : roundToAskingPrice(Math.round(around * (1 + 0.3 * seededRandom.unit()))),
    lowest_with_shipping: low === null ? null : low + seededRandom.pick(SHIPPING_CENTS),
    buylist_price:
      market !== null && seededRandom.happens(0.3) ? Math.floor(market * 0.5) || null : null,
    avg_sales_price: sales?.average ?? null,
    sales_volume: sales?.volume ?? null,
  }
}

/** Random walk of a printing, in arrays that the next printing reuses, because there are 60 million points. */
function openWalk(days: number) {
  const market = new Int32Array(days)
  const low = new Int32Array(days)
  const volume = new Int32Array(days)
  const average = new Int32Array(days)
  let hasSales = false

  const nullable = (cents: number | undefined) =>
    cents === undefined || cents === 0 ? null : cents

  function at(day: number): Day {
    const sales = { average: nullable(average[day]), volume: volume[day] ?? 0 }
    return {
      market: nullable(market[day]),
      low: nullable(low[day]),
      sales: hasSales ? sales : null,
    }
  }

  return {
    at,
    /** Generates `length` days that begin at about `start` cents. */
    draw(seededRandom: SeededRandom, start: number, length: number): void {
      const swing = 0.015 + 0.05 * seededRandom.unit()
      const restlessness = 0.15 + 0.4 * seededRandom.unit()
      const demand = seededRandom.unit() ** 2
      hasSales = seededRandom.happens(0.7)
      let cents = start
      let lowest = roundToAskingPrice(Math.max(1, Math.floor(start * 0.85)))
      let unknownDays = 0
      for (let day = 0; day < length; day++) {
        if (seededRandom.unit() < restlessness) {
          const pull = 0.01 * (start - cents)
          const jump = seededRandom.unit() < JUMP_SHARE ? 0.5 + 1.5 * seededRandom.unit() : 1
          cents = Math.max(
            20,
            Math.round((cents + pull) * jump * (1 + swing * seededRandom.bell())),
          )
        }
        if (seededRandom.unit() < 0.15)
          lowest = roundToAskingPrice(Math.floor(cents * (0.75 + 0.23 * seededRandom.unit())))
        if (unknownDays > 0) unknownDays--
        else if (seededRandom.unit() < GAP_SHARE) unknownDays = 1 + seededRandom.below(9)
        const sold =
          hasSales && seededRandom.unit() < demand
            ? 1 + seededRandom.below(1 + Math.ceil(8 * demand))
            : 0
        market[day] = unknownDays > 0 ? 0 : cents
        low[day] = lowest
        volume[day] = sold
        average[day] = sold === 0 ? 0 : Math.round(cents * (0.9 + 0.2 * seededRandom.unit()))
      }
      if (seededRandom.happens(UNKNOWN_SHARE)) market[length - 1] = 0
    },
    /** Returns the points from `firstDay` on, beginning with the first price of at least a dollar. */
    points(firstDay: number, length: number): HistoryPoint[] {
      let from = 0
      while (from < length && (market[from] ?? 0) < TRACKED_CENTS_MIN) from++
      const points: HistoryPoint[] = []
      for (let day = from; day < length; day++) {
        points.push({
          day: firstDay + day,
          market_price: nullable(market[day]),
          low_price: nullable(low[day]),
          avg_sales_price: nullable(average[day]),
          sales_volume: hasSales ? (volume[day] ?? 0) : null,
        })
      }
      return points
    },
  }
}

/** Rounds to a price that ends in nines, as sellers do, so that many cards cost exactly the same. */
function roundToAskingPrice(cents: number): number {
  if (cents < 100) return Math.max(1, cents)
  if (cents < 2_000) return cents - (cents % 25) + 24
  return cents - (cents % 100) + 99
}

const PRICES = 4
const UNKNOWN_SHARE = 0.05
/** Share of single-card printings near or above a dollar. */
const DEAR_SHARE = 0.315
const WALK_CENTS_MIN = 60
const DEAREST_CENTS = 600_000
const JUMP_SHARE = 0.004
const GAP_SHARE = 0.003
const SHIPPING_CENTS = [0, 0, 99, 131, 150] as const
