// Finds the cards of a page drawn from pictures of the sample, with the real networks.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import sharp, { type OverlayOptions } from 'sharp'
import { arrangeCards } from '#rules/photos/arrange-cards.ts'
import type { CutCard } from '#rules/photos/page-cut.ts'
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
})
afterAll(() => pipeline.close())

const bytesOf = (at: number) => Bun.file(join(PICTURES, files[at] ?? '')).bytes()

type PlacedPicture = { at: number; left: number; top: number }

/** Cards in the size in which they were drawn before, as pixels. */
const drawn = new Map<string, Promise<OverlayOptions>>()

function drawCard(at: number, scale: number): Promise<OverlayOptions> {
  const card = drawn.get(`${at} ${scale}`) ?? resizeCard(at, scale)
  drawn.set(`${at} ${scale}`, card)
  return card
}

async function resizeCard(at: number, scale: number): Promise<OverlayOptions> {
  const { data, info } = await sharp(await bytesOf(at))
    .resize(Math.round(WIDTH * scale), Math.round(HEIGHT * scale), { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { input: data, raw: info }
}

async function drawCards(
  cards: readonly PlacedPicture[],
  size: { width: number; height: number },
  scale = 1,
): Promise<Buffer> {
  const pictures = await Promise.all(
    cards.map(async ({ at, left, top }) => ({
      ...(await drawCard(at, scale)),
      left: Math.round(left),
      top: Math.round(top),
    })),
  )
  const create = { ...size, channels: 3, background: '#5d6470' } as const
  return sharp({ create }).composite(pictures).png(FAST).toBuffer()
}

/** Writes large files in a fraction of the time. */
const FAST = { compressionLevel: 1 }

/** Draws a page of cards in three columns, with some pockets empty. */
async function drawPage(cards: readonly (number | undefined)[]): Promise<Buffer> {
  const placed = cards.flatMap((at, index) => {
    const left = GAP + (index % 3) * (WIDTH + GAP)
    const top = GAP + Math.floor(index / 3) * (HEIGHT + GAP)
    return at === undefined ? [] : { at, left, top }
  })
  return drawCards(placed, { width: 3 * (WIDTH + GAP) + GAP, height: 3 * (HEIGHT + GAP) + GAP })
}

/** Names the picture that a cut card resembles most. */
async function nameOf({ jpeg, placement }: CutCard): Promise<number | undefined> {
  const card = await pipeline.run(jpeg, placement)
  const vectors = [card.embed(0), card.embed(1)]
  return search.search(vectors, { gameId: undefined, limit: 1 })[0]?.card_id
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
  const nearest = await Promise.all(found.map(nameOf))
  const places = nearest.map((at, index) => [
    `${positions[index]?.row}/${positions[index]?.column}`,
    at,
  ])
  // A quarter turn makes the last row the first column.
  expect(Object.fromEntries(places)).toEqual({
    '1/1': 51,
    '1/2': 27,
    '1/3': 3,
    '2/1': 59,
    '2/3': 11,
    '3/1': 67,
    '3/2': 43,
    '3/3': 19,
  })
})

test('an empty page has no card', async () => {
  expect((await cut(await drawPage([]))).cards).toEqual([])
})

test('a fan has each of its cards, which cover a third of the one below', async () => {
  const cards = CARDS.slice(0, 4)
  const size = { width: 1_900, height: 1_100 }
  const left = (index: number) => 260 + index * WIDTH * 0.66
  const fan = cards.map((at, index) => ({ at, left: left(index), top: 240 }))
  const { cards: found } = await cut(await drawCards(fan, size))
  const ordered = found.toSorted((one, other) => one.outline[0].x - other.outline[0].x)
  expect(await Promise.all(ordered.map(nameOf))).toEqual(cards)
})

test.each([
  ['', CARDS.slice(2, 6), 0],
  [' as stairs, with corners that look like those of one card', [3, 19, 35, 51], 10],
])(
  'a fan whose cards cover three fifths of the one below%s has each of its cards',
  async (_, cards, step) => {
    const size = { width: 1_750, height: 1_200 }
    const left = (index: number) => 235 + index * WIDTH * 0.42
    const fan = cards.map((at, index) => ({ at, left: left(index), top: 240 + index * step }))
    const { cards: found } = await cut(await drawCards(fan, size))
    const ordered = found.toSorted((one, other) => one.outline[0].x - other.outline[0].x)
    expect(ordered.map(({ placement }) => placement.isCovered)).toEqual([true, true, true, false])
    expect(await Promise.all(ordered.map(nameOf))).toEqual(cards)
  },
  60_000,
)

test('two pages side by side, one upside down, of one card many times under a reflection, are each found', async () => {
  const one = await drawPage(CARDS.map((at, index) => (index % 2 === 0 ? 11 : at)))
  const other = await sharp(one).rotate(180).toBuffer()
  const { width = 0, height = 0 } = await sharp(one).metadata()
  const white = { r: 255, g: 255, b: 255, alpha: 0.35 }
  const shine = {
    create: { width: 2 * width, height: 120, channels: 4, background: white },
  } as const
  const create = { width: 2 * width, height, channels: 3, background: '#5d6470' } as const
  const pages = await sharp({ create })
    .composite([
      { input: one, left: 0, top: 0 },
      { input: other, left: width, top: 0 },
      { input: shine, left: 0, top: 320 },
    ])
    .jpeg()
    .toBuffer()
  expect((await cut(pages)).cards).toHaveLength(18)
})

test('a photo of more than 36 cards has 36, and one of half a page those that lie in it', async () => {
  const [columns, rows, scale] = [8, 5, 0.4]
  const [width, height] = [WIDTH * scale + 24, HEIGHT * scale + 24]
  const many = Array.from({ length: columns * rows }, (_, index) => ({
    at: CARDS[index % CARDS.length] ?? 0,
    left: 24 + (index % columns) * width,
    top: 24 + Math.floor(index / columns) * height,
  }))
  const size = { width: Math.ceil(columns * width + 24), height: Math.ceil(rows * height + 24) }
  expect((await cut(await drawCards(many, size, scale))).cards).toHaveLength(36)
  const page = await drawPage(CARDS)
  const { width: wide = 0, height: tall = 0 } = await sharp(page).metadata()
  const half = { left: 0, top: 0, width: wide, height: Math.round(tall * 0.5) }
  const { cards: found } = await cut(await sharp(page).extract(half).png(FAST).toBuffer())
  const names = await Promise.all(found.map(nameOf))
  expect(names).toEqual(expect.arrayContaining(CARDS.slice(0, 3)))
})

test('a page of an art book has no card', async () => {
  const picture = sharp(await bytesOf(CARDS[0] ?? 0))
  const { width = 0, height = 0 } = await picture.metadata()
  const part = { left: Math.round(width * 0.1), top: Math.round(height * 0.14) }
  const art = await picture
    .extract({ ...part, width: Math.round(width * 0.8), height: Math.round(height * 0.38) })
    .resize(1_100, 700, { fit: 'fill' })
    .toBuffer()
  const create = { width: 1_400, height: 1_900, channels: 3, background: '#f2efe6' } as const
  const book = sharp({ create }).composite([
    { input: art, left: 150, top: 150 },
    { input: art, left: 150, top: 1_000 },
  ])
  expect((await cut(await book.png(FAST).toBuffer())).cards).toEqual([])
})
