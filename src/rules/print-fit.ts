// How well the letters along a photo's lines fit what a card of the catalog prints: a measure of what
// was not read surely enough to be told, good for putting candidates in order.
import type { CandidateCard } from './candidate.ts'
import { fitOf, fitWithin } from './ctc.ts'
import { printedNames } from './names.ts'
import { withoutMarks } from './number-forms.ts'
import type { Letters, LineKind, PrintedLine } from './printed-line.ts'

/** 0 to 1 for the best line; undefined where the photo has no such line, or the card no such text. */
export type PrintFit = { number: number | undefined; name: number | undefined }

export function printFitOf(
  lines: readonly PrintedLine[],
  { name, number }: Pick<CandidateCard, 'name' | 'number'>,
): PrintFit {
  return {
    number: best(lettersOf(lines, 'number'), printedForms(number), fitWithin),
    name: best(lettersOf(lines, 'name'), titlesOf(name), fitOf),
  }
}

function lettersOf(lines: readonly PrintedLine[], wanted: LineKind): Letters[] {
  return lines.flatMap(({ kind, letters }) =>
    kind === wanted && letters !== undefined ? [letters] : [],
  )
}

function best(
  lines: readonly Letters[],
  texts: readonly string[],
  fit: (line: Letters, text: string) => number,
): number | undefined {
  const fits = lines.flatMap((line) => texts.map((text) => fit(line, text)))
  return fits.length === 0 ? undefined : Math.max(...fits)
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
