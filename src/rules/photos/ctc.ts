// How likely a recogniser holds a text to be (CTC): a text is spelled by every path of classes, one a
// step, that is the text once repetitions are merged and blanks are left out.
import type { CtcOutput } from './text-line.ts'

const BLANK = 0
/** The logarithm of no chance. */
const NEVER = Number.NEGATIVE_INFINITY

/**
 * Natural logarithm of the probability of exactly this text, summed over all paths that spell it;
 * -Infinity where no path does, as of letters that the recogniser does not know.
 */
export function logLikelihood({ alphabet, logProbabilities }: CtcOutput, text: string): number {
  const count = statesInto(alphabet, text)
  if (count === 0) return NEVER
  const classes = alphabet.length
  const steps = Math.floor(logProbabilities.length / classes)
  if (steps === 0) return text === '' ? 0 : NEVER
  sums.fill(NEVER, 0, count)
  // As if a blank had come before: the first step begins with a blank or with the first letter.
  sums[0] = 0
  for (let step = 0; step < steps; step++) {
    // States that the steps so far cannot reach, or from which those to come cannot reach the end,
    // are left out. Those below the first are no longer looked at by any that counts.
    const last = Math.min(count - 1, 2 * step + 1)
    const first = Math.max(0, count - 2 * (steps - step))
    advance(logProbabilities, step * classes, first, last)
  }
  const end = sums[count - 1] ?? NEVER
  return count === 1 ? end : logSum(end, sums[count - 2] ?? NEVER)
}

/**
 * How well a text explains a line compared with what is read freely, 0 to 1: the mean factor that
 * each character costs. 1: as likely as the free reading, or more.
 */
export function lineFit(ctcOutput: CtcOutput, text: string): number {
  const free = freely(ctcOutput)
  const loss = logLikelihood(ctcOutput, text) - free.likelihood
  return Math.min(1, Math.exp(loss / Math.max(1, text.length, free.length)))
}

/**
 * How well a text explains some words of a line, whatever stands before and behind them, 0 to 1: the
 * mean factor that each of its characters costs on the best path.
 */
export function substringFit(ctcOutput: CtcOutput, text: string): number {
  const { alphabet, logProbabilities } = ctcOutput
  const count = statesInto(alphabet, text)
  if (count < 2) return 0
  const { most, opens, closes } = wordsIn(ctcOutput)
  const classes = alphabet.length
  sums.fill(NEVER, 0, count)
  let best = NEVER
  for (let step = 0; step < most.length; step++) {
    if (opens[step] === 1) sums[0] = 0
    advanceBest(logProbabilities, step * classes, count, most[step] ?? 0)
    const end = Math.max(sums[count - 1] ?? NEVER, sums[count - 2] ?? NEVER)
    if (closes[step] === 1 && end > best) best = end
  }
  return Math.exp(best / text.length)
}

// The states of the text that is being weighed: its letters, with a blank before, between and behind.
// One text is weighed at a time, so the room for them is made once.
let states = new Int32Array(129)
/** Whether a state may follow the one before the blank in between: another letter does. */
let skips = new Uint8Array(129)
/** Logarithm of the summed probabilities of all paths that end in the state. */
let sums = new Float64Array(129)

/** Sets the states of a text and says how many they are; 0 where a letter is unknown. */
function statesInto(alphabet: readonly string[], text: string): number {
  const classOf = classesOf(alphabet)
  const most = 2 * text.length + 1
  if (most > states.length) {
    states = new Int32Array(2 * most)
    skips = new Uint8Array(2 * most)
    sums = new Float64Array(2 * most)
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
  return count
}

/** From the last state to the first, so that each still finds the sums of the step before. */
function advance(logs: Float32Array, at: number, first: number, last: number): void {
  for (let state = last; state >= first; state--) {
    const stay = sums[state] ?? NEVER
    const next = state > 0 ? (sums[state - 1] ?? NEVER) : NEVER
    const skip = skips[state] === 1 ? (sums[state - 2] ?? NEVER) : NEVER
    sums[state] = logSum(logSum(stay, next), skip) + (logs[at + (states[state] ?? BLANK)] ?? NEVER)
  }
}

/** The best path instead of the sum of all; each step costs what its likeliest class would not. */
function advanceBest(logs: Float32Array, at: number, count: number, most: number): void {
  for (let state = count - 1; state >= 0; state--) {
    const stay = sums[state] ?? NEVER
    const next = state > 0 ? (sums[state - 1] ?? NEVER) : NEVER
    const skip = skips[state] === 1 ? (sums[state - 2] ?? NEVER) : NEVER
    sums[state] = Math.max(stay, next, skip) + (logs[at + (states[state] ?? BLANK)] ?? NEVER) - most
  }
}

/** The logarithm of the sum of two numbers of which these are the logarithms. */
function logSum(one: number, other: number): number {
  const most = Math.max(one, other)
  const gap = Math.abs(one - other) * GAP_PARTS
  // True of two that are impossible, too: they have no gap.
  if (!(gap < GAPS_MAX)) return most
  const below = gap | 0
  const from = gains[below] ?? 0
  return most + from + (gap - below) * ((gains[below + 1] ?? 0) - from)
}

// What the smaller of two adds, by the gap between their logarithms: a table with straight lines
// between its rows is right to 5e-7, and three times as fast as working it out.
const GAP_PARTS = 256
const GAPS_MAX = 20 * GAP_PARTS
const gains = Float64Array.from({ length: GAPS_MAX + 1 }, (_, row) =>
  Math.log1p(Math.exp(-row / GAP_PARTS)),
)

const classesByAlphabet = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

function classesOf(alphabet: readonly string[]): ReadonlyMap<string, number> {
  const known = classesByAlphabet.get(alphabet)
  if (known !== undefined) return known
  const made = new Map(alphabet.slice(1).map((letter, index) => [letter, index + 1]))
  classesByAlphabet.set(alphabet, made)
  return made
}

type FreeReading = { length: number; likelihood: number }

// Many texts are held against one line.
const readFreely = new WeakMap<CtcOutput, FreeReading>()

function freely(ctcOutput: CtcOutput): FreeReading {
  const known = readFreely.get(ctcOutput)
  if (known !== undefined) return known
  const text = decodeGreedily(ctcOutput)
  const made = { length: text.length, likelihood: logLikelihood(ctcOutput, text) }
  readFreely.set(ctcOutput, made)
  return made
}

/** For each step: its likeliest class's logarithm, and whether a word may begin with it or end there. */
type Words = { most: Float64Array; opens: Uint8Array; closes: Uint8Array }

const readWords = new WeakMap<CtcOutput, Words>()

function wordsIn(ctcOutput: CtcOutput): Words {
  const known = readWords.get(ctcOutput)
  if (known !== undefined) return known
  const { alphabet, logProbabilities } = ctcOutput
  const steps = Math.floor(logProbabilities.length / alphabet.length)
  const best = Array.from({ length: steps }, (_, step) => bestAt(ctcOutput, step * alphabet.length))
  const most = Float64Array.from(
    best,
    (of, step) => logProbabilities[step * alphabet.length + of] ?? NEVER,
  )
  const opens = borders(best, alphabet)
  const closes = borders(best.toReversed(), alphabet).reverse()
  const made = { most, opens, closes }
  readWords.set(ctcOutput, made)
  return made
}

/** For each step, whether the last letter before it was none of a word's; blanks are no letters. */
function borders(best: readonly number[], alphabet: readonly string[]): Uint8Array {
  let isBorder = true
  return Uint8Array.from(best, (of) => {
    const before = isBorder
    if (of !== BLANK) isBorder = !WORD.test(alphabet[of] ?? '')
    return before ? 1 : 0
  })
}

const WORD = /[\p{L}\p{N}]/u

function bestAt({ alphabet, logProbabilities }: CtcOutput, at: number): number {
  let best = BLANK
  for (let one = 1; one < alphabet.length; one++) {
    if ((logProbabilities[at + one] ?? NEVER) > (logProbabilities[at + best] ?? NEVER)) best = one
  }
  return best
}

/** What the likeliest class of each step spells. */
export function decodeGreedily(ctcOutput: CtcOutput): string {
  const { alphabet, logProbabilities } = ctcOutput
  const classes = alphabet.length
  let text = ''
  let before = BLANK
  for (let at = 0; at + classes <= logProbabilities.length; at += classes) {
    const best = bestAt(ctcOutput, at)
    if (best !== before) text += alphabet[best] ?? ''
    before = best
  }
  return text
}
