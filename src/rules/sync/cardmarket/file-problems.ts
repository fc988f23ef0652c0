import { MS_PER_DAY } from '../../primitives/days.ts'
import { describeForce, losesTooMany } from '../sanity-checks.ts'

/** Files of a game, compared with each other and with stored data. */
export type FileFacts = {
  /** Slug of the game. */
  slug: string
  /** Number of products that are stored as listed, and number of these in the new lists. */
  products_before: number
  products_kept: number
}

/** Returns the reason for refusing product lists, and the remedy; undefined if they pass. */
export function findListProblem({
  slug,
  products_before,
  products_kept,
}: FileFacts): string | undefined {
  if (!losesTooMany(products_before, products_kept)) return undefined
  const lost = products_before - products_kept
  return refuse(slug, `The product lists would lose ${lost} of ${products_before} products.`)
}

/** Guide of a game, compared with the product lists and with stored data. */
export type GuideFacts = {
  slug: string
  created_at: Date
  /** Publish time of the stored prices; null without any. */
  newest_at: Date | null
  /** Listed products. */
  products: number
  /** Number of products in the guide, and number of these in the lists. */
  rows: number
  rows_known: number
}

/** Returns the reason for refusing a price guide, and the remedy; undefined if it passes. */
export function findGuideProblem(facts: GuideFacts, now: Date): string | undefined {
  const fault = timeFault(facts, now) ?? overlapFault(facts)
  return fault && refuse(facts.slug, fault)
}

function timeFault({ created_at, newest_at }: GuideFacts, now: Date): string | undefined {
  const days = (now.getTime() - created_at.getTime()) / MS_PER_DAY
  const created = `The price guide was created at ${created_at.toISOString()}`
  if (days < -1) return `${created}, which is in the future.`
  if (days > AGE_DAYS_MAX) return `${created}, more than ${AGE_DAYS_MAX} days ago.`
  // A stored time in the future was wrong when it was accepted, so it is ignored.
  const isNewestValid = newest_at !== null && newest_at.getTime() <= now.getTime() + MS_PER_DAY
  // Stored times are in whole seconds.
  if (isNewestValid && created_at.getTime() + 1_000 <= newest_at.getTime()) {
    return `${created}, before the published one of ${newest_at.toISOString()}.`
  }
  return undefined
}

function overlapFault({ products, rows, rows_known }: GuideFacts): string | undefined {
  if (rows_known < rows * KNOWN_SHARE_MIN) {
    return `The product lists do not have ${rows - rows_known} of the ${rows} products in the price guide.`
  }
  if (rows_known < products * PRICED_SHARE_MIN) {
    return `The price guide has only ${rows_known} of the ${products} products in the lists.`
  }
  return undefined
}

/** Returns the reason for refusing a file with invalid records; undefined if there are only few. */
export function findRecordProblem(records: number, rejected: number): string | undefined {
  if (records + rejected === 0) return 'the file has no records.'
  if (rejected <= (records + rejected) * REJECTED_SHARE_MAX) return undefined
  return `${rejected} of its ${records + rejected} records are invalid.`
}

function refuse(slug: string, fault: string): string {
  return `${fault} ${describeForce(`--source cardmarket --game ${slug}`)}`
}

/** Prices older than a month are not current. */
const AGE_DAYS_MAX = 30
const KNOWN_SHARE_MIN = 0.8
const PRICED_SHARE_MIN = 0.5
const REJECTED_SHARE_MAX = 0.05
