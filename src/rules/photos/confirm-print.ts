// Uses the catalog to confirm a number that was read with less certainty. A misread text is hardly ever the number of
// another card with the name that was read.
import { numberKey } from '../catalog/names.ts'
import { withoutMarks } from '../catalog/number-forms.ts'
import type { CandidateCard } from './candidate-card.ts'
import { readLetters } from './ctc.ts'
import type { PhotoReading, PrintReading } from './photo-reading.ts'
import type { ReadingLimits } from './read-fields.ts'
import { isNameRead } from './score-candidates.ts'
import { spanConfidence } from './span-confidence.ts'
import { createTextFitter, NUMBER_LENGTH_MIN, type TextFit } from './text-fit.ts'
import { isAtFoot, type PrintedLine } from './text-line.ts'
import { isNameBegun, matchText } from './text-match.ts'
import { THRESHOLDS } from './thresholds.ts'

/** Limits of the fields that the catalog may confirm. */
export const LIKELY_LIMITS: ReadingLimits = {
  ...THRESHOLDS.reading,
  numberMin: THRESHOLDS.reading.numberLikelyMin,
}

/**
 * Returns the fields of a photo, including its likely number if a card has exactly this number and the name that was
 * read, and its letters fit no other number of the name.
 *
 * @param likely the fields at LIKELY_LIMITS
 */
export function confirmPrint(
  { print, lines }: Pick<PhotoReading, 'print' | 'lines'>,
  likely: PrintReading,
  cards: readonly CandidateCard[],
): PrintReading {
  if (print.readable.number) return print
  const fitCard = createTextFitter(lines)
  // Cards with another number do not match, so the name is compared alone.
  const named = cards.flatMap((card) => {
    const fit = fitCard(card)
    const match = matchText(print, card)
    const isPartRead = print.readable.name && isNameBegun(print.name, card.name)
    return match !== undefined && (isPartRead || isNameRead({ match, fit })) ? [{ card, fit }] : []
  })
  // A number that the catalog lacks, such as that of a new reprint, is not one that looks like it.
  if (likely.readable.number) return confirmNumber(print, likely.number, named, lines) ?? print
  return spellNumber(print, named, lines) ?? print
}

/** Returns the fields with the likely number, if the catalog confirms it. */
function confirmNumber(
  print: PrintReading,
  number: string,
  named: readonly Fitted[],
  lines: PhotoReading['lines'],
): PrintReading | undefined {
  const withNumber = addNumber(print, number)
  const own = named.filter(({ card }) => {
    const match = matchText(withNumber, card)?.number
    return match === 'exact' || (match === 'partial' && number.includes('/'))
  })
  const complete = withTotal(number, lines)
  const others = named.filter((one) => !own.includes(one)).map(complete)
  const [printed = ''] = number.split('/')
  const isShort = ({ card }: Fitted) =>
    Math.max(printed.length, withoutMarks(card.number ?? '').length) < NUMBER_LENGTH_MIN
  const isConfirmed = own.some((one) =>
    isShort(one)
      ? others.length === 0 || isSure(lines, number)
      : others.every((other) => isLikelier(complete(one), other)),
  )
  return isConfirmed ? withNumber : undefined
}

/** Returns a function that compares a card without a total as if it had the one that was read: catalogs omit totals. */
function withTotal(printed: string, lines: PhotoReading['lines']): (one: Fitted) => Fitted {
  const [, total] = printed.split('/')
  const fitCard = createTextFitter(lines)
  return (one) => {
    const number = withoutMarks(one.card.number ?? '')
    if (total === undefined || !/^[0-9]+$/.test(number)) return one
    const card = { ...one.card, number: `${number}/${total}` }
    return { card, fit: fitCard(card) }
  }
}

function addNumber(print: PrintReading, number: string): PrintReading {
  return { ...print, number, readable: { ...print.readable, number: true } }
}

/**
 * Minimum fit of a number that was not read as such, the mean factor per letter against the letters that were read; and
 * of one with at least six, whose stroke is often missing.
 */
const SPELLED_MIN = { short: 0.8, long: 0.6, length: 6 }

/**
 * Returns the fields with the number of the only card of the name whose letters fit a line where numbers stand. Symbols
 * beside a number, and letters that look like digits, hide it from the formats of numbers.
 */
function spellNumber(
  print: PrintReading,
  named: readonly Fitted[],
  lines: PhotoReading['lines'],
): PrintReading | undefined {
  if (!print.readable.name) return undefined
  const places = lines.filter(isCollectorPlace)
  const fitNumber = createTextFitter(places)
  const fitDigits = createTextFitter(places.map(withoutTotals))
  const numberOf = ({ card }: Pick<Fitted, 'card'>) => withoutMarks(card.number ?? '')
  const fitted = named.map(({ card }) => {
    const isDigits = /^[0-9]+$/.test(numberOf({ card }))
    return { card, fit: isDigits ? fitDigits(card) : fitNumber(card) }
  })
  const isRival = (one: Fitted, other: Fitted) =>
    numberKey(numberOf(one)) !== numberKey(numberOf(other)) && !isLikelier(one, other)
  const own = fitted.find(
    (one) =>
      isSpellable(numberOf(one)) &&
      (one.fit.number ?? 0) >= spelledMin(numberOf(one)) &&
      !fitted.some((other) => isRival(one, other)),
  )
  return own && addNumber(print, numberOf(own))
}

function spelledMin({ length }: string): number {
  return length >= SPELLED_MIN.length ? SPELLED_MIN.long : SPELLED_MIN.short
}

/** Returns true if a number is long enough for its letters, and no year. */
function isSpellable(number: string): boolean {
  return number.length >= NUMBER_LENGTH_MIN && !/^(?:19|20)[0-9]{2}$/.test(number)
}

/** Returns true if a line has the kind of a collector line, or its place. Elsewhere, digits are damage or power. */
function isCollectorPlace(line: PrintedLine): boolean {
  return line.kind === 'number' || isAtFoot(line)
}

/** The total behind a number, whose stroke may be read as a letter: in "46/274", 274 is not the number. */
const TOTAL = /(?<=\/)\s*[\p{L}\p{N}]+|(?<=[|\\Il])[0-9][\p{L}\p{N}]*/gu

/** Returns a line in which totals are blank. */
function withoutTotals(line: PrintedLine): PrintedLine {
  const letters = readLetters(line.ctc)
  const text = letters.map(({ letter }) => letter).join('')
  const classes = line.ctc.alphabet.length
  const logProbabilities = line.ctc.logProbabilities.slice()
  for (const { index, 0: total } of text.matchAll(TOTAL)) {
    const first = letters[index]?.first ?? 0
    const last = letters[index + total.length - 1]?.last ?? first
    for (let step = first; step <= last; step++) {
      logProbabilities.fill(Number.NEGATIVE_INFINITY, step * classes, (step + 1) * classes)
      // The first class is the blank.
      logProbabilities[step * classes] = 0
    }
  }
  return { ...line, text: text.replace(TOTAL, ''), ctc: { ...line.ctc, logProbabilities } }
}

/** Minimum confidence of a number of one or two digits, whose fit says nothing unless it is listed with a total. */
const SHORT_NUMBER_MIN = 0.9

function isSure(lines: PhotoReading['lines'], number: string): boolean {
  return lines.some(({ ctc }) => spanConfidence(ctc, number) >= SHORT_NUMBER_MIN)
}

/** Minimum odds of a number against that of another card of the same name. */
const ODDS_MIN = 100

type Fitted = { card: CandidateCard; fit: TextFit }

/** Returns true if the letters fit the number of one card clearly better than that of another. */
function isLikelier(
  { card, fit: { number: own } }: Fitted,
  { card: rival, fit: { number: other } }: Fitted,
): boolean {
  // Neither a missing number nor one that resembles no line is a rival.
  if (other === undefined || other === 0) return true
  const lengthOf = ({ number }: CandidateCard) => withoutMarks(number ?? '').length
  const [length, otherLength] = [lengthOf(card), lengthOf(rival)]
  // A fit is the mean factor per letter. Longer numbers fit by chance less often.
  const chance = BY_CHANCE ** Math.max(0, length - otherLength)
  return own !== undefined && chance * (own / other) ** length >= ODDS_MIN
}

/** Odds against one more letter that fits by chance. */
const BY_CHANCE = 10
