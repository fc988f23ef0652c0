// Finds the cards of a page that is drawn from pictures of the sample, with the real networks.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { arrangeCards } from '#rules/photos/arrange-cards.ts'
import { loadPipeline, type VisionPipeline } from '#vision/pipeline.ts'
import { measureResemblance } from '#vision/retrieval/match-pictures.ts'
import { createVectorSearch } from '#vision/retrieval/vector-search.ts'

const PICTURES = resolve(import.meta.dir, '../../data/sample/pictures')
/** Cards of three sets, without sealed products. */
const CARDS = [3, 11, 19, 27, 35, 43, 51, 59, 67]
const [WIDTH, HEIGHT, GAP] = [440, 615, 50]

const files = readdirSync(PICTURES).toSorted()
const search = createVectorSearch()
let pipeline: VisionPipeline

beforeAll(async () => {
  pipeline = await loadPipeline()
  for (const at of CARDS) {
    const { vector } = await pipeline.fingerprint(await bytesOf(at))
    search.put(at, 1, vector)
  }
}, 60_000)
afterAll(() => pipeline.close())

const bytesOf = (at: number) => Bun.file(join(PICTURES, files[at] ?? '')).bytes()

/** Draws a page of three by three cards, with some pockets empty. */
async function drawPage(cards: readonly (number | undefined)[]): Promise<Buffer> {
  const pictures = await Promise.all(
    cards.map(async (at, index) =>
      at === undefined
        ? []
        : {
            input: await sharp(await bytesOf(at))
              .resize(WIDTH, HEIGHT, { fit: 'fill' })
              .png()
              .toBuffer(),
            left: GAP + (index % 3) * (WIDTH + GAP),
            top: GAP + Math.floor(index / 3) * (HEIGHT + GAP),
          },
    ),
  )
  const size = { width: 3 * (WIDTH + GAP) + GAP, height: 3 * (HEIGHT + GAP) + GAP }
  const create = { ...size, channels: 3, background: '#5d6470' } as const
  return sharp({ create }).composite(pictures.flat()).png().toBuffer()
}

const cut = async (page: Buffer) =>
  pipeline.cut(new Uint8Array(page), (vector) => measureResemblance(search, vector, undefined))

test('a page that is turned by a quarter has each of its cards at its place, and no other', async () => {
  // Leaves a pocket empty.
  const cards = CARDS.map((at, index) => (index === 4 ? undefined : at))
  const page = await sharp(await drawPage(cards))
    .rotate(90)
    .jpeg()
    .toBuffer()
  const { cards: found } = await cut(page)
  const positions = arrangeCards(found.map(({ outline }) => outline))
  const nearest = await Promise.all(
    found.map(async ({ jpeg, placement }) => {
      const card = await pipeline.run(jpeg, placement)
      const hits = search.search([card.embed(0), card.embed(1)], { gameId: undefined, limit: 1 })
      return hits[0]?.card_id
    }),
  )
  const places = nearest.map((at, index) => [
    `${positions[index]?.row}/${positions[index]?.column}`,
    at,
  ])
  // A quarter turn makes the last row the first column.
  expect(Object.fromEntries(places)).toEqual({
    ...{ '1/1': 51, '1/2': 27, '1/3': 3 },
    ...{ '2/1': 59, '2/3': 11 },
    ...{ '3/1': 67, '3/2': 43, '3/3': 19 },
  })
}, 60_000)

test('an empty page has no card', async () => {
  expect((await cut(await drawPage([]))).cards).toEqual([])
}, 60_000)
