// 1,024 bits that tell one picture from another: which of its low frequencies are above the median.
import { type Frame, type ImagePyramid, type Quad, rectify } from '../image/rectify.ts'

/** Side of the grey picture that is transformed, and of the block of frequencies that is kept. */
const SIDE = 128
const KEPT = 32
const BYTES = (KEPT * KEPT) / 8

/** The grey card that moved ones are read from: somewhat finer, with room for moving. */
const ROOM: Frame = { width: 192, height: 192, margin: 0.03 }
const WHOLE: Frame = { width: SIDE, height: SIDE, margin: 0 }

/** Of a card's corners, in thousandths of its sides. */
type Move = readonly [
  right: number,
  down: number,
  wider: number,
  taller: number,
  slantedRight: number,
  slantedDown: number,
]

/**
 * Drawn at random and kept greedily, each for what it took off the distance of 282 crops with corners
 * 1 % off: from 211 bits on average to 131, where the nearest stranger of 48 cards was 312 away.
 */
const MOVES: readonly Move[] = [
  [0, 0, 0, 0, 0, 0],
  [6, -7, -1, 3, -10, -4],
  [-7.5, 0, 0, 0, 0, 0],
  [5, 6, -1, -8, -6, -1],
  [-5, -9, -5, 7, 3, -7],
  [-6, 8, -6, -6, -9, 2],
  [12, 1, 5, -7, 1, 1],
  [2, -2, -15, -5, 1, 11],
  [-9, 2, 9, -1, 5, -3],
  [2, 4, 3, 8, -1, -4],
  [7, -11, -4, -9, 5, 4],
  [2, -6, 2, 6, 11, -2],
  [0, 5, 5, 6, 15, 8],
  [-12, -7, -2, 6, -9, 3],
  [-8, 9, -15, 0, 14, 1],
  [9, -3, -15, 2, 6, -4],
  [-5, -8, -10, -1, -9, 2],
  [5, 9, 3, -6, -3, 8],
  [-6, -2, 1, 4, 14, 4],
  [5, 1, 4, 5, -12, 5],
  [-9, 2, -7, -4, -4, -6],
  [-2, 9, -15, 8, -12, 5],
  [0, 0, 15, 0, 0, 0],
  [3, 11, 1, 0, 0, -8],
  [-8, 8, 13, -9, -14, 6],
  [6, 2, -14, -14, 3, 4],
  [-1, -3, -13, 0, 1, -5],
  [7, 4, 12, 11, 15, -2],
  [15, 2, -1, 4, 4, 2],
  [4, -10, -2, -1, -3, 12],
  [8, 7, -8, -9, 0, 9],
  [-1, -1, 10, 6, -14, 9],
  [4, 4, 11, -9, 5, 2],
]

export function perceptualHash(imagePyramid: ImagePyramid, quad: Quad): Uint8Array {
  return transformed(toGrey(rectify(imagePyramid, quad, WHOLE)))
}

/**
 * Hashes of a card as it is and slightly moved. Corners that are a hundredth off turn a quarter of
 * the bits; one of these is close to what the hash of the true corners would be. Each takes a
 * millisecond, and is made when it is asked for.
 */
export function* jitteredHashes(imagePyramid: ImagePyramid, quad: Quad): Generator<Uint8Array> {
  const grey = toGrey(rectify(imagePyramid, quad, ROOM))
  for (const move of MOVES) yield transformed(moved(grey, move))
}

/** Rec. 601 luma. */
export function toGrey(pixels: Uint8Array): Float32Array {
  const grey = new Float32Array(pixels.length / 3)
  for (let i = 0, at = 0; i < grey.length; i++, at += 3) {
    // `as number`: three bytes for each number, see `warp`.
    grey[i] =
      0.299 * (pixels[at] as number) +
      0.587 * (pixels[at + 1] as number) +
      0.114 * (pixels[at + 2] as number)
  }
  return grey
}

/** The card in its room, read where the move puts it. */
function moved(room: Float32Array, [right, down, wider, taller, slantRight, slantDown]: Move) {
  const out = new Float32Array(SIDE * SIDE)
  const size = ROOM.width
  const card = size / (1 + 2 * ROOM.margin)
  const middle = size / 2
  const step = card / SIDE
  // What a step to the right in the hash is in the room, and what a step down is.
  const [uAcross, vAcross] = [step * (1 + wider / 1000), (step * slantDown) / 1000]
  const [uDown, vDown] = [(step * slantRight) / 1000, step * (1 + taller / 1000)]
  const first = 0.5 - SIDE / 2
  const uFirst = middle - 0.5 + (right * card) / 1000 + first * (uAcross + uDown)
  const vFirst = middle - 0.5 + (down * card) / 1000 + first * (vAcross + vDown)
  for (let row = 0; row < SIDE; row++) {
    const uRow = uFirst + row * uDown
    const vRow = vFirst + row * vDown
    const to = row * SIDE
    for (let column = 0; column < SIDE; column++) {
      const u = uRow + column * uAcross
      const v = vRow + column * vAcross
      const left = u | 0
      const top = v | 0
      const at = top * size + left
      const fu = u - left
      // `as number`: no move leaves the room, a test asks for it; see `warp`.
      const one = room[at] as number
      const three = room[at + size] as number
      const upper = one + ((room[at + 1] as number) - one) * fu
      const lower = three + ((room[at + size + 1] as number) - three) * fu
      out[to + column] = upper + (lower - upper) * (v - top)
    }
  }
  return out
}

const HALF = SIDE / 2
/** cos((2n + 1) k pi / 256) for the first half of the places n; the second mirrors it. */
const COSINES = Float64Array.from({ length: KEPT * HALF }, (_, index) => {
  const [k, n] = [Math.floor(index / HALF), index % HALF]
  return Math.cos(((2 * n + 1) * k * Math.PI) / (2 * SIDE))
})
// 64 bits, although 32 would do: every number would have to be widened again for every sum.
const SUMS = new Float64Array(HALF)
const DIFFERENCES = new Float64Array(HALF)
const ROWS = new Float32Array(SIDE * KEPT)
const FREQUENCIES = new Float32Array(KEPT * KEPT)

/** DCT-II along the rows, then along the columns; its constant factors do not move the median. */
function transformed(grey: Float32Array): Uint8Array {
  for (let row = 0; row < SIDE; row++) cosines(grey, row * SIDE, 1, ROWS, row * KEPT, 1)
  for (let k = 0; k < KEPT; k++) cosines(ROWS, k, KEPT, FREQUENCIES, k, KEPT)
  // The first is the mean brightness, a hundred times the others.
  const sorted = FREQUENCIES.slice(1).sort()
  const median = sorted[sorted.length >> 1] ?? 0
  const hash = new Uint8Array(BYTES)
  for (let bit = 0; bit < FREQUENCIES.length; bit++) {
    if ((FREQUENCIES[bit] ?? 0) > median) hash[bit >> 3] = (hash[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  return hash
}

/** The lowest frequencies of 128 numbers. Even ones need only sums of mirrored places, odd ones differences. */
function cosines(
  from: Float32Array,
  start: number,
  step: number,
  to: Float32Array,
  place: number,
  toStep: number,
): void {
  // `as number`: the sizes above fix every index, see `warp`.
  const end = start + (SIDE - 1) * step
  for (let n = 0; n < HALF; n++) {
    const one = from[start + n * step] as number
    const other = from[end - n * step] as number
    SUMS[n] = one + other
    DIFFERENCES[n] = one - other
  }
  // Four sums of one parity at a time: one alone would wait for each of its own additions.
  for (let parity = 0; parity < 2; parity++) {
    const folded = parity === 0 ? SUMS : DIFFERENCES
    for (let k = parity; k < KEPT; k += 8) {
      const base = k * HALF
      let first = 0
      let second = 0
      let third = 0
      let fourth = 0
      for (let n = 0; n < HALF; n++) {
        const value = folded[n] as number
        first += value * (COSINES[base + n] as number)
        second += value * (COSINES[base + 2 * HALF + n] as number)
        third += value * (COSINES[base + 4 * HALF + n] as number)
        fourth += value * (COSINES[base + 6 * HALF + n] as number)
      }
      to[place + k * toStep] = first
      to[place + (k + 2) * toStep] = second
      to[place + (k + 4) * toStep] = third
      to[place + (k + 6) * toStep] = fourth
    }
  }
}
