// Looks twice at photos drawn from pictures of the sample, with the real networks.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { loadPipeline, type VisionPipeline } from '#vision/pipeline.ts'
import { createLearnedSearch } from '#vision/retrieval/learned-search.ts'
import { findPicture } from '#vision/retrieval/look-again.ts'
import { createVectorSearch } from '#vision/retrieval/vector-search.ts'

const PICTURES = resolve(import.meta.dir, '../../data/sample/pictures')
const CARDS = [3, 11, 19, 27, 35, 43, 51, 59, 67]
const TABLE = { width: 1200, height: 1600, channels: 3, background: '#2c4a6e' } as const

const files = readdirSync(PICTURES).toSorted()
const search = createVectorSearch()
const hashes = new Map<number, Uint8Array>()
let pipeline: VisionPipeline

const bytesOf = (at: number) => Bun.file(join(PICTURES, files[at] ?? '')).bytes()

beforeAll(async () => {
  pipeline = await loadPipeline()
  for (const at of CARDS) {
    const { vector, hash } = await pipeline.fingerprint(await bytesOf(at))
    search.put(at, 1, vector)
    hashes.set(at, hash)
  }
})
afterAll(() => pipeline.close())

/** Fingers over the lower third of the card. */
async function drawHand() {
  return Promise.all(
    [0, 1, 2, 3].map(async (finger) => {
      const [left, top] = [290 + finger * 160, 1010 + (finger % 2) * 60]
      const skin = { width: 120, height: 1600 - top, channels: 3, background: '#b98a6e' } as const
      return { input: await sharp({ create: skin }).png().toBuffer(), left, top }
    }),
  )
}

/** Photographs a card on a table, with a hand over it or in a room of this brightness. */
async function photograph(at: number, { isHeld = false, light = 1 }): Promise<Uint8Array> {
  const card = await sharp(await bytesOf(at))
    .resize(640, 895, { fit: 'fill' })
    .png()
    .toBuffer()
  const over = isHeld ? await drawHand() : []
  const scene = await sharp({ create: TABLE })
    .composite([{ input: card, left: 280, top: 350 }, ...over])
    .png()
    .toBuffer()
  const jpeg = await sharp(scene).linear(light, 0).jpeg({ quality: 85 }).toBuffer()
  return new Uint8Array(jpeg)
}

async function find(photo: Uint8Array, index = search) {
  const seen = await pipeline.run(photo)
  const { match } = await findPicture(createLearnedSearch(index), seen, undefined, async (ids) => {
    return new Map(ids.flatMap((id) => [[id, hashes.get(id) ?? new Uint8Array(128)] as const]))
  })
  const { card_id, cosine = 0, distance = 1_024 } = match.neighbors[0] ?? {}
  return { card: card_id, cosine, distance }
}

describe('a card', () => {
  test('whose lower third fingers cover is found by its visible corners', async () => {
    for (const at of [3, 11, 19, 27]) {
      const found = await find(await photograph(at, { isHeld: true }))
      expect([at, found.card, found.distance < 300]).toEqual([at, at, true])
    }
  }, 30_000)

  test('in a dark room is as similar to its picture as in a bright one', async () => {
    for (const at of [3, 11, 19, 27]) {
      const found = await find(await photograph(at, { light: 0.12 }))
      expect([at, found.card, found.cosine > 0.85]).toEqual([at, at, true])
    }
  }, 30_000)

  test('that has no picture becomes no other card, however often it is looked at', async () => {
    const others = createVectorSearch()
    for (const at of CARDS.slice(2)) {
      others.put(at, 1, (await pipeline.fingerprint(await bytesOf(at))).vector)
    }
    for (const at of [3, 11]) {
      const found = await find(await photograph(at, { isHeld: true }), others)
      expect([at, found.distance > 360]).toEqual([at, true])
    }
  }, 30_000)
})
