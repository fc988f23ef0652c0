// Forms in which a catalog may list a printed collector number.
import { numberKey } from './names.ts'

/**
 * Lists the possible forms, best first, without repetition. Forms with equal keys (numberKey) count
 * as one, so leading zeros need no form. A catalog may omit the set's total ("4/102" as "4") or the
 * code before the number ("SVP 044" as "044"). It may also add its own mark for another printing.
 */
export function numberForms(printed: string): string[] {
  const plain = numberSpellings(printed)
  const bare = plain.flatMap((form) => withoutTotal(form) ?? [])
  const marked = [...plain, ...bare].flatMap(withMarks)
  return onePerKey([...plain, ...bare, ...marked])
}

/**
 * Returns the number as written and, if a code precedes it, both joined, and the number alone. A language may be
 * between them.
 */
export function numberSpellings(number: string): string[] {
  const [, code, rest] = /^\s*(\p{L}+)\s+(?:[A-Z]{2}\s+)?([0-9].*)$/u.exec(number) ?? []
  return code === undefined || rest === undefined ? [number] : [number, code + rest, rest]
}

/**
 * Removes the marks that a catalog adds to distinguish printings, but that no card shows. OP07-080_p1 is an alternate
 * art of OP07-080, and _r1 a reprint. Magic's 128s and 153p are stamped, 8★ is foil, 94sb is from a sideboard. A
 * rarity may follow 101/078.
 */
export function withoutMarks(listed: string): string {
  return listed.trim().replace(/(?<=[0-9])(?:_[a-z][0-9]+|s?[★†]|sb?|p| [A-Z]{1,3})$/, '')
}

/** A number in the forms in which it is compared. */
export type ParsedNumber = {
  /** Keys with the total, if the number has one. */
  full: readonly string[]
  /** Keys without the total. */
  own: readonly string[]
  hasTotal: boolean
  /** Value of a number of digits only. */
  plain: number | undefined
  /** Value of the digits after a code: 187 of SWSH187. */
  coded: number | undefined
}

/** Parses a number once that is compared with many. */
export function parseNumber(number: string): ParsedNumber {
  const spellings = numberSpellings(number)
  const bare = ownPart(number)
  const own = bare ?? number
  const [, digits] = /^\p{L}+-?(\d+)$/u.exec(own) ?? []
  const full = spellings.map(numberKey)
  const haveTotals = spellings.some((one) => ownPart(one) !== undefined)
  return {
    full,
    own: haveTotals ? spellings.map((one) => numberKey(ownPart(one) ?? one)) : full,
    hasTotal: bare !== undefined,
    plain: /^\d+$/.test(own) ? Number(own) : undefined,
    coded: digits === undefined ? undefined : Number(digits),
  }
}

/** Returns the number without its total. That of a few cards is a letter or a symbol: `A/28`, `!/28`. */
function ownPart(form: string): string | undefined {
  return withoutTotal(form) ?? /^(\S)\/\d{1,4}$/u.exec(form)?.[1]
}

/**
 * Returns true if a written number may be a listed one. Leading zeros are ignored. The total after
 * the slash counts only if both have it: "4" matches "004/102", but "4/102" does not match "4/110".
 */
export function isSameNumber(written: string, listed: string): boolean {
  return matchesNumber(parseNumber(written), parseNumber(listed))
}

/** Like `isSameNumber`, for numbers that are compared often. */
export function matchesNumber(written: ParsedNumber, listed: ParsedNumber): boolean {
  const form = written.hasTotal && listed.hasTotal ? 'full' : 'own'
  return written[form].some((key) => listed[form].includes(key))
}

/**
 * Returns true if a written number is a listed one without its code: `187` means SWSH187 in the set of these
 * promos.
 */
export function isNumberWithoutCode(written: string, listed: string): boolean {
  return matchesNumberWithoutCode(parseNumber(written), parseNumber(listed))
}

/** Like `isNumberWithoutCode`, for numbers that are compared often. */
export function matchesNumberWithoutCode(written: ParsedNumber, listed: ParsedNumber): boolean {
  return listed.coded !== undefined && written.plain === listed.coded
}

function withoutTotal(form: string): string | undefined {
  // Not one pattern, which would take the square of a long number's length.
  const [own = '', total = '', ...more] = form.split('/', 3)
  const isNumber = total !== '' && more.length === 0 && /[0-9]/.test(own) && !/\s/.test(own)
  // "SAO/S20-E001" is one number, and its first part is not.
  return isNumber ? own : undefined
}

/** Alternate arts and reprints of numbers with a set code, up to the highest marks in use. */
const CODED_MARKS = ['_p1', '_p2', '_p3', '_p4', '_p5', '_p6', '_p7', '_p8', '_p9', '_r1', '_r2']
const PLAIN_MARKS = ['s', 'p', '★', 's★', '†']

function withMarks(form: string): string[] {
  const marks = /^[A-Z]+[0-9]*-[0-9]+$/.test(form)
    ? CODED_MARKS
    : /^[0-9]+$/.test(form)
      ? PLAIN_MARKS
      : []
  return marks.map((mark) => form + mark)
}

function onePerKey(forms: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const form of forms) {
    const key = numberKey(form)
    if (/[\p{L}\p{N}]/u.test(form) && !byKey.has(key)) byKey.set(key, form)
  }
  return [...byKey.values()]
}

// Shapes of collector numbers: OP01-001 and OP07-080 are both AA00-000. A text whose shape many numbers have, and
// little else on a card, is treated as a number of any game.

/** Returns the shape of a number: A for capitals, a for other letters, 0 for digits. */
export function numberShape(number: string): string {
  return withoutMarks(number)
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{Ll}/gu, 'a')
    .replace(/[0-9]/g, '0')
}

/**
 * Returns true if only numbers have this shape: one word with a capital and two digits. "4/4" and
 * "2000" are power or points on most cards, and numbers in some games.
 */
export function isDistinctiveShape(shape: string): boolean {
  return /^(?=.*A)(?=.*0.*0)[A0][A0a/.-]{3,14}[A0a]$/.test(shape)
}

/** Minimum number of cards with a shape; a rarer shape is an error in the data. */
export const SHAPE_CARDS_MIN = 20
