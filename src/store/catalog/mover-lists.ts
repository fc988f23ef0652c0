import {
  type ChangeFacts,
  countReached,
  isConfirmed,
  isMover,
  MOVER_PRICES,
} from '#rules/pricing/movers.ts'
import { PERIOD_NAMES, type Period } from '#rules/pricing/price-changes.ts'
import type { RowValue } from '../row-writer.ts'
import { SERIES_PER_CARD } from './history/history.ts'
import { LEVEL_ID, type MoverDirection } from './movers.ts'

/** Rows of lists, with the columns of `movers` and `mover_exclusions` in order. */
export type MoverLists = { rows: RowValue[][]; exclusions: RowValue[][] }

/** Current price of a printing, and the prices with which it is compared. */
export type MoverCandidate = {
  card_id: number
  printing_id: number
  game_id: number
  /** PRODUCT_TYPE_ID of the card. */
  product_type: number
} & ChangeFacts

/** A mover with its place among the candidates. */
type Moved<Candidate> = { candidate: Candidate; at: number; base: number; ratio: number }

/** Returns the number of the level of a change. */
type ChangeRating<Candidate> = (moved: Moved<Candidate>) => number

/** Returns true for a printing that is a mover of any period. */
export function hasMoved(candidate: MoverCandidate): boolean {
  return PERIOD_NAMES.some((period) => {
    const base = candidate[`base_${period}`]
    return base !== null && isMover(candidate.market_price, base)
  })
}

/**
 * Returns the lists of all periods and directions. A list has the first fifty movers of each minimum confidence and
 * price, and of each combination of product type and printing. A change that a single sale may have made is of low
 * confidence.
 *
 * @param rate returns the number of a level (LEVEL_ID); called at most once for each candidate
 */
export function createMoverLists<Candidate extends MoverCandidate>(
  candidates: readonly Candidate[],
  rate: (candidate: Candidate) => number,
): MoverLists {
  const levels = new Uint8Array(candidates.length)
  const rateOnce = ({ candidate, at }: Moved<Candidate>): number => {
    const level = levels[at] || rate(candidate)
    levels[at] = level
    return level
  }
  const dailyGames = new Set<number>()
  for (const { base_24h, game_id } of candidates) if (base_24h !== null) dailyGames.add(game_id)
  const rateChange: ChangeRating<Candidate> = (found) => {
    const isDaily = dailyGames.has(found.candidate.game_id)
    return isConfirmed(found.candidate, found.base, isDaily) ? rateOnce(found) : LEVEL_ID.low
  }
  const lists: MoverLists = { rows: [], exclusions: [] }
  for (const period of PERIOD_NAMES) addPeriod(lists, period, candidates, rateChange)
  return lists
}

function addPeriod<Candidate extends MoverCandidate>(
  lists: MoverLists,
  period: Period,
  candidates: readonly Candidate[],
  rate: ChangeRating<Candidate>,
): void {
  const moved: Record<MoverDirection, Moved<Candidate>[]> = { up: [], down: [] }
  const excluded = { up: new Map<number, number>(), down: new Map<number, number>() }
  const column = `base_${period}` as const
  for (const [at, candidate] of candidates.entries()) {
    const base = candidate[column]
    if (base === null || base === candidate.market_price) continue
    const direction = candidate.market_price > base ? 'up' : 'down'
    if (isMover(candidate.market_price, base)) {
      moved[direction].push({ candidate, at, base, ratio: candidate.market_price / base })
    } else {
      for (const list of listsOf(candidate)) {
        excluded[direction].set(list, (excluded[direction].get(list) ?? 0) + 1)
      }
    }
  }
  moved.up.sort((a, b) => b.ratio - a.ratio || byId(a.candidate, b.candidate))
  moved.down.sort((a, b) => a.ratio - b.ratio || byId(a.candidate, b.candidate))
  for (const direction of ['up', 'down'] as const) {
    addMovers(lists, { period, direction }, moved[direction], rate)
    for (const [list, count] of excluded[direction]) {
      lists.exclusions.push([period, direction, ...decodeList(list), count])
    }
  }
}

function byId(a: MoverCandidate, b: MoverCandidate): number {
  return a.card_id - b.card_id || a.printing_id - b.printing_id
}

function addMovers<Candidate extends MoverCandidate>(
  { rows }: MoverLists,
  { period, direction }: { period: Period; direction: MoverDirection },
  moved: readonly Moved<Candidate>[],
  rate: ChangeRating<Candidate>,
): void {
  const countsOf = openCounts()
  for (const [index, found] of moved.entries()) {
    const { candidate } = found
    const { card_id, printing_id, product_type, market_price } = candidate
    const { ofAll, ofGame } = countsOf(candidate)
    const prices = countReached(market_price)
    const isFull = (counts: Counts) => countOf(counts, prices, LEVEL_ID.high) >= LIST_LENGTH
    if (ofAll.every(isFull) && ofGame.every(isFull)) continue
    const level = rate(found)
    const mover = [index + 1, card_id, printing_id, product_type, found.base, market_price, level]
    if (isAmongFirst(ofAll, prices, level)) rows.push([period, direction, 0, ...mover])
    if (isAmongFirst(ofGame, prices, level)) {
      rows.push([period, direction, candidate.game_id, ...mover])
    }
  }
}

/** Number of movers in a list so far, by minimum price and level. */
type Counts = Uint32Array

/** @param prices number of minimum prices that are reached; 1 is the lowest */
function countOf(counts: Counts, prices: number, level: number): number {
  return counts[prices * LEVELS + level] ?? 0
}

/** Levels of confidence, and 0, which none has. */
const LEVELS = LEVEL_ID.high + 1

type CountedLists = { ofAll: Counts[]; ofGame: Counts[] }

/** Opens the counts of the lists that contain a candidate: those of all games, and those of its game. */
function openCounts() {
  const byList = new Map<number, Counts>()
  // Candidates of the same game, type and printing are in the same lists.
  const known = new Map<number, CountedLists>()

  function open(candidate: MoverCandidate): CountedLists {
    const counts = listsOf(candidate).map((list) => {
      const found = byList.get(list) ?? new Uint32Array((MOVER_PRICES.length + 1) * LEVELS)
      byList.set(list, found)
      return found
    })
    return { ofAll: counts.slice(0, 4), ofGame: counts.slice(4) }
  }

  return (candidate: MoverCandidate): CountedLists => {
    const key = encodeList(candidate.game_id, candidate.product_type, candidate.printing_id)
    const lists = known.get(key) ?? open(candidate)
    known.set(key, lists)
    return lists
  }
}

/** Counts a mover in each list. @returns true if it is among the first of any of them */
function isAmongFirst(lists: readonly Counts[], prices: number, level: number): boolean {
  let isFirst = false
  for (const counts of lists) {
    for (let price = 1; price <= prices; price++) {
      for (let minimum = LEVEL_ID.low; minimum <= level; minimum++) {
        counts[price * LEVELS + minimum] = countOf(counts, price, minimum) + 1
      }
    }
    if (countOf(counts, prices, level) <= LIST_LENGTH) isFirst = true
  }
  return isFirst
}

/** Returns the eight lists that contain a candidate: each filter is either open or set, and that of the game last. */
function listsOf({ game_id, product_type, printing_id }: MoverCandidate): number[] {
  return [0, game_id].flatMap((game) => [
    encodeList(game, 0, 0),
    encodeList(game, 0, printing_id),
    encodeList(game, product_type, 0),
    encodeList(game, product_type, printing_id),
  ])
}

/** Encodes a list as one number, the key of hundreds of thousands of lookups. */
function encodeList(game: number, type: number, printing: number): number {
  return (game * TYPES + type) * SERIES_PER_CARD + printing
}

function decodeList(list: number): [game: number, type: number, printing: number] {
  const rest = Math.floor(list / SERIES_PER_CARD)
  return [Math.floor(rest / TYPES), rest % TYPES, list % SERIES_PER_CARD]
}

/** Cards, sealed products, and both. */
const TYPES = 3

/** Longest list that a request can return (specification, Limits 5). */
const LIST_LENGTH = 50
