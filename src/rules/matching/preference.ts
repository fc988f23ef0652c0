import { assessPrice, type PriceFacts } from '../pricing/confidence.ts'
import { rateSpecial, type WordedCard } from './ordinary-cards.ts'

/**
 * Which of several cards a name without a set means. `regular`: the cheapest base printing of an ordinary card; the
 * others: by the date of the set, or by price alone.
 */
export const PREFERENCES = ['regular', 'newest', 'oldest', 'cheapest', 'highest'] as const

export type Preference = (typeof PREFERENCES)[number]

export const PREFERENCE_BY_DEFAULT: Preference = 'regular'

/** Facts about a card by which it is preferred to others of its name. */
export type PreferredCard = WordedCard & {
  id: number
  /** Market price of the base printing in cents. */
  price: number | null
  /** Undefined without a price. */
  price_facts: PriceFacts | undefined
  /** Null if it is unknown. */
  release_date: string | null
}

/** Compares two cards of a name, the preferred one first; ties by id. */
export type Comparison = (a: PreferredCard, b: PreferredCard) => number

/**
 * Returns the order of cards for a preference.
 *
 * @param rate `rateRegular`, or a function that keeps its results
 */
export function compareBy(prefer: Preference, rate = rateRegular): Comparison {
  const byRegular: Comparison = (a, b) => rate(a) - rate(b) || byCheapest(a, b)
  switch (prefer) {
    case 'regular':
      return byRegular
    case 'newest':
      return (a, b) => compareDates(b, a, '') || byRegular(a, b)
    case 'oldest':
      return (a, b) => compareDates(a, b, '9') || byRegular(a, b)
    case 'cheapest':
      return byCheapest
    case 'highest':
      return (a, b) => (b.price ?? -1) - (a.price ?? -1) || byId(a, b)
  }
}

const byId: Comparison = (a, b) => a.id - b.id

const priceOf = ({ price }: PreferredCard) => price ?? Number.MAX_SAFE_INTEGER

const byCheapest: Comparison = (a, b) => priceOf(a) - priceOf(b) || byId(a, b)

function compareDates(a: PreferredCard, b: PreferredCard, unknown: string): number {
  const [first, second] = [a.release_date ?? unknown, b.release_date ?? unknown]
  if (first === second) return 0
  return first < second ? -1 : 1
}

/** Rates a card: REGULAR for an ordinary one with a reliable price; those without a price come last. */
export function rateRegular(card: PreferredCard): number {
  const { price_facts: facts } = card
  const standing = rateSpecial(card)
  if (facts === undefined || facts.market_price === null) return UNPRICED + standing
  const isDoubtful = assessPrice(facts, facts.published_day).level === 'low'
  return REGULAR + 2 * standing + (isDoubtful ? 1 : 0)
}

/** The lowest rate. */
export const REGULAR = 0

/** More than a card with a price has. */
const UNPRICED = 10
