import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs-core'
import { type Quad, rotateQuad } from '#vision/image/rectify.ts'
import { loadPipeline, type Pipeline, toPortrait } from '#vision/pipeline.ts'
import { drawCard, encodePng, maxCornerDistance } from '../support/photos/drawn-pictures.ts'
import { CARD, writeRandomModel } from '../support/photos/random-network.ts'

const folder = writeRandomModel()
let pipeline: Pipeline
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

describe('an eye', () => {
  test('says the same of the same photo, and leaves no tensor behind', async () => {
    const first = await pipeline.run(photo)
    const tensors = tf.memory().numTensors
    const again = await pipeline.run(photo)
    expect(tf.memory().numTensors).toBe(tensors)
    const told = { stages: {}, hashes: 0, vector: 0, surface: 0, print: 0 }
    expect({ ...again, ...told }).toEqual({ ...first, ...told })
    expect(again.orientations).toBe(2)
    for (const way of [0, 1]) {
      expect([...again.hashes(way)]).toHaveLength(33)
      expect([...again.hashes(way)]).toEqual([...first.hashes(way)])
      expect(again.embed(way)).toEqual(first.embed(way))
    }
    expect(again.embed(0)).not.toEqual(again.embed(1))
    expect(tf.memory().numTensors).toBe(tensors)
    expect(Object.keys(again.stages ?? {})).toContain('decode')
  }, 30_000)

  test('tells what it found, where and how well it can be seen', async () => {
    const { kind, items, quad, quality } = await pipeline.run(photo)
    expect([kind, items]).toEqual(['raw', 1])
    // The photo's long side is 320 pixels of the detector.
    const corners = [0, 2, 4, 6].map((at) => ({ x: CARD[at] ?? 0, y: CARD[at + 1] ?? 0 }))
    const inPhoto = corners.map(({ x, y }) => ({ x: (x * 480) / 229, y: (y * 670) / 320 }))
    expect(maxCornerDistance(quad ?? [], inPhoto)).toBeLessThan(0.01)
    expect(quality?.px_per_mm).toBeCloseTo(5.9, 1)
    expect(quality).toMatchObject({ is_cut_off: false, corners: 0 })
  })

  test('makes of a catalog picture a vector and a hash', async () => {
    const { vector, hash } = await pipeline.fingerprint(photo)
    expect(vector).toHaveLength(128)
    expect(hash).toHaveLength(128)
    expect(await pipeline.fingerprint(photo)).toEqual({ vector, hash })
  })

  test('tells what lies on the print, as likely as its network holds it', async () => {
    const { estimateFinish } = await pipeline.run(photo)
    for (const way of [0, 1]) {
      expect(estimateFinish(way).foilProbability).toBeCloseTo(1 / (1 + Math.exp(2)))
      expect(estimateFinish(way).stampProbability).toBeCloseTo(0.5)
    }
  })

  test('makes up no print where it sees none', async () => {
    const { readText } = await pipeline.run(photo)
    expect(readText(0)).toEqual([])
  })

  test('refuses what is no picture', async () => {
    const nothing = new Uint8Array([1, 2, 3])
    expect(pipeline.run(nothing)).rejects.toMatchObject({ code: 'INVALID_IMAGE' })
    expect(pipeline.fingerprint(nothing)).rejects.toMatchObject({ code: 'INVALID_IMAGE' })
  })

  test('is not opened on a folder without a model', () => {
    expect(loadPipeline(join(folder, 'nowhere'))).rejects.toThrow('detector')
  })

  test('sees the same in a thread of its own', async () => {
    const { vector } = await pipeline.fingerprint(photo)
    const thread = mkdtempSync(join(tmpdir(), 'cardstock-eye-'))
    const entry = join(thread, 'look.ts')
    const source = join(import.meta.dir, '../../src/vision/pipeline.ts')
    writeFileSync(
      entry,
      `import { openEye } from ${JSON.stringify(source)}
      self.onmessage = async ({ data: { folder, photo } }) => {
        const eye = await openEye(folder)
        const { vector } = await eye.pictureOf(photo)
        self.postMessage({ backend: eye.backend, vector })
      }`,
    )
    const worker = new Worker(entry)
    const answer = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
    })
    worker.postMessage({ folder, photo })
    expect(await answer).toEqual({ backend: pipeline.backend, vector })
    worker.terminate()
    rmSync(thread, { recursive: true })
  })
})

describe('a card', () => {
  const upright: Quad = [
    { x: 0, y: 0 },
    { x: 63, y: 0 },
    { x: 63, y: 88 },
    { x: 0, y: 88 },
  ]

  test('that stands is left as it was found, either way up', () => {
    expect(toPortrait(upright)).toEqual(upright)
    expect(toPortrait(rotateQuad(upright, 2))).toEqual(rotateQuad(upright, 2))
  })

  test('whose print lies along its long side is stood up', () => {
    expect(toPortrait(rotateQuad(upright, 1))).toEqual(rotateQuad(upright, 2))
    expect(toPortrait(rotateQuad(upright, 3))).toEqual(upright)
  })
})
