import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs-core'
import { type Quad, rotateQuad, toPortrait } from '#vision/image/rectify.ts'
import { loadPipeline, type VisionPipeline } from '#vision/pipeline.ts'
import { drawCard, encodePng, maxCornerDistance } from '../support/photos/drawn-pictures.ts'
import { CARD, writeRandomModel } from './random-network.ts'

const folder = writeRandomModel()
let pipeline: VisionPipeline
let photo: Uint8Array

beforeAll(async () => {
  pipeline = await loadPipeline(folder)
  photo = await encodePng(drawCard(480, 670, 1))
    .jpeg()
    .toBuffer()
})
afterAll(() => {
  pipeline.close()
  rmSync(folder, { recursive: true })
})

describe('the pipeline', () => {
  test('returns the same for the same photo, and leaks no tensor', async () => {
    const first = await pipeline.run(photo)
    const tensors = tf.memory().numTensors
    const again = await pipeline.run(photo)
    expect(tf.memory().numTensors).toBe(tensors)
    const functions = {
      hashes: 0,
      embed: 0,
      estimateFinish: 0,
      readText: 0,
      recrop: 0,
      elsewhere: 0,
      whole: 0,
    }
    const ignored = { stages: {}, ...functions }
    expect({ ...again, ...ignored }).toEqual({ ...first, ...ignored })
    expect(again.orientations).toBe(2)
    for (const orientation of [0, 1]) {
      expect([...again.hashes(orientation)]).toHaveLength(33)
      expect([...again.hashes(orientation)]).toEqual([...first.hashes(orientation)])
      expect(again.embed(orientation)).toEqual(first.embed(orientation))
    }
    expect(again.embed(0)).not.toEqual(again.embed(1))
    expect(tf.memory().numTensors).toBe(tensors)
    expect(Object.keys(again.stages ?? {})).toContain('decode')
  })

  test('locates the card and measures the quality of the photo', async () => {
    const { kind, items, quad, quality } = await pipeline.run(photo)
    expect([kind, items]).toEqual(['raw', 1])
    // The long side of the photo is 320 pixels of the detector.
    const corners = [0, 2, 4, 6].map((at) => ({ x: CARD[at] ?? 0, y: CARD[at + 1] ?? 0 }))
    const inPhoto = corners.map(({ x, y }) => ({ x: (x * 480) / 229, y: (y * 670) / 320 }))
    expect(maxCornerDistance(quad ?? [], inPhoto)).toBeLessThan(0.01)
    expect(quality?.px_per_mm).toBeCloseTo(5.9, 1)
    expect(quality).toMatchObject({ is_cut_off: false, cornerConfidence: 0 })
  })

  test('returns the vector and the hash of a catalog picture', async () => {
    const { vector, hash } = await pipeline.fingerprint(photo)
    expect(vector).toHaveLength(128)
    expect(hash).toHaveLength(128)
    expect(await pipeline.fingerprint(photo)).toEqual({ vector, hash })
  })

  test('returns the probability of foil', async () => {
    const { estimateFinish } = await pipeline.run(photo)
    for (const orientation of [0, 1]) {
      expect(estimateFinish(orientation).foilProbability).toBeCloseTo(1 / (1 + Math.exp(2)))
    }
  })

  test('returns no lines if none are detected', async () => {
    const { readText } = await pipeline.run(photo)
    expect(readText(0)).toEqual([])
  })

  test('rejects invalid images', async () => {
    const nothing = new Uint8Array([1, 2, 3])
    expect(pipeline.run(nothing)).rejects.toMatchObject({ code: 'INVALID_IMAGE' })
    expect(pipeline.fingerprint(nothing)).rejects.toMatchObject({ code: 'INVALID_IMAGE' })
  })

  test('does not load from a folder without a model', () => {
    expect(loadPipeline(join(folder, 'nowhere'))).rejects.toThrow('detector')
  })
})

describe('a quad', () => {
  const upright: Quad = [
    { x: 0, y: 0 },
    { x: 63, y: 0 },
    { x: 63, y: 88 },
    { x: 0, y: 88 },
  ]

  test('in portrait is unchanged, also upside down', () => {
    expect(toPortrait(upright)).toEqual(upright)
    expect(toPortrait(rotateQuad(upright, 2))).toEqual(rotateQuad(upright, 2))
  })

  test('in landscape is rotated', () => {
    expect(toPortrait(rotateQuad(upright, 1))).toEqual(rotateQuad(upright, 2))
    expect(toPortrait(rotateQuad(upright, 3))).toEqual(upright)
  })
})
