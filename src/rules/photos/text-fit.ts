// Measures how well the lines of a photo fit the text of a catalog card. Uses class probabilities, so it also ranks
// candidates by lines that were not read with confidence.

import { printedNames } from '../catalog/names.ts'
import { withoutMarks } from '../catalog/number-forms.ts'
import type { CandidateCard } from './candidate-card.ts'
import { createLineScorer, type LineScorer } from './ctc.ts'
import { HEAD_BOTTOM, isAtEdge, isOnLabel, type LineKind, type PrintedLine } from './text-line.ts'

/** Fit of the best line, 0 to 1; undefined if the photo has no such line, or the card no such text. */
export type TextFit = {
  number: number | undefined
  name: number | undefined
  /** Fit of the set's code. */
  set?: number | undefined
}

export type TextFitter = (card: Pick<CandidateCard, 'name' | 'number' | 'set'>) => TextFit

/**
 * Prepares the lines of a photo for the comparison with many cards. A prefilter skips most texts before they are
 * scored letter by letter: 300 cards take about 5 ms.
 */
export function createTextFitter(lines: readonly PrintedLine[]): TextFitter {
  const nameFit = memoize(bestFit(titleLines(lines), fitToTitle))
  const numberFit = memoize(bestFit(numberLines(lines), fitToPart))
  const labelFit = memoize(bestFit(labelLines(lines, /#/), fitToPart))
  const codeFit = memoize(bestFit(codeLines(lines), fitToPart))
  return ({ name, number, set }) => ({
    name: most(printedNames(name).map(nameFit)),
    number: most([...printedForms(number).map(numberFit), ...labelForms(number).map(labelFit)]),
    set: isPrintedCode(set.code) ? codeFit(set.code) : undefined,
  })
}

type Fit = (text: string) => number | undefined

/** Many cards share a name or a number. */
function memoize(fit: Fit): Fit {
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

type ReadLine = { scorer: LineScorer; length: number; isOnLabel: boolean }

const fitToPart = ({ scorer }: ReadLine, text: string) => scorer.substringFit(text)

/**
 * Factor for a name beside symbols of a cost or hit points, which are often read at an end of a title. It is below 1,
 * so that "Charizard ex" does not equally show Charizard.
 */
const BESIDE_SYMBOLS = { fit: 0.8, shareMin: 0.7 }

/** Returns the fit of a name to a title, with or without other characters at its ends, or to words on a label. */
function fitToTitle({ scorer, length, isOnLabel }: ReadLine, name: string): number {
  const whole = scorer.lineFit(name)
  const shareMin = isOnLabel ? 0 : BESIDE_SYMBOLS.shareMin
  if (name.length >= length || name.length < shareMin * length) return whole
  return Math.max(whole, BESIDE_SYMBOLS.fit * scorer.substringFit(name))
}

/** Returns the fit of a text to the best line; undefined if there are no lines. */
function bestFit(
  lines: readonly PrintedLine[],
  measure: (line: ReadLine, text: string) => number,
): Fit {
  const read = lines.map(({ text, ctc, box }) => ({
    scorer: createLineScorer(ctc),
    length: text.length,
    isOnLabel: isOnLabel({ box }),
    pairs: letterPairs(text),
    isCapital: text === text.toUpperCase(),
  }))
  return (text) => {
    const fits = read.map((line) => {
      // Some cards print their name in capitals.
      const printed = line.isCapital ? text.toUpperCase() : text
      return isSimilar(line.pairs, printed) ? measure(line, printed) : 0
    })
    return most(fits)
  }
}

/** Returns all pairs of adjacent characters, in lower case. */
function letterPairs(text: string): Set<string> {
  const plain = text.toLowerCase()
  return new Set(Array.from({ length: plain.length }, (_, at) => plain.slice(at, at + 2)))
}

/** Minimum share of common pairs. A text with fewer does not fit the line and is not scored. */
const PAIRS_SHARED_MIN = 0.3
/** Maximum length of texts in which one wrong letter changes most pairs. */
const SHORT_LENGTH_MAX = 3

function isSimilar(read: ReadonlySet<string>, text: string): boolean {
  if (text.length <= SHORT_LENGTH_MAX) return true
  const pairs = letterPairs(text)
  return pairs.intersection(read).size >= PAIRS_SHARED_MIN * pairs.size
}

/** Number of lines compared with names, and with numbers. Each is scored for every card. */
const LINES_MAX = 3

/**
 * Returns the lines that look like names, then those with the largest letters, then those of the label. A line
 * without digits in the header is not a number.
 */
export function titleLines(lines: readonly PrintedLine[]): PrintedLine[] {
  const isTitle = ({ kind, text, script, box }: PrintedLine) =>
    (kind !== 'number' || (box.bottom <= HEAD_BOTTOM && !/[0-9]/.test(text))) &&
    script === 'latin' &&
    /\p{L}{2}/u.test(text) &&
    !isMostlyDigits(text)
  const onCard = lines.filter((line) => !isOnLabel(line) && isTitle(line))
  const likely = likeliest(onCard, 'name', ({ heightPx }) => heightPx)
  return [...likely, ...labelLines(lines, /\p{L}{3}/u)]
}

/** Returns true if a text is a number or a code rather than a name, whatever the kind of its line. */
function isMostlyDigits(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return count(/[0-9]/g) >= count(/\p{L}/gu)
}

/** Returns the lines that look like numbers, then the lowest lines with digits, then those of the label. */
export function numberLines(lines: readonly PrintedLine[]): PrintedLine[] {
  const isNumber = ({ kind, text }: PrintedLine) =>
    /[0-9]/.test(text) && (kind !== 'name' || isMostlyDigits(text))
  const onCard = lines.filter((line) => !isOnLabel(line) && isNumber(line))
  const likely = likeliest(onCard, 'number', ({ box }) => box.bottom)
  return [...likely, ...labelLines(lines, /[0-9]/)]
}

/** Number of compared lines of a slab's label, which contains name and number beside game, grade and grader. */
const LABEL_LINES_MAX = 6

function labelLines(lines: readonly PrintedLine[], contents: RegExp): PrintedLine[] {
  const isMeant = (line: PrintedLine) =>
    isOnLabel(line) && line.script === 'latin' && contents.test(line.text)
  return lines.filter(isMeant).slice(0, LABEL_LINES_MAX)
}

/** Returns the lines of the footer that look like collector lines, then the lowest ones. */
function codeLines(lines: readonly PrintedLine[]): PrintedLine[] {
  const isFooter = (line: PrintedLine) => line.kind === 'number' && isAtEdge(line)
  return likeliest(lines.filter(isFooter), 'number', ({ box }) => box.bottom)
}

/** Returns true if cards may show the code. Codes of two letters also occur in other text. */
function isPrintedCode(code: string | null): code is string {
  return code !== null && /^(?=.*[A-Z])[A-Z0-9]{3,5}$/.test(code)
}

/** Returns the lines of this kind first, then those with the largest measure. */
function likeliest(
  lines: readonly PrintedLine[],
  kind: LineKind,
  measure: (line: PrintedLine) => number,
): PrintedLine[] {
  const isOf = (line: PrintedLine) => Number(line.kind === kind)
  return lines
    .toSorted((one, other) => isOf(other) - isOf(one) || measure(other) - measure(one))
    .slice(0, LINES_MAX)
}

/** Returns the number in the format of labels, without its total: "#4" for 004/102. */
function labelForms(listed: string | null): string[] {
  const [number = ''] = withoutMarks(listed ?? '').split('/')
  const short = number.replace(/^0+(?=[0-9])/, '')
  return short === '' ? [] : [`#${short}`]
}

/** Shorter numbers fit somewhere in any line. */
export const NUMBER_LENGTH_MIN = 3

/** Returns a number as listed, and with and without leading zeros. */
function printedForms(listed: string | null): string[] {
  const number = withoutMarks(listed ?? '')
  const short = number.replace(/\b0+(?=[0-9])/g, '')
  const long = number.replace(/^[0-9]+/, (digits) => digits.padStart(3, '0'))
  const longer = number.replace(/^[0-9]+/, (digits) => digits.padStart(4, '0'))
  return [...new Set([number, short, long, longer])].filter(
    (form) => form.length >= NUMBER_LENGTH_MIN,
  )
}
