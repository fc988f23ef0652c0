import { describe, expect, test } from 'bun:test'
import { decodeCorners, refineCorners } from '#vision/detect/refine-corners.ts'
import {
  asQuad,
  buildPyramid,
  frameToPhoto,
  invert,
  project,
  type Quad,
} from '#vision/image/rectify.ts'
import type { Network } from '#vision/runtime/model.ts'
import { draw, maxCornerDistance } from '../../support/photos/drawn-pictures.ts'

const FRAME = { width: 144, height: 192, margin: 0.18 }

/** Draws logits of four Gaussian peaks in the frame, as in training. */
function mapsOf(corners: readonly { x: number; y: number }[], sigma = 0.8): Float32Array {
  const maps = new Float32Array(48 * 36 * 4)
  for (const [corner, { x, y }] of corners.entries()) {
    for (let row = 0; row < 48; row++) {
      for (let column = 0; column < 36; column++) {
        const away = (column + 0.5 - x / 4) ** 2 + (row + 0.5 - y / 4) ** 2
        maps[(row * 36 + column) * 4 + corner] = Math.max(-20, -away / (2 * sigma ** 2))
      }
    }
  }
  return maps
}

describe('corners', () => {
  test('are decoded from four maps to a fraction of a cell, with a high confidence', () => {
    const corners = [
      { x: 20.3, y: 25.1 },
      { x: 121.7, y: 27.9 },
      { x: 124.2, y: 165.4 },
      { x: 18.8, y: 163 },
    ]
    const found = decodeCorners(mapsOf(corners), FRAME)
    expect(maxCornerDistance(found, corners)).toBeLessThan(0.2)
    for (const { mass } of found) expect(mass).toBeGreaterThan(0.95)
  })

  test('have a low confidence if a map is flat or has two peaks', () => {
    const flat = decodeCorners(new Float32Array(48 * 36 * 4), FRAME)
    for (const { mass } of flat) expect(mass).toBeLessThan(0.02)
    const one = mapsOf(Array.from({ length: 4 }, () => ({ x: 30, y: 30 })))
    const other = mapsOf(Array.from({ length: 4 }, () => ({ x: 100, y: 150 })))
    const both = decodeCorners(
      one.map((value, at) => Math.max(value, other[at] ?? 0)),
      FRAME,
    )
    for (const { mass } of both) expect(mass).toBeCloseTo(0.5, 1)
  })

  test('that other cards cover have a low confidence at the same place', () => {
    const corners = [20, 120, 110, 30].map((x, index) => ({ x, y: index < 2 ? 30 : 160 }))
    const maps = mapsOf(corners)
    const visible = maps.map((_, at) => (at % 4 < 2 ? 4 : -4))
    const found = decodeCorners(maps, FRAME, visible)
    expect(maxCornerDistance(found, corners)).toBeLessThan(0.2)
    expect(found.map(({ mass }) => mass > 0.5)).toEqual([true, true, false, false])
  })
})

describe('the refiner', () => {
  const coarse: Quad = [
    { x: 210, y: 95 },
    { x: 610, y: 160 },
    { x: 560, y: 700 },
    { x: 130, y: 640 },
  ]
  const levels = buildPyramid(draw(800, 800, () => [50, 60, 70]))

  function refiner(answer: (pass: number) => Float32Array): Network {
    let pass = 0
    return {
      name: 'refiner',
      input: [192, 144, 3],
      setting: () => 0.18,
      run: () => ({ corners: answer(pass++) }),
      close() {},
    }
  }

  const HOPELESS = 0.25
  const shifted = (quad: Quad, right: number): Quad =>
    asQuad(quad.map(({ x, y }) => ({ x: x + right, y })))

  /** Predicts these corners for any crop. The maps of invisible corners are nearly flat. */
  function seeing(truth: Quad, seen = 4) {
    let quad = coarse
    const requested = { passes: 0 }
    const network = refiner(() => {
      requested.passes++
      const toFrame = invert(frameToPhoto(quad, FRAME))
      const peaks = mapsOf(truth.map((corner) => project(toFrame, corner)))
      const maps = peaks.map((logit, at) => (at % 4 < seen ? logit : logit / 10))
      const toPhoto = frameToPhoto(quad, FRAME)
      // Repeats the arithmetic of `refineCorners`, to know its next crop.
      const found = decodeCorners(maps, FRAME).map((corner) => project(toPhoto, corner))
      quad = [found[0] ?? quad[0], found[1] ?? quad[1], found[2] ?? quad[2], found[3] ?? quad[3]]
      return maps
    })
    return { network, requested }
  }

  test('converges to the corners and stops', () => {
    const truth: Quad = [
      { x: 200, y: 100 },
      { x: 620, y: 150 },
      { x: 570, y: 690 },
      { x: 140, y: 655 },
    ]
    const { network, requested } = seeing(truth)
    const refined = refineCorners(network, levels, coarse)
    expect(maxCornerDistance(refined.quad, truth)).toBeLessThan(1)
    expect(refined.confidence).toBeGreaterThan(0.95)
    expect(requested.passes).toBe(2)
  })

  test('has a low confidence for shapes that are not a card', () => {
    const uneven: Quad = [
      { x: 200, y: 100 },
      { x: 620, y: 150 },
      { x: 600, y: 430 },
      { x: 140, y: 655 },
    ]
    const refined = refineCorners(seeing(uneven).network, levels, coarse)
    expect(maxCornerDistance(refined.quad, uneven)).toBeLessThan(1)
    expect(refined.confidence).toBeLessThan(0.8)
  })

  test('gives up a place from which it moves to another card', () => {
    const { network, requested } = seeing(shifted(coarse, 300))
    expect(refineCorners(network, levels, coarse, HOPELESS).confidence).toBe(0)
    expect(requested.passes).toBe(1)
  })

  test.each([
    ['after one pass if it sees one corner only', 1, HOPELESS, 1],
    ['not while it sees two', 2, HOPELESS, 2],
    ['never if it must not', 1, 0, 2],
  ])('gives up %s', (_, seen, hopeless, passes) => {
    const { network, requested } = seeing(coarse, seen)
    const { corners, confidence } = refineCorners(network, levels, coarse, hopeless)
    const isGivenUp = passes === 1
    expect(corners.filter((mass) => mass > 0.9)).toHaveLength(isGivenUp ? 0 : seen)
    expect(confidence === 0).toBe(isGivenUp)
    expect(requested.passes).toBe(passes)
  })

  test('keeps the corners at confidence 0 if it finds no card', () => {
    const blind = refiner(() => mapsOf(Array.from({ length: 4 }, () => ({ x: 70, y: 70 }))))
    expect(refineCorners(blind, levels, coarse)).toEqual({
      quad: coarse,
      confidence: 0,
      corners: [0, 0, 0, 0],
    })
  })
})
