// Computes the probability of a part of a line. The rest of a line with a number may be hard to read: old cards print
// it behind the copyright, others with a rarity mark beside it.
import { countSteps, createLineScorer, type ReadLetter, readLetters } from './ctc.ts'
import type { CtcOutput } from './text-line.ts'

/**
 * Returns the probability that a line contains exactly this text between its neighbors, 0 to 1. Sums all paths
 * between the preceding and the following word. 0 if the greedy reading does not contain the text, or if the text
 * touches the end of the line, where it may be truncated.
 *
 * @param span characters of the greedy reading; spaces within it may differ
 */
export function spanConfidence(ctc: CtcOutput, span: string): number {
  const letters = readLetters(ctc)
  const place = findSpan(letters, span)
  if (place === undefined) return 0
  const [first, last] = wholeWords(letters, place)
  const text = letters
    .slice(first, last + 1)
    .map(({ letter }) => letter)
    .join('')
  const steps = countSteps(ctc)
  // A letter at the edge of its crop may be followed by others outside.
  if (letters[first]?.first === 0 || letters[last]?.last === steps - 1) return 0
  const start = stepAfter(letters, first)
  const end = stepBefore(letters, last, steps)
  const classes = ctc.alphabet.length
  const { logLikelihood } = createLineScorer({
    alphabet: ctc.alphabet,
    logProbabilities: ctc.logProbabilities.subarray(start * classes, end * classes),
  })
  // Spaces beside the words make no difference; a wide gap may be read as two.
  const spaces = ['', ' ', '  ']
  const forms = spaces.flatMap((before) => spaces.map((after) => before + text + after))
  return Math.min(
    1,
    forms.reduce((sum, form) => sum + Math.exp(logLikelihood(form)), 0),
  )
}

/** First and last index of a span among the letters of a line. */
type Place = readonly [first: number, last: number]

/** Returns the first place of a text; undefined if it does not occur. Ignores spaces on both sides. */
function findSpan(letters: readonly ReadLetter[], span: string): Place | undefined {
  const inked = [...letters.keys()].filter((index) => !isSpace(letters[index]))
  const text = inked.map((index) => letters[index]?.letter ?? '').join('')
  const plain = span.replace(/\s+/g, '')
  const at = text.indexOf(plain)
  const first = inked[at]
  const last = inked[at + plain.length - 1]
  return at < 0 || plain === '' || first === undefined || last === undefined
    ? undefined
    : [first, last]
}

/** Extends a place to the next separators, because a letter that touches a number may be a part of it. */
function wholeWords(letters: readonly ReadLetter[], [first, last]: Place): Place {
  let from = first
  let to = last
  while (from > 0 && !isSeparator(letters[from - 1])) from--
  while (to < letters.length - 1 && !isSeparator(letters[to + 1])) to++
  return [from, to]
}

function isSpace(read: ReadLetter | undefined): boolean {
  return read === undefined || read.letter === ' '
}

function isSeparator(read: ReadLetter | undefined): boolean {
  return read === undefined || /[\s•★☆·|—–]/.test(read.letter)
}

/** Returns the step after the last letter before an index. Skips spaces. */
function stepAfter(letters: readonly ReadLetter[], index: number): number {
  const before = letters.slice(0, index).findLast((read) => !isSpace(read))
  return before === undefined ? 0 : before.last + 1
}

/** Returns the step of the next letter from an index on. Skips spaces. */
function stepBefore(letters: readonly ReadLetter[], index: number, steps: number): number {
  return letters.slice(index + 1).find((read) => !isSpace(read))?.first ?? steps
}
