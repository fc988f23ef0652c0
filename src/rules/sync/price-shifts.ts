// Compares the market prices of a catalog with their replacements. The counts of sets add up to those of their game.

import { isApart } from '../primitives/money.ts'

/** Prices by printing: history series id to cents, known prices only. */
export type MarketPrices = ReadonlyMap<number, number>

/** Changes of market prices. `known`, `lost` and `compared` count printings. */
export type PriceShifts = {
  /** Printings with a price in the catalog. */
  known: number
  /** Number of `known` without a price in the new data. */
  lost: number
  /** Number of `known` with a price in the new data. */
  compared: number
  /** Numbers of compared printings whose price changes by more than each of MOVE_FACTORS. */
  moved: number[]
  /** Sum of the compared prices in the catalog, in cents. */
  sum_before: number
  /**
   * Sum of the compared prices in the new data; one printing counts with at most LARGEST_FACTOR times its old price.
   */
  sum_after: number
  /** Number of compared printings by their price in the catalog. */
  before: Map<number, number>
  /** Number of printings whose price changes, by their new price. */
  arrived: Map<number, number>
}

/** Factors whose excess is counted, ascending. */
const MOVE_FACTORS = [3, 5, 50] as const
export type MoveFactor = (typeof MOVE_FACTORS)[number]

// A single absurd offer must not outweigh all other prices of its game.
const LARGEST_FACTOR = 50

/** Returns counts of 0. */
export function noShifts(): PriceShifts {
  return {
    known: 0,
    lost: 0,
    compared: 0,
    sum_before: 0,
    sum_after: 0,
    moved: MOVE_FACTORS.map(() => 0),
    before: new Map(),
    arrived: new Map(),
  }
}

/**
 * Compares the prices of a set.
 *
 * @param stored by series
 * @param next undefined if unchanged
 */
export function comparePrices(
  stored: Iterable<readonly [series: number, price: number]>,
  next: MarketPrices | undefined,
): PriceShifts {
  const shifts = noShifts()
  for (const [series, price] of stored) {
    shifts.known++
    const after = next === undefined ? price : next.get(series)
    if (after === undefined) shifts.lost++
    else countPrinting(shifts, price, after)
  }
  return shifts
}

function countPrinting(shifts: PriceShifts, price: number, after: number): void {
  shifts.compared++
  shifts.sum_before += price
  shifts.sum_after += Math.min(after, price * LARGEST_FACTOR)
  add(shifts.before, price, 1)
  if (after === price) return
  add(shifts.arrived, after, 1)
  for (const [index, factor] of MOVE_FACTORS.entries()) {
    if (isApart(price, after, factor)) shifts.moved[index] = (shifts.moved[index] ?? 0) + 1
  }
}

/** Returns the number of compared printings that change by more than a factor. */
export function countMoved({ moved }: PriceShifts, factor: MoveFactor): number {
  return moved[MOVE_FACTORS.indexOf(factor)] ?? 0
}

/** Adds the counts of a set to those of its game. */
export function addShifts(total: PriceShifts, shifts: PriceShifts): void {
  total.known += shifts.known
  total.lost += shifts.lost
  total.compared += shifts.compared
  total.sum_before += shifts.sum_before
  total.sum_after += shifts.sum_after
  total.moved = total.moved.map((count, index) => count + (shifts.moved[index] ?? 0))
  for (const [price, count] of shifts.before) add(total.before, price, count)
  for (const [price, count] of shifts.arrived) add(total.arrived, price, count)
}

function add(counts: Map<number, number>, price: number, count: number): void {
  counts.set(price, (counts.get(price) ?? 0) + count)
}
