// Sanity checks against a broken upstream. Data that would remove too much of the catalog, change its prices
// implausibly, or add records of another game, is refused as a whole, and the old data stays. A first import has
// nothing to lose and passes.
import { MS_PER_DAY } from '../primitives/days.ts'
import { isApart } from '../primitives/money.ts'
import { countMoved, type MoveFactor, type PriceShifts } from './price-shifts.ts'

/** New data of one set, compared with the catalog. */
export type SetFacts = {
  id: number
  name: string
  /** Name of the other game that has this set in the catalog; null if no other game has it. */
  held_by: string | null
  /** Cards of this set in the catalog, except those marked as missing. */
  cards_before: number
  /** Number of `cards_before` in the new data. */
  cards_kept: number
  /** Cards in the new data that belong to another game in the catalog. */
  cards_foreign: number
  /** Printings with a known market price. */
  prices_before: number
  /** Number of `prices_before` without a price in the new data. */
  prices_lost: number
}

/** New data of one game, compared with the catalog. */
export type GameFacts = {
  slug: string
  /** Sets of this game in the catalog, except those marked as missing. */
  sets_before: number
  /** Number of `cards_before` in the new data. */
  sets_kept: number
  /** Number of set and card ids in the new data. */
  ids: number
  /** Number of `ids` that belong to another game in the catalog. */
  ids_foreign: number
}

/** Returns the reason for refusing the data of a set, and the remedy; undefined if it passes. */
export function findSetProblem(facts: SetFacts): string | undefined {
  const fault = setFault(facts)
  return fault && `${fault} ${describeForce(`--set ${facts.id}`)}`
}

/** Returns the reason for refusing the data of a game, and the remedy; undefined if it passes. */
export function findGameProblem(facts: GameFacts): string | undefined {
  const fault = gameFault(facts)
  return fault && `${fault} ${describeForce(`--game ${facts.slug}`)}`
}

/**
 * New market prices of a set, or of a game's sets that are about to be published together, compared with the catalog.
 * The size is that of the whole set or game, so that the same shares apply if only some sets could be read.
 * Otherwise, many small parts could pass one by one.
 */
export type NewPrices = {
  /** Slug of the game. */
  slug: string
  /** Undefined for a whole game. */
  set?: { id: number; name: string }
  /** Name of the source; undefined for the mirror. */
  source?: string
  /** Cards in the catalog. */
  cards: number
  /** Known prices in the catalog. */
  prices: number
  shifts: PriceShifts
  /** Known prices of several rejected sets of the game, which `shifts` does not include. */
  prices_rejected?: number
}

/** Returns the reason for refusing new prices, and the remedy; undefined if they pass. */
export function findPriceProblem(change: NewPrices): string | undefined {
  const { slug, set, source, prices, shifts } = change
  if (prices < PRICES_JUDGED_MIN) return undefined
  const game = source === undefined ? slug : `${source}'s list of ${slug}`
  const subject = set === undefined ? game : `Set ${set.id} (${set.name})`
  const target = set === undefined ? gameTarget(slug, source) : `--set ${set.id}`
  const fault =
    lostFault(shifts) ??
    moveFault(change) ??
    sumFault(change) ??
    constantFault(change) ??
    remainderFault(change)
  return fault && `${subject} ${fault} ${describeForce(target)}`
}

function lostFault({ known, lost }: Pick<PriceShifts, 'known' | 'lost'>): string | undefined {
  if (lost <= known * LOST_PRICES_SHARE_MAX) return undefined
  return `would lose ${lost} of its ${known} known prices.`
}

function moveFault({ cards, shifts }: NewPrices): string | undefined {
  for (const { factor, share_max, cards_min } of MOVE_LIMITS) {
    const count = countMoved(shifts, factor)
    if (cards < cards_min || count <= shifts.compared * share_max) continue
    return `has ${count} of ${shifts.compared} prices that would move by more than a factor of ${factor}.`
  }
  return undefined
}

function sumFault({ cards, shifts: { sum_before, sum_after } }: NewPrices): string | undefined {
  if (cards < CARDS_JUDGED_MIN || !isApart(sum_before, sum_after, SUM_FACTOR_MAX)) return undefined
  return `has prices whose sum would move by more than a factor of ${SUM_FACTOR_MAX}.`
}

function constantFault({ cards, shifts }: NewPrices): string | undefined {
  if (cards < CARDS_JUDGED_MIN) return undefined
  for (const [price, count] of shifts.arrived) {
    const others = shifts.compared - (shifts.before.get(price) ?? 0)
    if (count < SHARED_PRICES_MIN || count * 2 <= others) continue
    return `has ${others} prices other than ${(price / 100).toFixed(2)}, of which ${count} would become ${(price / 100).toFixed(2)}.`
  }
  return undefined
}

/** If most of a game is wrong, the passing sets are those in which the fault is least visible. */
function remainderFault({ shifts, prices_rejected = 0 }: NewPrices): string | undefined {
  const all = shifts.known + prices_rejected
  if (prices_rejected * 2 <= all) return undefined
  return `has ${prices_rejected} of ${all} known prices in sets that are rejected.`
}

/** Returns the problem with a publish time, compared with this machine's clock; undefined if it passes. */
export function findPublishTimeProblem(publishedAt: Date, now: Date): string | undefined {
  if (!isInFuture(publishedAt, now)) return undefined
  return (
    `the publish time ${publishedAt.toISOString()} is more than a day after this machine's clock, ` +
    `${now.toISOString()}. Check the clock. The old data stays, and the next run tries again. ` +
    'If the time is correct, accept it with: bun run sync --force'
  )
}

/**
 * Returns the reason for refusing a publish time that is older than the newest one of a game. A stored time more than
 * a day in the future was wrong when it was accepted, so it is ignored.
 */
export function findBackwardsProblem(
  game: { slug: string; newest_at: Date | null },
  publishedAt: Date,
  now: Date,
): string | undefined {
  const { slug, newest_at } = game
  if (newest_at === null || isInFuture(newest_at, now) || publishedAt >= newest_at) return undefined
  return (
    `The publish time of ${slug} would move back from ${newest_at.toISOString()} to ` +
    `${publishedAt.toISOString()}. ${describeForce(`--game ${slug}`)}`
  )
}

/** Clocks differ, but not by more than a day. */
function isInFuture(publishedAt: Date, now: Date): boolean {
  return publishedAt.getTime() > now.getTime() + MS_PER_DAY
}

/** Describes a game in the catalog that the upstream no longer lists. */
export function describeLostGame(slug: string): string {
  return `The upstream no longer lists the game ${slug}. ${describeForce(`--game ${slug}`)}`
}

function setFault(facts: SetFacts): string | undefined {
  const set = `Set ${facts.id} (${facts.name})`
  if (facts.held_by !== null) return `${set} is already in the catalog under ${facts.held_by}.`
  if (facts.cards_foreign > 0) {
    return `${set} contains ${facts.cards_foreign} cards that belong to another game in the catalog.`
  }
  if (losesTooMany(facts.cards_before, facts.cards_kept)) {
    const lost = facts.cards_before - facts.cards_kept
    return `${set} would lose ${lost} of its ${facts.cards_before} cards.`
  }
  const { prices_before, prices_lost } = facts
  if (prices_before < PRICES_JUDGED_MIN) return undefined
  const lost = lostFault({ known: prices_before, lost: prices_lost })
  return lost && `${set} ${lost}`
}

function gameFault(facts: GameFacts): string | undefined {
  const { slug, sets_before, sets_kept, ids, ids_foreign } = facts
  if (ids_foreign > ids * FOREIGN_SHARE_MAX) {
    return `${slug} contains ${ids_foreign} sets and cards that belong to another game in the catalog.`
  }
  if (losesTooMany(sets_before, sets_kept)) {
    return `${slug} would lose ${sets_before - sets_kept} of its ${sets_before} sets.`
  }
  return undefined
}

/** Returns the options of a sync of one game. */
function gameTarget(slug: string, source: string | undefined): string {
  return source === undefined ? `--game ${slug}` : `--source ${source} --game ${slug}`
}

/** Explains how to accept refused data. @param target options of the sync that accepts it */
export function describeForce(target: string): string {
  return (
    'The old data stays, and the next run tries again, because the upstream is probably broken. ' +
    `If the new data is correct, accept it with: bun run sync ${target} --force`
  )
}

// Single records are occasionally withdrawn, which exceeds 5 % of a small set.
const VANISHING_ALWAYS = 2
const KEPT_SHARE_MIN = 0.95
const PRICES_JUDGED_MIN = 10
const LOST_PRICES_SHARE_MAX = 0.2
const FOREIGN_SHARE_MAX = 0.01

/**
 * Maximum share of the compared prices that may change by more than a factor. In the real archive of 13 days and 150
 * sets, a set of 50 prices never had more than 1.2 % beyond factor 5, nor any beyond 50, including cheap cards;
 * smaller sets with ten prices never had 3 %. So no price is too low to count. A limit of half of the prices limits
 * the median.
 */
const MOVE_LIMITS: { factor: MoveFactor; share_max: number; cards_min: number }[] = [
  { factor: 5, share_max: 0.3, cards_min: 50 },
  { factor: 50, share_max: 0.1, cards_min: 50 },
  { factor: 3, share_max: 0.5, cards_min: 50 },
  { factor: 50, share_max: 0.5, cards_min: 10 },
]
const CARDS_JUDGED_MIN = 50
// Sums of real sets of 50 prices changed by a factor of at most 1.43 in 13 days.
const SUM_FACTOR_MAX = 5
// A few prices are equal by chance.
const SHARED_PRICES_MIN = 5

/** Returns true if more records disappear than are occasionally withdrawn. */
export function losesTooMany(before: number, kept: number): boolean {
  const lost = before - kept
  if (lost <= 0) return false
  if (lost <= VANISHING_ALWAYS && lost * 2 < before) return false
  return kept < before * KEPT_SHARE_MIN
}
