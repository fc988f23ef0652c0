// What lines of print say: CTC, decoded as scripts/training/train_recogniser.py does (`greedy`).
import { decodeGreedily, logLikelihood } from '#rules/photos/ctc.ts'
import { type CtcOutput, type PrintedLine, SCRIPTS, type Script } from '#rules/photos/text-line.ts'
import { type Network, readNameSetting, sigmoid, toInput } from '../runtime/model.ts'
import type { GreyImage } from './detect-lines.ts'

export type LineReading = Pick<PrintedLine, 'text' | 'confidence' | 'legibility' | 'script'> & {
  ctc: CtcOutput
}

/** What stands right of a line that is shorter than its batch is wide. */
const EMPTY = 128
/** Widths of batches are multiples of this. */
const BATCH_STEP = 32

/** @param lines as `normal` makes them */
export function recogniseLines(recogniser: Network, lines: readonly GreyImage[]): LineReading[] {
  const alphabet = alphabetOf(recogniser.setting('alphabet'))
  const scripts = readNameSetting(recogniser, 'scripts', SCRIPTS)
  const readings = new Map<GreyImage, LineReading>()
  for (const [width, batch] of Map.groupBy(lines, batchWidth)) {
    const size = { width, height: recogniser.input[0] }
    const { text, about } = recogniser.run(toInput(besideEachOther(batch, width)), size)
    if (text === undefined || about === undefined) {
      throw new Error('A recogniser gives text and about.')
    }
    const stride = Number(recogniser.setting('stride'))
    for (const [index, line] of batch.entries()) {
      const first = (index * width) / stride
      const end = first + Math.ceil(line.width / stride)
      const part = (map: Float32Array, each: number) => map.subarray(first * each, end * each)
      const logs = logSoftmax(part(text, alphabet.length), alphabet.length)
      readings.set(line, {
        ...readingOf({ alphabet, logProbabilities: logs }),
        ...aboutOf(part(about, scripts.length + 1), scripts),
        ctc: { alphabet, logProbabilities: logs },
      })
    }
  }
  return lines.flatMap((line) => readings.get(line) ?? [])
}

/** How wide the batch is in which a line is read: as others that are hardly longer. */
export function batchWidth({ width }: GreyImage): number {
  return Math.ceil(width / BATCH_STEP) * BATCH_STEP
}

/** Lines of several widths as pictures of one, one after the other. */
function besideEachOther(lines: readonly GreyImage[], width: number): Uint8Array {
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
function alphabetOf(setting: unknown): string[] {
  if (typeof setting !== 'string') throw new Error('A recogniser has an alphabet.')
  return ['', ...setting]
}

/** Natural logarithms of probabilities, for each step of so many classes. */
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

/** The likeliest letters, and how likely they are to be all that the line says. */
function readingOf(ctcOutput: CtcOutput): Pick<PrintedLine, 'text' | 'confidence'> {
  const text = decodeGreedily(ctcOutput).trim()
  return { text, confidence: text === '' ? 0 : Math.exp(logLikelihood(ctcOutput, text)) }
}

/** What a line is as a whole: the mean over its steps of a logit for each script, then one for legible. */
function aboutOf(logits: Float32Array, scripts: readonly Script[]) {
  const each = scripts.length + 1
  const means = Array.from({ length: each }, (_, index) => {
    const own = logits.filter((_, at) => at % each === index)
    return own.reduce((sum, logit) => sum + logit, 0) / own.length
  })
  const legible = sigmoid(means.pop() ?? 0)
  const script = scripts[means.indexOf(Math.max(...means))]
  if (script === undefined) throw new Error('A recogniser knows at least one script.')
  return { script, legibility: legible }
}
