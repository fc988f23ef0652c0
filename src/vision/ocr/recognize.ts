// Recognizes lines of text (CTC).
import { createLineScorer, decodeGreedily } from '#rules/photos/ctc.ts'
import { type CtcOutput, type PrintedLine, SCRIPTS, type Script } from '#rules/photos/text-line.ts'
import type { GrayImage } from '../image/gray.ts'
import { type Network, readNameSetting, sigmoid, toInput } from '../runtime/model.ts'

export type LineReading = Pick<PrintedLine, 'text' | 'confidence' | 'legibility' | 'script'> & {
  ctc: CtcOutput
}

/** Gray level of the padding to the right of a line that is shorter than its batch. */
const EMPTY = 128
/** Widths of batches are multiples of this. */
const BATCH_STEP = 32
/** Maximum columns of a batch. More need more memory without being faster. */
const BATCH_COLUMNS_MAX = 960

/** @param lines as returned by `normalizeLine` */
export function recognizeLines(recognizer: Network, lines: readonly GrayImage[]): LineReading[] {
  const alphabet = parseAlphabet(recognizer.setting('alphabet'))
  const scripts = readNameSetting(recognizer, 'scripts', SCRIPTS)
  const readings = new Map<GrayImage, LineReading>()
  for (const { width, batch } of batchesOf(lines)) {
    const size = { width, height: recognizer.input[0] }
    const { text, about } = recognizer.run(toInput(concatenate(batch, width)), size)
    if (text === undefined || about === undefined) {
      throw new Error('The recognizer must have the outputs "text" and "about".')
    }
    const stride = Number(recognizer.setting('stride'))
    for (const [index, line] of batch.entries()) {
      const first = (index * width) / stride
      const end = first + Math.ceil(line.width / stride)
      const part = (map: Float32Array, each: number) => map.subarray(first * each, end * each)
      const logs = logSoftmax(part(text, alphabet.length), alphabet.length)
      readings.set(line, {
        ...readGreedily({ alphabet, logProbabilities: logs }),
        ...classifyLine(part(about, scripts.length + 1), scripts),
        ctc: { alphabet, logProbabilities: logs },
      })
    }
  }
  return lines.flatMap((line) => readings.get(line) ?? [])
}

/** Returns the width of the batch for a line, rounded up. */
export function batchWidth({ width }: GrayImage): number {
  return Math.ceil(width / BATCH_STEP) * BATCH_STEP
}

function batchesOf(lines: readonly GrayImage[]): { width: number; batch: GrayImage[] }[] {
  return [...Map.groupBy(lines, batchWidth)].flatMap(([width, alike]) => {
    const each = Math.max(1, Math.floor(BATCH_COLUMNS_MAX / width))
    const count = Math.ceil(alike.length / each)
    return Array.from({ length: count }, (_, index) => ({
      width,
      batch: alike.slice(index * each, (index + 1) * each),
    }))
  })
}

/** Pads lines to one width and concatenates them. */
function concatenate(lines: readonly GrayImage[], width: number): Uint8Array {
  const rows = lines.reduce((sum, { height }) => sum + height, 0)
  const batch = new Uint8Array(rows * width).fill(EMPTY)
  let to = 0
  for (const line of lines) {
    for (let row = 0; row < line.height; row++, to += width) {
      batch.set(line.data.subarray(row * line.width, (row + 1) * line.width), to)
    }
  }
  return batch
}

/** Class 0 is the blank. */
function parseAlphabet(setting: unknown): string[] {
  if (typeof setting !== 'string') throw new Error('The recognizer must have an alphabet.')
  return ['', ...setting]
}

/** Converts the logits of each step to natural logarithms of probabilities. */
function logSoftmax(logits: Float32Array, classes: number): Float32Array {
  const logs = new Float32Array(logits.length)
  for (let at = 0; at < logits.length; at += classes) {
    const step = logits.subarray(at, at + classes)
    const most = Math.max(...step)
    const sum = step.reduce((total, logit) => total + Math.exp(logit - most), 0)
    const shift = most + Math.log(sum)
    for (let k = 0; k < classes; k++) logs[at + k] = (step[k] ?? 0) - shift
  }
  return logs
}

/** Returns the greedy reading and its probability. */
function readGreedily(ctc: CtcOutput): Pick<PrintedLine, 'text' | 'confidence'> {
  const text = decodeGreedily(ctc).trim()
  return { text, confidence: text === '' ? 0 : Math.exp(createLineScorer(ctc).logLikelihood(text)) }
}

/** Averages the logits over the steps of a line: one for each script, then one for legibility. */
function classifyLine(logits: Float32Array, scripts: readonly Script[]) {
  const each = scripts.length + 1
  const means = Array.from({ length: each }, (_, index) => {
    const own = logits.filter((_, at) => at % each === index)
    return own.reduce((sum, logit) => sum + logit, 0) / own.length
  })
  const legible = sigmoid(means.pop() ?? 0)
  const script = scripts[means.indexOf(Math.max(...means))]
  if (script === undefined) throw new Error('The recognizer must have at least one script.')
  return { script, legibility: legible }
}
