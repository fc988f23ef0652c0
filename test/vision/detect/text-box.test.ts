import { describe, expect, test } from 'bun:test'
import { intersectionOverUnion } from '#vision/detect/overlap.ts'
import { boxLines } from '#vision/detect/text-box.ts'
import { asQuad, type Point, type Quad, rectangleQuad } from '#vision/image/rectify.ts'
import type { DetectedText } from '#vision/ocr/detect-text.ts'

const CARD = rectangleQuad({ left: 100, top: 150, width: 189, height: 264 })

type Line = { left: number; top: number; width: number; height: number }

/** Lines of a card, in shares of its sides: the name, the cost, the rules and the footer. */
const NAME: Line = { left: 0.07, top: 0.05, width: 0.4, height: 0.05 }
const COST: Line = { left: 0.8, top: 0.05, width: 0.13, height: 0.05 }
const RULES: Line[] = [0.62, 0.68, 0.74].map((top) => ({
  left: 0.08,
  top,
  width: 0.8,
  height: 0.04,
}))
const FOOTER: Line = { left: 0.07, top: 0.93, width: 0.3, height: 0.03 }

function print({ left, top, width, height }: Line): DetectedText {
  const [{ x, y }] = CARD
  const quad = rectangleQuad({
    left: x + left * 189,
    top: y + top * 264,
    width: width * 189,
    height: height * 264,
  })
  return { quad, score: 0.9 }
}

function turned(quad: Quad, degrees: number): Quad {
  const angle = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const turn = ({ x, y }: Point) => ({ x: x * cos - y * sin, y: x * sin + y * cos })
  return asQuad(quad.map(turn))
}

/** Returns how well the place of the lines fits the card, if both are turned. */
function fit(lines: readonly Line[], degrees = 0): number {
  const place = boxLines(
    lines.map((line) => {
      const { quad, ...rest } = print(line)
      return { ...rest, quad: turned(quad, degrees) }
    }),
  )
  return place === undefined ? 0 : intersectionOverUnion(place, turned(CARD, degrees))
}

describe('the lines of a card', () => {
  test('show its place, at any slope of a hand', () => {
    for (const degrees of [-10, 0, 4, 10]) {
      expect(fit([NAME, COST, ...RULES, FOOTER], degrees)).toBeGreaterThan(0.9)
    }
  })

  test('show its place if fingers hide the lower ones', () => {
    expect(fit([NAME, COST])).toBeGreaterThan(0.9)
    expect(fit([NAME, COST, ...RULES.slice(0, 1)])).toBeGreaterThan(0.9)
  })

  test('are upright in the place of a card that lies on its side', () => {
    const lines = [NAME, COST, ...RULES, FOOTER].map((line) => {
      const { quad, ...rest } = print(line)
      return { ...rest, quad: turned(quad, -90), isSideways: true }
    })
    const quad = boxLines(lines) ?? CARD
    const side = turned(CARD, -90)
    expect(intersectionOverUnion(quad, side)).toBeGreaterThan(0.9)
    expect(Math.hypot(quad[0].x - side[0].x, quad[0].y - side[0].y)).toBeLessThan(20)
  })

  test('show no place if there is only one, whose direction may be wrong', () => {
    expect(boxLines([print(NAME)])).toBeUndefined()
  })
})
