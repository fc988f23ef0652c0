import { describe, expect, test } from 'bun:test'
import { chooseCards, coversOf, type Place } from '#vision/detect/choose-cards.ts'
import { moveQuad } from '#vision/detect/predict-quads.ts'
import { type Quad, rectangleQuad } from '#vision/image/rectify.ts'

const CARD = rectangleQuad({ left: 1_000, top: 1_000, width: 630, height: 880 })
const SEEN = [0.99, 0.99, 0.99, 0.99]

function place(quad: Quad, corners: readonly number[] = SEEN): Place {
  const confidence = corners.reduce((sum, mass) => sum + mass / 4, 0)
  return { kind: 'raw', quad, corners, confidence }
}

/** Creates a fan to the right: each card covers the right part of the previous one. */
const fan = [0, 1, 2, 3].map((index) =>
  place(
    moveQuad(CARD, { across: 0.45 * index, down: 0 }),
    index === 3 ? SEEN : [0.98, 0.5, 0.45, 0.98],
  ),
)
const [, , third = place(CARD), top = place(CARD)] = fan
const unlike = () => 0.4
const quadsOf = (places: readonly Place[]) => places.map(({ quad }) => quad)

describe('cards of a fan', () => {
  test('are chosen from the top card downwards, though they resemble no picture', () => {
    const [first, ...others] = chooseCards(fan, 36, unlike)
    expect(first).toBe(top)
    expect(new Set(others)).toEqual(new Set(fan.slice(0, 3)))
  })

  test('are not chosen without the card that covers them', () => {
    expect(chooseCards(fan.slice(0, 3), 36, unlike)).toEqual([])
  })

  test('lie under those whose corners are seen', () => {
    expect(coversOf(third, fan)).toEqual([top.quad])
    expect(coversOf(top, fan)).toEqual([])
  })

  test('show their corners: two places that hide those of each other are not both cards', () => {
    const left = place(CARD, [0.99, 0.05, 0.05, 0.99])
    const right = place(moveQuad(CARD, { across: 0.6, down: 0 }), [0.05, 0.99, 0.99, 0.05])
    expect(coversOf(left, [left, right])).toEqual([])
    expect(coversOf(right, [left, right])).toEqual([])
    expect(chooseCards([left, right], 36, unlike)).toEqual([])
  })

  test('with less certain corners need a visible part that resembles a picture', () => {
    const doubtful = place(third.quad, [0.85, 0.4, 0.4, 0.8])
    expect(chooseCards([top, doubtful], 36, unlike)).toEqual([top])
    const resemble = (_: Quad, covers: readonly Quad[]) => (covers.length > 0 ? 0.8 : 0.5)
    expect(chooseCards([top, doubtful], 36, resemble)).toEqual([top, doubtful])
  })
})

describe('a place', () => {
  test('with doubtful corners is a card only if it resembles a picture', () => {
    const doubtful = place(CARD, [0.99, 0.4, 0.9, 0.9])
    expect(chooseCards([doubtful], 36, unlike)).toEqual([])
    expect(chooseCards([doubtful], 36, () => 0.9)).toEqual([doubtful])
  })

  test('that ends at the corners of two cards is not a card', () => {
    const beside = place(moveQuad(CARD, { across: 0, down: 0.9 }))
    const [topLeft, topRight] = CARD
    const [, , bottomRight, bottomLeft] = beside.quad
    const both = place([topLeft, topRight, bottomRight, bottomLeft], [0.97, 0.97, 0.97, 0.97])
    expect(quadsOf(chooseCards([both, place(CARD), beside], 36, unlike))).toEqual([
      CARD,
      beside.quad,
    ])
  })

  test('of another size than the nearest card is a part of a card, unless it resembles a picture', () => {
    const small = place(rectangleQuad({ left: 3_000, top: 1_000, width: 430, height: 600 }))
    const large = place(CARD, [1, 1, 1, 1])
    expect(chooseCards([large, small], 36, unlike)).toEqual([large])
    const like = (quad: Quad) => (quad === small.quad ? 0.9 : 0.4)
    expect(chooseCards([large, small], 36, like)).toEqual([large, small])
  })

  test('with the corners of two cards gives way to them if they resemble pictures', () => {
    const doubtful = [0.94, 0.94, 0.94, 0.94]
    const [upper, lower] = [0, 0.9].map((down) =>
      place(moveQuad(CARD, { across: 0, down }), doubtful),
    ) as [Place, Place]
    const both = place([upper.quad[0], upper.quad[1], lower.quad[2], lower.quad[3]])
    const places = [both, upper, lower]
    expect(chooseCards(places, 36, unlike)).toEqual([both])
    const like = (quad: Quad) => (quad === both.quad ? 0.4 : 0.7)
    expect(new Set(chooseCards(places, 36, like))).toEqual(new Set([upper, lower]))
  })

  test('that others find, too, counts once, and no more than the limit are chosen', () => {
    const again = place(moveQuad(CARD, { across: 0.04, down: 0.03 }), [0.98, 0.98, 0.98, 0.98])
    expect(chooseCards([again, place(CARD)], 36, unlike)).toHaveLength(1)
    const row = [0, 1, 2].map((index) => place(moveQuad(CARD, { across: 1.1 * index, down: 0 })))
    expect(chooseCards(row, 2, unlike)).toHaveLength(2)
  })
})
