import { expect, test } from 'bun:test'
import { moveQuad } from '#vision/detect/predict-quads.ts'
import { paintCovered, rectifyCovered } from '#vision/image/fill-covered.ts'
import { buildPyramid, rectangleQuad, rectify } from '#vision/image/rectify.ts'

const FRAME = { width: 40, height: 56, margin: 0 }
const QUAD = rectangleQuad({ left: 100, top: 100, width: 80, height: 112 })
const SIZE = { width: 300, height: 300 }

/** Draws a card that is red at the left and blue at the right edge. */
function drawPhoto(): Uint8Array {
  const data = new Uint8Array(SIZE.width * SIZE.height * 3)
  for (let at = 0; at < SIZE.width * SIZE.height; at++) {
    const across = ((at % SIZE.width) - 100) / 80
    data.set([255 * (1 - across), 0, 255 * across], at * 3)
  }
  return data
}

const photo = { ...SIZE, data: drawPhoto() }
const pixel = (crop: Uint8Array, column: number, row: number) => [
  ...crop.subarray((row * FRAME.width + column) * 3, (row * FRAME.width + column) * 3 + 3),
]

test('a covered part becomes the mirror image of the opposite part, and the rest is unchanged', () => {
  const crop = rectify(buildPyramid(photo), QUAD, FRAME)
  const cover = moveQuad(QUAD, { across: 0.6, down: 0 })
  const filled = rectifyCovered(buildPyramid(photo), QUAD, [cover], FRAME)
  expect(pixel(filled, 38, 30)).toEqual(pixel(crop, 1, 30))
  expect(pixel(filled, 20, 30)).toEqual(pixel(crop, 20, 30))
  expect(rectifyCovered(buildPyramid(photo), QUAD, [], FRAME)).toEqual(crop)
})

test('a part that is covered on both sides has the mean color of the rest', () => {
  const cover = moveQuad(QUAD, { across: 0, down: 0.5 })
  const [red = 0, green, blue = 0] = pixel(
    rectifyCovered(buildPyramid(photo), QUAD, [cover], FRAME),
    2,
    50,
  )
  expect([Math.abs(red - 127) < 3, green, Math.abs(blue - 127) < 3]).toEqual([true, 0, true])
})

test('in the photo, only the covered part of the card is painted over', () => {
  const cover = moveQuad(QUAD, { across: 0.6, down: 0 })
  const white = new Uint8Array(FRAME.width * FRAME.height * 3).fill(255)
  const data = photo.data.slice()
  paintCovered({ ...SIZE, data, quad: QUAD, covers: [cover] }, white, FRAME)
  const at = (x: number, y: number) => data[(y * SIZE.width + x) * 3 + 1]
  // Covered, not covered, and the covering object beside the card.
  expect([at(170, 150), at(120, 150), at(220, 150)]).toEqual([255, 0, 0])
})
