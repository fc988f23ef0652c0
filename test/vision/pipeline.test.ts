import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs-core'
import { type Quad, turned } from '#vision/image/rectify.ts'
import { type Eye, openEye, standing } from '#vision/pipeline.ts'
import { drawCard, encoded, farthest } from '../support/photos/drawn-pictures.ts'
import { CARD, writeRandomModel } from '../support/photos/random-network.ts'

const folder = writeRandomModel()
let eye: Eye
let photo: Uint8Array

beforeAll(async () => {
  eye = await openEye(folder)
  photo = await encoded(drawCard(480, 670, 1))
    .jpeg()
    .toBuffer()
})
afterAll(() => {
  eye.close()
  rmSync(folder, { recursive: true })
})

describe('an eye', () => {
  test('says the same of the same photo, and leaves no tensor behind', async () => {
    const first = await eye.look(photo)
    const tensors = tf.memory().numTensors
    const again = await eye.look(photo)
    expect(tf.memory().numTensors).toBe(tensors)
    const told = { stages: {}, hashes: 0, vector: 0, surface: 0, print: 0 }
    expect({ ...again, ...told }).toEqual({ ...first, ...told })
    expect(again.ways).toBe(2)
    for (const way of [0, 1]) {
      expect([...again.hashes(way)]).toHaveLength(33)
      expect([...again.hashes(way)]).toEqual([...first.hashes(way)])
      expect(again.vector(way)).toEqual(first.vector(way))
    }
    expect(again.vector(0)).not.toEqual(again.vector(1))
    expect(tf.memory().numTensors).toBe(tensors)
    expect(Object.keys(again.stages ?? {})).toContain('decode')
  }, 30_000)

  test('tells what it found, where and how well it can be seen', async () => {
    const { kind, items, quad, quality } = await eye.look(photo)
    expect([kind, items]).toEqual(['raw', 1])
    // The photo's long side is 320 pixels of the detector.
    const corners = [0, 2, 4, 6].map((at) => ({ x: CARD[at] ?? 0, y: CARD[at + 1] ?? 0 }))
    const inPhoto = corners.map(({ x, y }) => ({ x: (x * 480) / 229, y: (y * 670) / 320 }))
    expect(farthest(quad ?? [], inPhoto)).toBeLessThan(0.01)
    expect(quality?.px_per_mm).toBeCloseTo(5.9, 1)
    expect(quality).toMatchObject({ is_cut_off: false, corners: 0 })
  })

  test('makes of a catalog picture a vector and a hash', async () => {
    const { vector, hash } = await eye.pictureOf(photo)
    expect(vector).toHaveLength(128)
    expect(hash).toHaveLength(128)
    expect(await eye.pictureOf(photo)).toEqual({ vector, hash })
  })

  test('tells what lies on the print, as likely as its network holds it', async () => {
    const { surface } = await eye.look(photo)
    for (const way of [0, 1]) {
      expect(surface(way).foil).toBeCloseTo(1 / (1 + Math.exp(2)))
      expect(surface(way).stamped).toBeCloseTo(0.5)
    }
  })

  test('makes up no print where it sees none', async () => {
    const { print } = await eye.look(photo)
    expect(print(0)).toEqual([])
  })

  test('refuses what is no picture', async () => {
    const nothing = new Uint8Array([1, 2, 3])
    expect(eye.look(nothing)).rejects.toMatchObject({ code: 'INVALID_IMAGE' })
    expect(eye.pictureOf(nothing)).rejects.toMatchObject({ code: 'INVALID_IMAGE' })
  })

  test('is not opened on a folder without a model', () => {
    expect(openEye(join(folder, 'nowhere'))).rejects.toThrow('detector')
  })

  test('sees the same in a thread of its own', async () => {
    const { vector } = await eye.pictureOf(photo)
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
    expect(await answer).toEqual({ backend: eye.backend, vector })
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
    expect(standing(upright)).toEqual(upright)
    expect(standing(turned(upright, 2))).toEqual(turned(upright, 2))
  })

  test('whose print lies along its long side is stood up', () => {
    expect(standing(turned(upright, 1))).toEqual(turned(upright, 2))
    expect(standing(turned(upright, 3))).toEqual(upright)
  })
})
