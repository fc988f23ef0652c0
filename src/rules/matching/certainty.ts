import { ServiceError } from '../primitives/errors.ts'

/**
 * How sure a match is. `certain`: an id, or an exact name that fits the set and number that are named. `assumed`: an
 * exact name, if several cards fit what is named beside it, or nothing is. `guessed`: everything else.
 */
export const CERTAINTIES = ['certain', 'assumed', 'guessed'] as const

export type Certainty = (typeof CERTAINTIES)[number]

/** Certainties that an import accepts by default. */
export const ACCEPTED_BY_DEFAULT: readonly Certainty[] = ['certain', 'assumed']

/** Parts that a row or line names beside a card's exact name, and that fit it. */
export type NamedParts = {
  /** Sets that are named: several if they share a code; 0 if none is. */
  setCount: number
  isNumbered: boolean
  /** True if no other card of the name fits. */
  isOnly: boolean
}

/** Rates a card with the exact name that fits everything which is named. A set and a number are enough. */
export function rateExact({ setCount, isNumbered, isOnly }: NamedParts): Certainty {
  if (setCount > 1) return isNumbered && isOnly ? 'certain' : 'guessed'
  if (setCount > 0 && isNumbered) return 'certain'
  return isOnly && (setCount > 0 || isNumbered) ? 'certain' : 'assumed'
}

/** Returns true for a match that is less sure than those that are accepted, and must be checked. */
export function mustBeChecked(certainty: Certainty, accepted: readonly Certainty[]): boolean {
  const surest = CERTAINTIES.findIndex((one) => accepted.includes(one))
  return !accepted.includes(certainty) && CERTAINTIES.indexOf(certainty) > surest
}

/**
 * Parses a comma-separated list of certainties.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
export function parseAccepted(text: string | undefined): readonly Certainty[] {
  if (text === undefined) return ACCEPTED_BY_DEFAULT
  const words = text.split(',').map((word) => word.trim())
  const accepted = CERTAINTIES.filter((one) => words.includes(one))
  if (words.every((word) => accepted.some((one) => one === word))) return accepted
  throw new ServiceError(
    'VALIDATION_ERROR',
    '"accept" must be a comma-separated list of certain, assumed and guessed.',
  )
}
