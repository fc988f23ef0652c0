// Draws pictures whose contents tests know to the pixel.
import sharp from 'sharp'
import type { RgbImage } from '#vision/image/decode.ts'
import type { Homography, Point, Quad } from '#vision/image/rectify.ts'
import { project } from '#vision/image/rectify.ts'

/** Returns a deterministic generator of numbers from 0 to 1. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

type Color = readonly [red: number, green: number, blue: number]

export function draw(
  width: number,
  height: number,
  colorAt: (x: number, y: number) => Color,
): RgbImage {
  const data = new Uint8Array(width * height * 3)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      data.set(colorAt(column + 0.5, row + 0.5), (row * width + column) * 3)
    }
  }
  return { width, height, data }
}

/** Draws boxes of flat colors: sharp edges everywhere, as on a card with text and frames. */
export function drawCard(width: number, height: number, seed: number): RgbImage {
  const next = seededRandom(seed)
  const picture = draw(width, height, () => [60, 90, 140])
  for (let box = 0; box < 60; box++) {
    const [left, top] = [Math.floor(next() * width), Math.floor(next() * height)]
    const right = Math.min(width, left + Math.round((0.05 + next() * 0.3) * width))
    const bottom = Math.min(height, top + Math.round((0.05 + next() * 0.2) * height))
    const color: Color = [next() * 230, next() * 230, next() * 230]
    const line = Uint8Array.from(
      { length: (right - left) * 3 },
      (_, index) => color[index % 3] ?? 0,
    )
    for (let row = top; row < bottom; row++) picture.data.set(line, (row * width + left) * 3)
  }
  return picture
}

export function encodePng({ width, height, data }: RgbImage) {
  return sharp(data, { raw: { width, height, channels: 3 } })
}

export async function blurImage(picture: RgbImage, sigma: number): Promise<RgbImage> {
  // The default kernel is truncated at a fifth of its height.
  const data = await encodePng(picture).blur({ sigma, minAmplitude: 0.001 }).raw().toBuffer()
  return { ...picture, data }
}

export const cornersOf = ({ width, height }: { width: number; height: number }): Quad => [
  { x: 0, y: 0 },
  { x: width, y: 0 },
  { x: width, y: height },
  { x: 0, y: height },
]

export const maxCornerDistance = (one: readonly Point[], other: readonly Point[]) =>
  one.reduce((max, { x, y }, index) => {
    const against = other[index] ?? { x: Number.NaN, y: Number.NaN }
    return Math.max(max, Math.hypot(x - against.x, y - against.y))
  }, 0)

/** Draws a photo of a card. */
export function drawPhoto(
  card: RgbImage,
  toCard: Homography,
  { width, height }: { width: number; height: number },
): RgbImage {
  return draw(width, height, (x, y) => {
    const at = project(toCard, { x, y })
    const [column, row] = [Math.floor(at.x * card.width), Math.floor(at.y * card.height)]
    if (column < 0 || row < 0 || column >= card.width || row >= card.height) return [200, 190, 170]
    const from = (row * card.width + column) * 3
    return [card.data[from] ?? 0, card.data[from + 1] ?? 0, card.data[from + 2] ?? 0]
  })
}

/** The middle of a line, its size, and its rotation. */
export type Line = { x: number; y: number; length: number; height: number; degrees?: number }

/** Returns the corners of a line. */
export function quadOf({ x, y, length, height, degrees = 0 }: Line): Quad {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const corner = (across: number, down: number): Point => ({
    x: x + across * length * cos - down * height * sin,
    y: y + across * length * sin + down * height * cos,
  })
  return [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)]
}
