import { describe, expect, test } from 'bun:test'
import { createLineScorer } from '#rules/photos/ctc.ts'
import { SCRIPTS } from '#rules/photos/text-line.ts'
import type { GrayImage } from '#vision/image/gray.ts'
import { buildPyramid, type Homography, type Point, type Quad } from '#vision/image/rectify.ts'
import { cropLine, type LineFormat, lineFormat, normalizeLine } from '#vision/ocr/crop-line.ts'
import { batchWidth, recognizeLines } from '#vision/ocr/recognize.ts'
import { type Network, toInput } from '#vision/runtime/model.ts'
import { draw } from '../../support/photos/drawn-pictures.ts'
import golden from './golden-print.json'

const FORM: LineFormat = { height: 48, widthMax: 480, stride: 8, margin: 0.15 }
const bytesOf = (data: string) => new Uint8Array(Buffer.from(data, 'base64'))

function grayOf(width: number, height: number, at: (x: number, y: number) => number): GrayImage {
  const data = Uint8Array.from({ length: width * height }, (_, index) =>
    at(index % width, Math.floor(index / width)),
  )
  return { width, height, data }
}

describe('a normalized line', () => {
  test.each(golden.normals.map((line) => [line.width, line.height, line] as const))(
    'of %i by %i pixels equals that of the training',
    (width, height, line) => {
      const made = normalizeLine({ width, height, data: bytesOf(line.data) }, FORM)
      expect(made.width).toBe(line.normal.width)
      const farthest = bytesOf(line.normal.data).reduce(
        (most, gray, index) => Math.max(most, Math.abs(gray - (made.data[index] ?? 999))),
        0,
      )
      expect(farthest).toBeLessThanOrEqual(1)
    },
  )

  test('has the input height and at most the maximum width', () => {
    for (let height = 4; height < 90; height += 9) {
      for (let width = 4; width < 900; width += 149) {
        const made = normalizeLine(
          grayOf(width, height, (x) => (x % 2) * 100),
          FORM,
        )
        expect(made.height).toBe(48)
        expect(made.data).toHaveLength(48 * made.width)
        const same = (width * 48) / height
        expect(Math.abs(made.width - Math.min(Math.max(same, 16), 480))).toBeLessThanOrEqual(0.5)
      }
    }
  })
})

describe('a cropped line', () => {
  /** Scales by two and translates. */
  const toPhoto: Homography = [2, 0, 30, 0, 2, 40, 0, 0, 1]

  test('has the resolution of the photo, and a margin', () => {
    const photo = draw(400, 300, (x, y) => [x / 2, x / 2, y < 128 || y > 152 ? 255 : 0])
    const quad: Quad = [
      { x: 50, y: 44 },
      { x: 100, y: 44 },
      { x: 100, y: 56 },
      { x: 50, y: 56 },
    ]
    const { width, height, data } = cropLine(buildPyramid(photo), toPhoto, quad, FORM)
    expect([width, height]).toEqual([100 + 24, Math.round(24 * 1.3)])
    // Blue encodes the rows, red and green the columns.
    const ground = (x: number) => 0.886 * ((130 - 0.5 * 24 + x + 0.5) / 2)
    const at = (x: number, y: number) => data[y * width + x] ?? Number.NaN
    for (const x of [0, 62, 123]) {
      for (const y of [0, 2]) expect(Math.abs(at(x, y) - ground(x) - 29)).toBeLessThan(2)
      for (const y of [5, 15, 26]) expect(Math.abs(at(x, y) - ground(x))).toBeLessThan(2)
      expect(Math.abs(at(x, 30) - ground(x) - 29)).toBeLessThan(2)
    }
  })

  test.each([-10, -3, 4, 12])('tilted by %i degrees is straightened', (degrees) => {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
    const middle = { x: 200, y: 150 }
    const corner = (across: number, down: number): Point => ({
      x: (middle.x - 30 + across * cos - down * sin) / 2,
      y: (middle.y - 40 + across * sin + down * cos) / 2,
    })
    const quad: Quad = [corner(-80, -10), corner(80, -10), corner(80, 10), corner(-80, 10)]
    // Brightness encodes the position along the line; black outside.
    const photo = draw(400, 300, (x, y) => {
      const along = (x - middle.x) * cos + (y - middle.y) * sin
      const across = (y - middle.y) * cos - (x - middle.x) * sin
      const gray = Math.abs(across) < 10 && Math.abs(along) < 80 ? 128 + along : 0
      return [gray, gray, gray]
    })
    const { width, height, data } = cropLine(buildPyramid(photo), toPhoto, quad, FORM)
    expect([width, height]).toEqual([180, 26])
    for (let y = 0; y < height; y++) {
      for (const x of [14, 54, 90, 124, 164]) {
        const gray = data[y * width + x] ?? Number.NaN
        const wanted = y < 2 || y > 23 ? 0 : 128 + x + 0.5 - 90
        if (y < 2 || y > 23 || (y > 4 && y < 21)) expect(Math.abs(gray - wanted)).toBeLessThan(2)
      }
    }
  })

  test('has a minimum size', () => {
    const photo = draw(40, 40, () => [9, 9, 9])
    const corner = { x: 1, y: 1 }
    const quad: Quad = [corner, { x: 1.5, y: 1 }, { x: 1.5, y: 1.3 }, { x: 1, y: 1.3 }]
    const cut = cropLine(buildPyramid(photo), [1, 0, 0, 0, 1, 0, 0, 0, 1], quad, FORM)
    expect(normalizeLine(cut, FORM)).toMatchObject({ width: 48, height: 48 })
  })
})

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
type Run = { lines: number; width: number; input: Float32Array }

/** Reads at each step the letter at the index given by the gray of the first column. */
function spelling(runs: Run[] = [], settings: Record<string, unknown> = {}): Network {
  const known = { alphabet: LETTERS, scripts: SCRIPTS, stride: 8, margin: 0.15 }
  return {
    name: 'recognizer',
    input: [48, 480, 1],
    setting: (name) => ({ ...known, ...settings })[name],
    run(input, size) {
      const width = size?.width ?? 480
      const lines = input.length / (48 * width)
      runs.push({ lines, width, input })
      const steps = (lines * width) / 8
      const text = new Float32Array(steps * 27)
      const about = new Float32Array(steps * 7)
      for (let step = 0; step < steps; step++) {
        const [line, column] = [Math.floor((step * 8) / width), (step * 8) % width]
        const gray = Math.round(((input[line * 48 * width + column] ?? 0) + 1) * 127.5)
        text[step * 27 + (gray <= 26 ? gray : 0)] = 5
        // Letters in the second half of the alphabet are classified as illegible Korean.
        about[step * 7 + (gray <= 13 ? 0 : 2)] = 1
        about[step * 7 + 6] = gray <= 13 ? 2 : -2
      }
      return { text, about }
    },
    close() {},
  }
}

/** Draws a line for `spelling`: one letter per step, 0 for a blank. */
function written(classes: readonly number[], width = classes.length * 8): GrayImage {
  return grayOf(width, 48, (x) => classes[Math.floor(x / 8)] ?? 0)
}

describe('lines', () => {
  test('are read in batches of similar width and returned in order', () => {
    const runs: Run[] = []
    const lines = [
      written([1, 2, 3]),
      written(Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? 4 : 0))),
      written([5, 0, 5, 0, 5, 0, 5, 6]),
      written([7], 4),
      written([8, 9, 10, 11, 12, 13, 14, 15, 16]),
    ]
    const texts = recognizeLines(spelling(runs), lines).map(({ text }) => text)
    expect(texts).toEqual(['abc', 'ddddddddddddddd', 'eeeef', 'g', 'hijklmnop'])
    const sizes = runs.map((run) => `${run.lines} x ${run.width}`)
    expect(sizes.toSorted()).toEqual(['1 x 256', '1 x 64', '1 x 96', '2 x 32'])
    for (const line of lines) {
      expect(batchWidth(line) - line.width).toBeGreaterThanOrEqual(0)
      expect(batchWidth(line) - line.width).toBeLessThan(32)
    }
  })

  test('are at the left of their batch, with gray to the right', () => {
    const runs: Run[] = []
    recognizeLines(spelling(runs), [written([1, 2, 3]), written([9, 9, 9, 9])])
    const [{ input } = { input: new Float32Array() }] = runs
    const [empty = 0] = toInput(Uint8Array.of(128))
    const second = 48 * 32
    for (const row of [0, 47]) {
      const at = row * 32
      expect([...input.subarray(at + 24, at + 32)]).toEqual(Array(8).fill(empty))
      expect(new Set(input.subarray(second + at, second + at + 32)).size).toBe(1)
    }
  })

  test('use only their own steps', () => {
    const [few, many] = recognizeLines(spelling(), [written([1, 2, 20]), written([20, 21, 1], 20)])
    expect(few?.script).toBe('latin')
    expect(few?.legibility).toBeCloseTo(1 / (1 + Math.exp(-2 / 3)))
    expect(many?.script).toBe('korean')
    expect(many?.legibility).toBeCloseTo(1 / (1 + Math.exp(2 / 3)))
  })

  test('have class probabilities', () => {
    const [reading] = recognizeLines(spelling(), [written([1, 0, 26], 22)])
    const { alphabet = [], logProbabilities = new Float32Array() } = reading?.ctc ?? {}
    expect(alphabet).toEqual(['', ...LETTERS])
    expect(logProbabilities).toHaveLength(3 * 27)
    for (let step = 0; step < 3; step++) {
      const own = logProbabilities.subarray(step * 27, (step + 1) * 27)
      expect(own.reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 5)
    }
    expect(Math.exp(logProbabilities[1] ?? 0)).toBeCloseTo(Math.exp(5) / (Math.exp(5) + 26), 5)
    expect(reading?.confidence).toBeCloseTo(
      Math.exp(createLineScorer({ alphabet, logProbabilities }).logLikelihood('az')),
      5,
    )
  })

  test('do not run the network for an empty list', () => {
    const runs: Run[] = []
    expect(recognizeLines(spelling(runs), [])).toEqual([])
    expect(runs).toEqual([])
  })

  test('require a valid network', () => {
    const line = written([1])
    expect(() => recognizeLines(spelling([], { alphabet: 7 }), [line])).toThrow('alphabet')
    expect(() => recognizeLines(spelling([], { scripts: ['runes'] }), [line])).toThrow('"runes"')
    expect(() => recognizeLines(spelling([], { scripts: 'latin' }), [line])).toThrow('scripts')
    expect(() => recognizeLines({ ...spelling(), run: () => ({}) }, [line])).toThrow('about')
  })

  test('have the format of the network', () => {
    expect(lineFormat(spelling())).toEqual(FORM)
  })
})

describe('the greedy reading', () => {
  test.each(golden.readings.map((reading) => [reading.text, reading] as const))(
    'equals that of the training: "%s"',
    (text, { steps, logits }) => {
      const classes = [...golden.alphabet].length + 1
      const numbers = Float32Array.from(new Int8Array(bytesOf(logits).buffer), (value) => {
        return value / golden.scales.logits
      })
      const network: Network = {
        ...spelling([], { alphabet: golden.alphabet }),
        run: (_, size) => {
          const all = new Float32Array(((size?.width ?? 0) / 8) * classes)
          all.set(numbers)
          return { text: all, about: new Float32Array((all.length / classes) * 7) }
        },
      }
      const [reading] = recognizeLines(network, [written([], steps * 8)])
      expect(reading?.text).toBe(text)
    },
  )
})
