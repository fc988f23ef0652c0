import type { Condition } from '../pricing/price-key.ts'
import type { LanguageCode } from './languages.ts'

/** Facts about copies of a card that its owner knows. Money is in cents for one copy, `acquired_on` a day. */
export type Holding = {
  condition: Condition
  /** Grader and grade, such as `PSA 10`; null for a raw card. */
  grade: string | null
  language: LanguageCode | null
  price_paid: number | null
  acquired_on: number | null
  place: string | null
  note: string | null
  target_price: number | null
}

/** Maximum number of copies of an item: a larger number belongs to another column. */
export const HOLDING_QUANTITY_MAX = 100_000

/** Highest price of one copy, in cents: with the most copies and items, a total fits into 64 bits. */
export const HOLDING_PRICE_MAX = 100_000_000

export const PLACE_CHARACTERS_MAX = 100
export const NOTE_CHARACTERS_MAX = 1_000
export const GRADE_CHARACTERS_MAX = 40

/** A copy without a date counts from the day on which it was added. */
export function firstDayHeld(
  { acquired_on, created_on }: { acquired_on: number | null; created_on: number },
  today: number,
): number {
  return Math.min(acquired_on ?? created_on, today)
}

/** Cards are from 1990 at the earliest; later than tomorrow nobody has bought any yet. */
export function isAcquisitionDay(day: number, today: number): boolean {
  return day >= FIRST_DAY && day <= today + 1
}

const FIRST_DAY = 7_305
