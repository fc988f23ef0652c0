import { expect, test } from 'bun:test'
import { stretchContrast } from '#vision/image/stretch-contrast.ts'

/** A picture of 100 pixels whose channels have values from `low` to `high`. */
const shades = (low: number, high: number) =>
  Uint8Array.from({ length: 300 }, (_, at) => low + Math.floor(at / 3) * ((high - low) / 99))

test('a dark picture and one with a color cast use the whole range of values', () => {
  for (const picture of [shades(10, 40), shades(150, 250)]) {
    const stretched = stretchContrast(picture)
    expect([Math.min(...stretched), Math.max(...stretched)]).toEqual([0, 255])
  }
})

test('a few bright pixels do not keep a picture dark', () => {
  const picture = shades(10, 40)
  picture.set([255, 255, 255], 297)
  expect(stretchContrast(picture)[3 * 90]).toBeGreaterThan(220)
})

test('a picture of one color has one color', () => {
  expect(new Set(stretchContrast(new Uint8Array(300).fill(90))).size).toBe(1)
})
