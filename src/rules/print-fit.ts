// How well the letters along a photo's lines fit what a card of the catalog prints: a measure of what
// was not read surely enough to be told, good for putting candidates in order.
import type { CandidateCard } from './candidate.ts'
import { fitOf, fitWithin } from './ctc.ts'
import { printedNames } from './names.ts'
import { withoutMarks } from './number-forms.ts'
import type { Letters, PrintedLine } from './printed-line.ts'

/** 0 to 1 for the best line; undefined where the photo has no such line, or the card no such text. */
export type PrintFit = { number: number | undefined; name: number | undefined }

export type PrintFits = (card: Pick<CandidateCard, 'name' | 'number'>) => PrintFit

/** What is read once of a photo, for all the cards that its lines are held against. */
export function printFitsOf(lines: readonly PrintedLine[]): PrintFits {
  const titles = titleLines(lines)
  const numbers = numberLines(lines)
  return ({ name, number }) => ({
    number: best(numbers, printedForms(number), fitWithin),
    name: best(titles, titlesOf(name), fitOf),
  })
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

function best(
  lines: readonly PrintedLine[],
  texts: readonly string[],
  fit: (line: Letters, text: string) => number,
): number | undefined {
  if (lines.length === 0 || texts.length === 0) return undefined
  const fits = lines.flatMap(({ text: read, letters }) =>
    texts.map((text) => (couldBe(read, text) ? fit(letters, text) : 0)),
  )
  return Math.max(...fits)
}

/** At least a third of a text's characters were read; what has fewer fits nowhere, and takes time. */
function couldBe(read: string, text: string): boolean {
  const letters = new Set(read.toLowerCase())
  const known = [...text.toLowerCase()].filter((letter) => letters.has(letter))
  return known.length * 3 >= text.length
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

/** Cards print their names in capitals, too. */
function titlesOf(name: string): string[] {
  const shown = printedNames(name)
  return [...new Set([...shown, ...shown.map((text) => text.toUpperCase())])]
}
