import { type Condition, MIRROR_KIND } from '../pricing/price-key.ts'
import type { LanguageCode } from './languages.ts'

/** Texts in which owners describe copies, in the order of columns: limits, and names in the API and in files. */
export const HOLDING_TEXTS = {
  place: {
    charactersMax: 100,
    description: 'Place of the copies, such as a box.',
    header: 'Place',
    otherHeaders: ['bindername', 'foldername', 'portfolioname', 'location'],
  },
  note: {
    charactersMax: 1_000,
    description: 'Note for the owner.',
    header: 'Note',
    otherHeaders: ['notes'],
  },
} as const satisfies Record<string, HoldingText>

type HoldingText = {
  charactersMax: number
  /** Description for requests. */
  description: string
  /** Header of our own files. */
  header: string
  /** Headers of apps, compared without case, spaces and punctuation. */
  otherHeaders: readonly string[]
}

export type HoldingTextName = keyof typeof HOLDING_TEXTS

// Object.keys returns strings; these are the keys of the table above.
export const HOLDING_TEXT_NAMES = Object.keys(HOLDING_TEXTS) as HoldingTextName[]

/** Creates a value for each of the owner's texts. */
export function mapHoldingTexts<T>(
  create: (text: HoldingText, name: HoldingTextName) => T,
): Record<HoldingTextName, T> {
  // Each text has a value.
  return Object.fromEntries(
    HOLDING_TEXT_NAMES.map((name) => [name, create(HOLDING_TEXTS[name], name)]),
  ) as Record<HoldingTextName, T>
}

/**
 * Facts about copies of a card that their owner knows. Money is in cents per copy, of US dollars or, for the price paid,
 * of its own currency. `acquired_on` is a day.
 */
export type Holding = {
  condition: Condition
  /** Grader and grade, such as `PSA 10`; null for a raw card. */
  grade: string | null
  language: LanguageCode | null
  price_paid: number | null
  /** Code of its currency; US dollars without a price. */
  paid_currency: string
  acquired_on: number | null
  target_price: number | null
} & Record<HoldingTextName, string | null>

/** Facts about copies if a file has none, as in a list. */
export const UNKNOWN_HOLDING: Holding = {
  condition: 'near_mint',
  grade: null,
  language: null,
  price_paid: null,
  paid_currency: MIRROR_KIND.currency,
  acquired_on: null,
  ...mapHoldingTexts(() => null),
  target_price: null,
}

/** Maximum number of copies per item: a larger number belongs to another column. */
export const HOLDING_QUANTITY_MAX = 100_000

/** Maximum price paid for one copy in hundredths of its currency: ten million won are some thousand dollars. */
export const PRICE_PAID_MAX = 1_000_000_000

/** Maximum target price of one copy in US cents. */
export const TARGET_PRICE_MAX = 100_000_000

export const GRADE_CHARACTERS_MAX = 40

/** Returns the day from which copies count. Without a date, it is the day on which they were added. */
export function firstDayHeld(
  { acquired_on, created_on }: { acquired_on: number | null; created_on: number },
  today: number,
): number {
  return Math.min(acquired_on ?? created_on, today)
}

/** Returns true if cards can have been bought on a day: from 1990 until tomorrow. */
export function isAcquisitionDay(day: number, today: number): boolean {
  return day >= FIRST_DAY && day <= today + 1
}

const FIRST_DAY = 7_305
