// Splits a line at its wide gaps. The columns of a label, or a name and the cost beside it, may be found as one line.
import { readLetters } from './ctc.ts'
import type { PrintedLine } from './text-line.ts'

/** Minimum gap between two columns, in steps and in distances between the letters of the line. */
const GAP_STEPS_MIN = 5
const GAP_LETTERS_MIN = 2.5

/** Splits a line at its wide gaps. */
export function splitColumns({ text, ctc }: Pick<PrintedLine, 'text' | 'ctc'>): string[] {
  const letters = readLetters(ctc).filter(({ letter }) => letter !== ' ')
  const gaps = letters.slice(1).map(({ first }, index) => first - (letters[index]?.last ?? 0))
  const median = gaps.toSorted((one, other) => one - other)[gaps.length >> 1] ?? 0
  const least = Math.max(GAP_STEPS_MIN, GAP_LETTERS_MIN * median)
  let inked = -1
  const marked = [...text].map((letter) => {
    if (letter === ' ') return letter
    inked++
    return inked > 0 && (gaps[inked - 1] ?? 0) >= least ? `\t${letter}` : letter
  })
  return marked
    .join('')
    .split('\t')
    .map((column) => column.trim())
    .filter(Boolean)
}
