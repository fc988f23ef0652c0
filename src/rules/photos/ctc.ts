// Scores texts against the output of the recognizer (CTC). A path assigns a class to each step; it spells
// a text once repeated classes are merged and blanks are removed.
import type { CtcOutput } from './text-line.ts'

const BLANK = 0
const IMPOSSIBLE = Number.NEGATIVE_INFINITY

export type LineScorer = {
  /**
   * Returns the natural logarithm of the probability of the text, summed over all paths that spell it.
   * -Infinity if no path exists, for example because the recognizer lacks one of the letters.
   */
  logLikelihood(text: string): number
  /**
   * Returns how well a text explains the line, relative to the greedy reading: the mean factor per
   * character, 0 to 1. 1 if the text is at least as likely as the greedy reading.
   */
  lineFit(text: string): number
  /**
   * Returns how well a text explains some words of the line, whatever precedes and follows them: the
   * mean factor per character on the best path, 0 to 1.
   */
  substringFit(text: string): number
}

/** Scores many texts against one line. Buffers and derived values are created once per line. */
export function createLineScorer(ctc: CtcOutput): LineScorer {
  const { alphabet, logProbabilities: logs } = ctc
  const classes = alphabet.length
  const steps = countSteps(ctc)
  const classOf = new Map(alphabet.slice(1).map((letter, index) => [letter, index + 1]))
  let greedy: { length: number; likelihood: number } | undefined
  let words: WordBoundaries | undefined
  // The states of the current text: its letters, with a blank before, between and after them.
  let states = new Int32Array(129)
  /** 1 if a state may directly follow the letter before the preceding blank, which requires a different letter. */
  let skips = new Uint8Array(129)
  /** For each state, the logarithm of the summed probabilities of all paths that end in it. */
  let sums = new Float64Array(129)

  /** Sets the states of a text. Returns their number, or 0 if a letter is unknown. */
  function setStates(text: string): number {
    const countMax = 2 * text.length + 1
    if (countMax > states.length) {
      states = new Int32Array(2 * countMax)
      skips = new Uint8Array(2 * countMax)
      sums = new Float64Array(2 * countMax)
    }
    states[0] = BLANK
    skips[0] = 0
    let count = 1
    let before = BLANK
    for (const letter of text) {
      const known = classOf.get(letter)
      if (known === undefined) return 0
      states[count] = known
      skips[count] = before !== BLANK && known !== before ? 1 : 0
      states[count + 1] = BLANK
      skips[count + 1] = 0
      before = known
      count += 2
    }
    sums.fill(IMPOSSIBLE, 0, count)
    return count
  }

  /** Sums all paths, from the last state to the first, so that each state reads the sums of the previous step. */
  function advance(offset: number, first: number, last: number): void {
    for (let state = last; state >= first; state--) {
      const stay = sums[state] ?? IMPOSSIBLE
      const next = state > 0 ? (sums[state - 1] ?? IMPOSSIBLE) : IMPOSSIBLE
      const skip = skips[state] === 1 ? (sums[state - 2] ?? IMPOSSIBLE) : IMPOSSIBLE
      sums[state] =
        logSum(logSum(stay, next), skip) + (logs[offset + (states[state] ?? BLANK)] ?? IMPOSSIBLE)
    }
  }

  /** Like `advance`, but keeps only the best path, relative to the best class of the step. */
  function advanceBest(offset: number, count: number, best: number): void {
    for (let state = count - 1; state >= 0; state--) {
      const stay = sums[state] ?? IMPOSSIBLE
      const next = state > 0 ? (sums[state - 1] ?? IMPOSSIBLE) : IMPOSSIBLE
      const skip = skips[state] === 1 ? (sums[state - 2] ?? IMPOSSIBLE) : IMPOSSIBLE
      const own = logs[offset + (states[state] ?? BLANK)] ?? IMPOSSIBLE
      sums[state] = Math.max(stay, next, skip) + own - best
    }
  }

  function logLikelihood(text: string): number {
    const count = setStates(text)
    if (count === 0) return IMPOSSIBLE
    if (steps === 0) return text === '' ? 0 : IMPOSSIBLE
    // As if a blank preceded: the first step is a blank or the first letter.
    sums[0] = 0
    for (let step = 0; step < steps; step++) {
      // Skips states that cannot be reached yet, and states from which the end can no longer be reached.
      const last = Math.min(count - 1, 2 * step + 1)
      const first = Math.max(0, count - 2 * (steps - step))
      advance(step * classes, first, last)
    }
    const end = sums[count - 1] ?? IMPOSSIBLE
    return count === 1 ? end : logSum(end, sums[count - 2] ?? IMPOSSIBLE)
  }

  function greedyReading() {
    const text = decodeGreedily(ctc)
    return { length: text.length, likelihood: logLikelihood(text) }
  }

  return {
    logLikelihood,
    lineFit(text) {
      greedy ??= greedyReading()
      const loss = logLikelihood(text) - greedy.likelihood
      return Math.min(1, Math.exp(loss / Math.max(1, text.length, greedy.length)))
    },
    substringFit(text) {
      const count = setStates(text)
      if (count < 2) return 0
      words ??= wordBoundaries(ctc)
      const { best, opens, opensDigits, closes } = words
      const mayOpen = /^[0-9]/.test(text) ? opensDigits : opens
      let most = IMPOSSIBLE
      for (let step = 0; step < best.length; step++) {
        if (mayOpen[step] === 1) sums[0] = 0
        advanceBest(step * classes, count, best[step] ?? 0)
        const end = Math.max(sums[count - 1] ?? IMPOSSIBLE, sums[count - 2] ?? IMPOSSIBLE)
        if (closes[step] === 1 && end > most) most = end
      }
      return Math.exp(most / text.length)
    },
  }
}

/** Returns the logarithm of a sum, from the logarithms of its two terms. */
function logSum(one: number, other: number): number {
  const most = Math.max(one, other)
  const gap = Math.abs(one - other) * GAP_PARTS
  // Also true if both are -Infinity, because their gap is NaN.
  if (!(gap < GAPS_MAX)) return most
  const below = gap | 0
  const from = gains[below] ?? 0
  return most + from + (gap - below) * ((gains[below + 1] ?? 0) - from)
}

// The contribution of the smaller term, by the gap between the logarithms. A table with linear
// interpolation is exact to 5e-7 and three times as fast as the formula.
const GAP_PARTS = 256
const GAPS_MAX = 20 * GAP_PARTS
const gains = Float64Array.from({ length: GAPS_MAX + 1 }, (_, row) =>
  Math.log1p(Math.exp(-row / GAP_PARTS)),
)

/** For each step: the logarithm of its best class, and 1 if a word or a number may begin or end there. */
type WordBoundaries = {
  best: Float64Array
  opens: Uint8Array
  /** Also after a single letter, because the rarity before the number, as in "M 0194", is often close to it. */
  opensDigits: Uint8Array
  closes: Uint8Array
}

function wordBoundaries(ctc: CtcOutput): WordBoundaries {
  const { alphabet, logProbabilities } = ctc
  const classes = Array.from({ length: countSteps(ctc) }, (_, step) =>
    bestClass(ctc, step * alphabet.length),
  )
  return {
    best: Float64Array.from(
      classes,
      (best, step) => logProbabilities[step * alphabet.length + best] ?? IMPOSSIBLE,
    ),
    opens: followsWord(classes, alphabet, NO_WORD),
    opensDigits: followsWord(classes, alphabet, NO_WORD_OR_LETTER),
    closes: followsWord(classes.toReversed(), alphabet, NO_WORD).reverse(),
  }
}

/** Returns 1 for each step that follows the current word. Ignores blanks. */
function followsWord(
  classes: readonly number[],
  alphabet: readonly string[],
  pattern: RegExp,
): Uint8Array {
  let word = ''
  let last = BLANK
  return Uint8Array.from(classes, (of) => {
    const follows = pattern.test(word)
    const letter = alphabet[of] ?? ''
    if (of !== BLANK && of !== last) word = WORD.test(letter) ? word + letter : ''
    last = of
    return follows ? 1 : 0
  })
}

const WORD = /[\p{L}\p{N}]/u
const NO_WORD = /^$/
const NO_WORD_OR_LETTER = /^\p{L}?$/u

/** Returns the number of steps along a line. */
export function countSteps({ alphabet, logProbabilities }: CtcOutput): number {
  return Math.floor(logProbabilities.length / alphabet.length)
}

function bestClass({ alphabet, logProbabilities }: CtcOutput, offset: number): number {
  let best = BLANK
  for (let one = 1; one < alphabet.length; one++) {
    const log = logProbabilities[offset + one] ?? IMPOSSIBLE
    if (log > (logProbabilities[offset + best] ?? IMPOSSIBLE)) best = one
  }
  return best
}

/** A letter of the greedy reading, with its first and last step. */
export type ReadLetter = { letter: string; first: number; last: number }

/** Returns the letters that the best class of each step spells. */
export function readLetters(ctc: CtcOutput): ReadLetter[] {
  const { alphabet, logProbabilities } = ctc
  const classes = alphabet.length
  const letters: ReadLetter[] = []
  let before = BLANK
  for (let step = 0; (step + 1) * classes <= logProbabilities.length; step++) {
    const best = bestClass(ctc, step * classes)
    const current = letters.at(-1)
    if (best !== BLANK && best === before && current !== undefined) current.last = step
    else if (best !== BLANK) letters.push({ letter: alphabet[best] ?? '', first: step, last: step })
    before = best
  }
  return letters
}

/** Returns the text that the best class of each step spells. */
export function decodeGreedily(ctc: CtcOutput): string {
  return readLetters(ctc)
    .map(({ letter }) => letter)
    .join('')
}
