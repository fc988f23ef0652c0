// Small networks with the shapes of the real ones and seeded weights. The detector finds one card at the same
// position in every photo.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCRIPTS } from '#rules/photos/text-line.ts'
import type { NetworkFile, Shape3 } from '#vision/runtime/network-file.ts'
import { seededRandom } from '../support/photos/drawn-pictures.ts'

/** Corners of the card in a 3:4 photo, in pixels of the detector. */
export const CARD = [30, 30, 200, 30, 200, 290, 30, 290]
/**
 * Position of the peak: with equal scores it is the last cell. Mean of the cell and its neighbors, in the
 * frame of 256 by 320 pixels of a 3:4 photo.
 */
const LAST_CELL = [248, 312]

/** Writes all networks of the pipeline to a folder. */
export function writeRandomModel(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-model-'))
  const kinds = ['raw', 'back', 'graded slab', 'sealed']
  writeNetwork(
    folder,
    'detector',
    [320, 320, 3],
    8,
    {
      heat: [3, -9, -9, -9],
      quad: CARD.map((place, index) => (place - (LAST_CELL[index % 2] ?? 0)) / 64),
    },
    { stride: 8, unit: 64, kinds },
  )
  for (const name of ['refiner', 'page-refiner']) {
    writeNetwork(folder, name, [192, 144, 3], 4, { corners: [0, 0, 0, 0] }, { margin: 0.18 })
  }
  for (const name of ['embedder', 'covered-embedder']) {
    writeNetwork(folder, name, [160, 112, 3], 16, { vector: 128 }, {})
  }
  writeNetwork(folder, 'surface', [160, 112, 3], 16, { marks: [-2, 0] }, {})
  // Detects no lines.
  writeNetwork(
    folder,
    'text-detector',
    [896, 640, 1],
    4,
    { text: Array(16).fill(-9) },
    { stride: 4 },
  )
  const lineForm = { alphabet: 'ab', scripts: SCRIPTS, stride: 8, margin: 0.15 }
  writeNetwork(folder, 'recognizer', [48, 480, 1], 8, { text: 3, about: 7 }, lineForm)
  return folder
}

/**
 * Writes a network of convolutions with stride 2 up to the stride, then one for each output. A number is the
 * count of channels; a list is the constant value of each channel.
 */
function writeNetwork(
  folder: string,
  name: string,
  input: Shape3,
  stride: number,
  outputs: Record<string, number | number[]>,
  settings: object,
): void {
  const next = seededRandom(name.length)
  const file: NetworkFile = { name, input, ops: [], outputs: Object.keys(outputs), weights: [] }
  const parts: Buffer[] = []
  const addWeights = (shape: number[], valueAt = (_: number) => next() - 0.5) => {
    const length = shape.reduce((product, side) => product * side, 1)
    const values = Float32Array.from({ length }, (_, index) => valueAt(index))
    const entry = `w${parts.length}`
    parts.push(Buffer.from(values.buffer))
    file.weights.push({ name: entry, shape, dtype: 'float32' })
    return entry
  }
  const convolve = (
    from: string,
    to: string,
    channels: [number, number],
    step: 1 | 2,
    fixed?: number[],
  ) =>
    file.ops.push({
      op: 'conv',
      in: from,
      out: to,
      weights: addWeights([3, 3, ...channels], fixed && (() => 0)),
      bias: addWeights([channels[1]], fixed && ((index) => fixed[index] ?? 0)),
      stride: step,
      pad: [1, 1, 1, 1],
      act: step === 2 ? 'relu6' : 'linear',
    })
  let last = 'input'
  let channels = input[2]
  for (let side = 2; side <= stride; side *= 2) {
    convolve(last, `half${side}`, [channels, 8], 2)
    last = `half${side}`
    channels = 8
  }
  if (name === 'embedder') {
    const shape = [input[0] / stride, input[1] / stride, channels, 1]
    file.ops.push({
      op: 'depthwise',
      in: last,
      out: 'whole',
      weights: addWeights(shape),
      bias: addWeights([channels]),
      stride: 1,
      pad: [0, 0, 0, 0],
      act: 'linear',
    })
    last = 'whole'
  }
  for (const [output, given] of Object.entries(outputs)) {
    const fixed = typeof given === 'number' ? undefined : given
    const count = typeof given === 'number' ? given : given.length
    convolve(last, output, [channels, count], 1, fixed)
  }
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...file, ...settings }))
  writeFileSync(join(folder, `${name}.bin`), Buffer.concat(parts))
}
