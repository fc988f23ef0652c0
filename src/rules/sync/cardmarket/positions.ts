import { compareNumbers, parsePosition } from './product-name.ts'

/** Card with a place in its set. */
type PlacedCard = { id: number; number: string | null }

/** Chooses, by the ids of products, which of several cards is at the place of a product. */
export type PositionGuide = {
  /** Returns the card suggested by the product's id; undefined if no card or several cards are at that place. */
  choose<Card extends PlacedCard>(productId: number, cards: readonly Card[]): Card | undefined
  /** Returns true if the product's id suggests another place. */
  contradicts(productId: number, card: PlacedCard): boolean
  /** Returns the distance between two cards, by their numbers and by their order in the set. */
  measure(from: PlacedCard, to: PlacedCard): { numbers: number | undefined; ranks: number }
}

/**
 * Creates a guide from the certain products of an expansion. Cardmarket adds most of an expansion at once, in the
 * order of its numbers: on a real list, 81 % of all neighbors differ by as much in their ids as in their numbers.
 *
 * @param certain card ids by product id
 * @param cards all cards of the set
 */
export function createPositionGuide(
  certain: ReadonlyMap<number, number>,
  cards: readonly PlacedCard[],
): PositionGuide {
  const ranks = new Map(cards.toSorted(compareNumbers).map(({ id }, rank) => [id, rank]))
  const numbers = numberValues(cards)
  const byNumber = createRun(pointsOf(certain, numbers))
  const byRank = createRun(pointsOf(certain, ranks))

  return {
    choose(productId, among) {
      const isNumbered = among.every(({ id }) => numbers.has(id))
      const places = new Set(among.map(({ id }) => Math.floor(numbers.get(id) ?? 0)))
      if (isNumbered && places.size === among.length)
        return chooseWithin(byNumber.find(productId), among, numbers)
      const bounds = byRank.find(productId)
      // Each card that the catalog lacks shifts the ranks, so only the nearest neighbors count.
      return bounds?.isExact && bounds.places <= RANKS_MAX
        ? chooseWithin(bounds, among, ranks)
        : undefined
    },
    contradicts(productId, { id }) {
      const [bounds, value] = [byNumber.find(productId), numbers.get(id)]
      if (bounds === undefined || value === undefined) return false
      return distance(bounds, value) > Math.max(bounds.margin, CONTRADICTION_MIN)
    },
    measure(from, to) {
      const [first, last] = [numbers.get(from.id), numbers.get(to.id)]
      return {
        numbers: first === undefined || last === undefined ? undefined : last - first,
        ranks: (ranks.get(to.id) ?? 0) - (ranks.get(from.id) ?? 0),
      }
    },
  }
}

/** Returns the numbers of a set's main series by card id: 139 for `139/195`, nothing for `TG05`. */
function numberValues(cards: readonly PlacedCard[]): Map<number, number> {
  const placed = cards.flatMap(({ id, number }) => {
    const position = parsePosition(number)
    return position === undefined ? [] : [{ id, ...position }]
  })
  const counts = Map.groupBy(placed, ({ series }) => series)
  const [main] = [...counts.values()].toSorted((a, b) => b.length - a.length)
  return new Map((main ?? []).map(({ id, value }) => [id, value]))
}

/** Product id, and the place of its card. */
type Point = { id: number; value: number }

function pointsOf(
  certain: ReadonlyMap<number, number>,
  places: ReadonlyMap<number, number>,
): Point[] {
  return [...certain].flatMap(([id, card]) => {
    const value = places.get(card)
    return value === undefined ? [] : [{ id, value }]
  })
}

/** Places from `low` to `high`. A card outside them must be `margin` away to be excluded. */
type Bounds = { low: number; high: number; margin: number; isExact: boolean; places: number }

function createRun(placed: readonly Point[]) {
  const points = longestAscending(placed)
  const isOrdered = points.length >= POINTS_MIN && points.length >= placed.length * ORDERED_SHARE
  return {
    /** Returns the places that a product may have; undefined if its id suggests none. */
    find(productId: number): Bounds | undefined {
      if (!isOrdered) return undefined
      const next = countUpTo(points, ({ id }) => id <= productId)
      const low = points[next - 1]
      return low?.id === productId ? undefined : boundsBetween(productId, low, points[next])
    },
  }
}

function boundsBetween(
  productId: number,
  low: Point | undefined,
  high: Point | undefined,
): Bounds | undefined {
  if (low !== undefined && high !== undefined) {
    const ids = high.id - low.id
    const places = high.value - low.value
    const exact = low.value + productId - low.id
    // There are as many ids as places, so the product's place is certain.
    if (ids === places) return { low: exact, high: exact, margin: 0, isExact: true, places }
    if (ids > places * GAP_FACTOR + GAP) return undefined
    return { low: low.value, high: high.value, margin: 2, isExact: false, places }
  }
  const near = low ?? high
  if (near === undefined || Math.abs(productId - near.id) > RUN_MAX) return undefined
  const exact = near.value + productId - near.id
  return { low: exact - 1, high: exact + 1, margin: 5, isExact: false, places: 0 }
}

function chooseWithin<Card extends PlacedCard>(
  bounds: Bounds | undefined,
  cards: readonly Card[],
  places: ReadonlyMap<number, number>,
): Card | undefined {
  if (bounds === undefined) return undefined
  const inside = cards.filter(({ id }) => distanceTo(bounds, places.get(id)) === 0)
  const [only] = inside
  if (only === undefined || inside.length > 1) return undefined
  const isAlone = cards.every((card) => {
    return card === only || distanceTo(bounds, places.get(card.id)) > bounds.margin
  })
  return isAlone ? only : undefined
}

function distanceTo(bounds: Bounds, value: number | undefined): number {
  return value === undefined ? Number.POSITIVE_INFINITY : distance(bounds, value)
}

function distance({ low, high }: Bounds, value: number): number {
  return Math.max(low - value, value - high, 0)
}

/** Returns the longest sequence of points whose places ascend with their ids, which skips later additions. */
function longestAscending(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.id - b.id)
  const ends: number[] = []
  const before: number[] = []
  for (const [index, { value }] of sorted.entries()) {
    const length = countUpTo(ends, (end) => (sorted[end]?.value ?? 0) < value)
    before[index] = ends[length - 1] ?? -1
    ends[length] = index
  }
  const run: Point[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const point = sorted[at]
    if (point !== undefined) run.push(point)
  }
  return run.reverse()
}

/** Counts the first values of a sorted list that have a property. */
function countUpTo<T>(values: readonly T[], has: (value: T) => boolean): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    // The index is within the list.
    if (has(values[middle] as T)) low = middle + 1
    else high = middle
  }
  return low
}

/** Fewer certain products do not prove an order. */
const POINTS_MIN = 5
const ORDERED_SHARE = 0.7
/** Maximum number of ids between two certain products: this many per place between them, and a few more. */
const GAP_FACTOR = 2
const GAP = 5
/** Maximum length of a sequence of ids after the last certain product. */
const RUN_MAX = 60
const CONTRADICTION_MIN = 5
const RANKS_MAX = 6
