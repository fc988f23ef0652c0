// How well the letters along a photo's lines fit what a card of the catalog prints: a measure of what
// was not read surely enough to be told, good for putting candidates in order.

import { printedNames } from '../catalog/names.ts'
import { withoutMarks } from '../catalog/number-forms.ts'
import type { CandidateCard } from './candidate-card.ts'
import { lineFit, substringFit } from './ctc.ts'
import type { CtcOutput, PrintedLine } from './text-line.ts'

/** 0 to 1 for the best line; undefined where the photo has no such line, or the card no such text. */
export type TextFit = { number: number | undefined; name: number | undefined }

export type TextFitter = (card: Pick<CandidateCard, 'name' | 'number'>) => TextFit

/**
 * What is read once of a photo, for all the cards that its lines are held against. Few texts come as
 * far as being weighed letter by letter: 300 cards take some 5 ms.
 */
export function createTextFitter(lines: readonly PrintedLine[]): TextFitter {
  const nameFit = remembered(fitAmong(titleLines(lines), lineFit))
  const numberFit = remembered(fitAmong(numberLines(lines), substringFit))
  return ({ name, number }) => ({
    name: most(printedNames(name).map(nameFit)),
    number: most(printedForms(number).map(numberFit)),
  })
}

type Fit = (text: string) => number | undefined

/** Cards share names, and numbers. */
function remembered(fit: Fit): Fit {
  const known = new Map<string, number | undefined>()
  return (text) => {
    if (!known.has(text)) known.set(text, fit(text))
    return known.get(text)
  }
}

function most(fits: readonly (number | undefined)[]): number | undefined {
  const known = fits.filter((fit) => fit !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

/** The fit of a text to the best of some lines; undefined where there is no line. */
function fitAmong(
  lines: readonly PrintedLine[],
  fit: (line: CtcOutput, text: string) => number,
): Fit {
  const read = lines.map(({ text, ctc }) => ({
    letters: ctc,
    pairs: pairsOf(text),
    isCapital: text === text.toUpperCase(),
  }))
  return (text) => {
    const fits = read.map(({ letters, pairs, isCapital }) => {
      // Cards print their names in capitals, too.
      const printed = isCapital ? text.toUpperCase() : text
      return couldBe(pairs, printed) ? fit(letters, printed) : 0
    })
    return most(fits)
  }
}

/** Of letters beside each other, whatever their case. */
function pairsOf(text: string): Set<string> {
  const plain = text.toLowerCase()
  return new Set(Array.from({ length: plain.length }, (_, at) => plain.slice(at, at + 2)))
}

/** What shares fewer pairs of letters with a line than this fits it nowhere, and takes time. */
const PAIRS_SHARED_MIN = 0.3

function couldBe(read: ReadonlySet<string>, text: string): boolean {
  const pairs = pairsOf(text)
  return pairs.intersection(read).size >= PAIRS_SHARED_MIN * pairs.size
}

/** How many lines are taken for a title, and for a number: each takes time for every card. */
const LINES_MAX = 3

/** What looks like a name, else the largest letters. */
export function titleLines(lines: readonly PrintedLine[]): PrintedLine[] {
  const isTitle = ({ kind, text, script }: PrintedLine) =>
    kind !== 'number' && script === 'latin' && /\p{L}{2}/u.test(text)
  return lines
    .filter(isTitle)
    .toSorted(
      (one, other) =>
        Number(other.kind === 'name') - Number(one.kind === 'name') ||
        other.heightPx - one.heightPx,
    )
    .slice(0, LINES_MAX)
}

/** What looks like a number, else the lowest lines with digits. */
function numberLines(lines: readonly PrintedLine[]): PrintedLine[] {
  const isNumber = ({ kind, text }: PrintedLine) => kind !== 'name' && /[0-9]/.test(text)
  return lines
    .filter(isNumber)
    .toSorted(
      (one, other) =>
        Number(other.kind === 'number') - Number(one.kind === 'number') ||
        other.box.bottom - one.box.bottom,
    )
    .slice(0, LINES_MAX)
}

/** Fewer characters fit somewhere in any line. */
const NUMBER_LENGTH_MIN = 3

/** As the catalog lists it, and with the leading zeros that cards print or leave out. */
function printedForms(listed: string | null): string[] {
  const number = withoutMarks(listed ?? '')
  const short = number.replace(/\b0+(?=[0-9])/g, '')
  const long = number.replace(/^[0-9]+/, (digits) => digits.padStart(3, '0'))
  const longer = number.replace(/^[0-9]+/, (digits) => digits.padStart(4, '0'))
  return [...new Set([number, short, long, longer])].filter(
    (form) => form.length >= NUMBER_LENGTH_MIN,
  )
}
