// Collector numbers as apps and spreadsheets leave them in a table: 149.0, 4-Feb, M11-149, 96a.
import {
  matchesNumber,
  matchesNumberWithoutCode,
  type ParsedNumber,
  parseNumber,
  withoutMarks,
} from '../catalog/number-forms.ts'
import { meaningOfMark } from './variants.ts'

/** A number of a row in the forms in which it is compared with those of cards. */
export type RowNumber = {
  written: ParsedNumber
  /** Numbers that it means in the spelling of another app or a spreadsheet. */
  others: readonly ParsedNumber[]
  /** The number without a letter behind it, which may distinguish another card. */
  unlettered: ParsedNumber | undefined
  /** Value of its first digits. */
  value: number | undefined
  /** Variant that its mark means: `parallel` for `BT1-010_P1`. */
  variant: string | undefined
}

/** @returns undefined if the cell has neither letters, digits nor symbols that cards have as numbers */
export function parseRowNumber(cell: string): RowNumber | undefined {
  const written = withoutFrame(cell.slice(0, LENGTH_MAX))
  if (!/[\p{L}\p{N}!?]/u.test(written)) return undefined
  return {
    written: parseNumber(written),
    others: listOthers(written).map(parseNumber),
    unlettered: /\d[a-f]$/i.test(written) ? parseNumber(written.slice(0, -1)) : undefined,
    value: firstValue(written),
    variant: meaningOfMark(written),
  }
}

/** The longest number of a card has 20 characters. */
const LENGTH_MAX = 40

/** Removes the frame of a text cell (`="149"`), `#`, and the decimals of a spreadsheet. */
function withoutFrame(cell: string): string {
  return cell
    .trim()
    .replace(/^=?"*(.*?)"*$/, '$1')
    .replace(/^#\s*/, '')
    .replace(/^(\d+)\.0+$/, '$1')
    .replace(/^(\w+) ?(?:\/|\bof\b) ?(\w+)$/i, '$1/$2')
    .trim()
}

function listOthers(written: string): string[] {
  const day = DAYS.map((pattern) => pattern.exec(written)?.groups).find(
    (found) => found !== undefined,
  )
  // A spreadsheet takes 4/102 for April 2002, and 4/2 for a day.
  if (day !== undefined) {
    const month = MONTHS.indexOf((day.month ?? '').toLowerCase()) + 1
    const other = Number(day.other)
    return [`${month}`, `${other}`, `${month}/${other}`, `${other}/${month}`]
  }
  const [, coded] = CODES.map((pattern) => pattern.exec(written)).find((found) => found) ?? []
  const [, own, total] = /^(\d+)-(\d+)$/.exec(written) ?? []
  const [, afterCode] = /^\p{L}[\p{L}\p{N}]{0,4}[-\s](.+)$/u.exec(written) ?? []
  const bare = withoutMarks(written)
  return [coded, own && `${own}/${total}`, afterCode, bare === written ? undefined : bare].filter(
    (one) => one !== undefined,
  )
}

/** `SVP027`, `M11-149`: a code with digits ends with a mark. */
const CODES = [/^\p{L}{1,5}(\d.*)$/u, /^\p{L}[\p{L}\p{N}]{0,4}[-\s](\d.*)$/u]

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = `(?<month>${MONTHS.join('|')})[a-z]*`

/** `4-Feb`, `Apr-02`. */
const DAYS = [
  new RegExp(`^(?<other>\\d{1,2})[-./ ]${MONTH}$`, 'i'),
  new RegExp(`^${MONTH}[-./ ](?<other>\\d{1,2})$`, 'i'),
]

/**
 * How well a number fits: not at all, only without a letter or the mark of a variant, in another spelling, as written,
 * also its total.
 */
export type NumberFit = 0 | 1 | 2 | 3 | 4

/** @param unmarked the listed number without the mark of a variant, if it has one */
export function fitNumber(
  { written, others, unlettered }: RowNumber,
  listed: ParsedNumber,
  unmarked?: ParsedNumber,
): NumberFit {
  if (matchesNumber(written, listed)) return written.hasTotal && listed.hasTotal ? 4 : 3
  const isOther =
    matchesNumberWithoutCode(written, listed) || others.some((one) => matchesNumber(one, listed))
  if (isOther) return 2
  const isNear =
    (unlettered !== undefined && matchesNumber(unlettered, listed)) ||
    (unmarked !== undefined && matchesNumber(written, unmarked))
  return isNear ? 1 : 0
}

/** Returns how far a number is from a listed one; Infinity if one of them has no digits. */
export function numberDistance({ value }: Pick<RowNumber, 'value'>, listed: string): number {
  const other = firstValue(listed)
  return value === undefined || other === undefined
    ? Number.POSITIVE_INFINITY
    : Math.abs(value - other)
}

function firstValue(number: string): number | undefined {
  const digits = /\d{1,9}/.exec(number)?.[0]
  return digits === undefined ? undefined : Number(digits)
}
