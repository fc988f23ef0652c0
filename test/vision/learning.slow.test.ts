// Learns cards from named photos, drawn from pictures of the sample, with the real networks.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { findCandidates } from '#actions/photos/read-photo.ts'
import type { IndexedPicture } from '#rules/photos/art-groups.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import {
  acceptReferences,
  type LearnedReference,
  type ReferenceClaim,
} from '#rules/photos/picture-index/learned-references.ts'
import { decideVerdict } from '#rules/photos/verdict.ts'
import { readUpright } from '#vision/ocr/read-text.ts'
import { loadPipeline, type VisionPipeline } from '#vision/pipeline.ts'
import { createLearnedSearch } from '#vision/retrieval/learned-search.ts'
import { matchPictures } from '#vision/retrieval/match-pictures.ts'
import { createVectorSearch } from '#vision/retrieval/vector-search.ts'
import { seededRandom } from '../support/photos/drawn-pictures.ts'
import { scriptedVector } from '../support/photos/scripted-pipeline.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const PICTURES = resolve(import.meta.dir, '../../data/sample/pictures')
const GAME = 1
/** Photos of each card: two that people name, and two that are identified. */
const [NAMED, LOOKS] = [2, 4]

/** A photo after the networks. What they see does not depend on the references. */
type SeenPhoto = {
  card: number
  observation: PhotoObservation
  vectors: Int8Array[]
  hashes: Uint8Array[][]
}

let testApp: TestApp
let pictures: Map<number, IndexedPicture>
let photos: SeenPhoto[]

beforeAll(async () => {
  testApp = await createTestApp()
  const pipeline = await loadPipeline()
  const files = readdirSync(PICTURES)
    .toSorted()
    .filter((_, at) => at % 6 === 3)
  pictures = new Map()
  photos = []
  const random = seededRandom(4_907)
  for (const file of files) {
    const card = Number(file.replace(/\.webp$/, ''))
    const bytes = await Bun.file(join(PICTURES, file)).bytes()
    pictures.set(card, await pipeline.fingerprint(bytes))
    for (let look = 0; look < LOOKS; look++) {
      photos.push(await see(pipeline, card, await photograph(bytes, random)))
    }
  }
  pipeline.close()
}, 240_000)
afterAll(() => testApp.close())

/** Photographs a card from afar, so that hardly anything is legible, on a table and in a light of its own. */
async function photograph(picture: Uint8Array, random: () => number): Promise<Uint8Array> {
  const shade = () => Math.round(40 + 150 * random())
  const table = { r: shade(), g: shade(), b: shade() }
  const card = await sharp(picture)
    .resize(170, 237, { fit: 'fill' })
    .ensureAlpha()
    .rotate(16 * random() - 8, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer()
  const scene = await sharp({
    create: { width: 800, height: 1_000, channels: 3, background: table },
  })
    .composite([
      {
        input: card,
        left: 200 + Math.round(100 * random()),
        top: 220 + Math.round(100 * random()),
      },
    ])
    .png()
    .toBuffer()
  const lit = sharp(scene)
    .linear(0.55 + 0.6 * random(), 0)
    .blur(0.8 + 0.6 * random())
  return new Uint8Array(await lit.jpeg({ quality: 80 }).toBuffer())
}

async function see(pipeline: VisionPipeline, card: number, jpeg: Uint8Array): Promise<SeenPhoto> {
  const seen = await pipeline.run(jpeg)
  const { photo, kind, items, quality, orientations } = seen
  const sides = Array.from({ length: orientations }, (_, side) => side)
  const lines = readUpright(seen, { hits: [], neighbors: [] })
  const read = { photo, kind, items, quality, lines, isMirrored: false, finish: undefined }
  return {
    card,
    observation: { ...read, neighbors: [] },
    vectors: sides.map((side) => seen.embed(side)),
    hashes: sides.map((side) => [...seen.hashes(side)]),
  }
}

/** Creates the search of some cards' pictures. */
function openWorld(indexed: readonly number[]) {
  const search = createLearnedSearch(createVectorSearch())
  for (const card of indexed) {
    const picture = pictures.get(card)
    if (picture !== undefined) search.put(card, GAME, picture.vector)
  }
  const known = new Map([...pictures].map(([card, { hash }]) => [card, hash]))

  async function identify({ card, observation, vectors, hashes }: SeenPhoto) {
    const side = (at: number) => at % vectors.length
    const compared = {
      orientations: vectors.length,
      embed: (at: number) => vectors[side(at)] ?? new Int8Array(128),
      hashes: (at: number) => hashes[side(at)] ?? [],
    }
    const load = async (ids: number[]) =>
      new Map(
        ids.flatMap((id) =>
          indexed.includes(id) ? [[id, known.get(id) ?? new Uint8Array(128)]] : [],
        ),
      )
    const { neighbors } = await matchPictures(search, compared, undefined, load)
    const { reading, cards } = findCandidates(
      testApp.deps.catalog,
      { ...observation, neighbors },
      undefined,
    )
    const { status, candidates } = decideVerdict(reading, cards, [])
    return { card, first: candidates[0]?.card.id, isMatched: status === 'matched', neighbors }
  }
  return {
    /** Adds a picture that is like another one: a share of its vector is that of something else. */
    addTwin(card: number, { vector }: IndexedPicture): void {
      const other = scriptedVector(card)
      search.put(
        card,
        GAME,
        vector.map((value, at) => Math.round(0.93 * value + 0.07 * (other[at] ?? 0))),
      )
    },
    refer(claims: readonly ReferenceClaim[]): void {
      const accepted = [...Map.groupBy(claims, ({ card_id }) => card_id).values()].flatMap(
        acceptReferences,
      )
      search.setReferences(
        accepted.map(({ card_id, account_id, vector, hash }): LearnedReference => {
          return { card_id, game_id: GAME, giver: account_id, vector, hash }
        }),
      )
    },
    identifyAll: (of: readonly SeenPhoto[]) => Promise.all(of.map(identify)),
  }
}

const looksOf = (card: number) => photos.filter((photo) => photo.card === card)
const isTested = (photo: SeenPhoto) => looksOf(photo.card).indexOf(photo) >= NAMED
const tested = () => photos.filter(isTested)

/** The card that a photo shows according to an account. */
function claim(
  { vectors, hashes }: SeenPhoto,
  card_id: number,
  account_id: number,
  isStaff = false,
): ReferenceClaim {
  const [vector, hash] = [vectors[0], hashes[0]?.[0]]
  if (vector === undefined || hash === undefined) throw new Error('the card was not found')
  return { card_id, account_id, isStaff, created_at: account_id, vector, hash }
}

/** Two accounts name one photo of each card. */
const honest = (cards: readonly number[]) =>
  cards.flatMap((card) =>
    looksOf(card)
      .slice(0, NAMED)
      .map((photo, account) => claim(photo, card, account + 1)),
  )

const looks = (all: readonly Identified[]) =>
  all.map(({ card, first, isMatched }) => ({ card, first, isMatched }))
type Identified = Awaited<ReturnType<ReturnType<typeof openWorld>['identifyAll']>>[number]
const countRight = (all: readonly Identified[]) =>
  all.filter(({ card, first }) => first === card).length
const wrongOf = (all: readonly Identified[]) =>
  all.filter(({ card, first, isMatched }) => isMatched && first !== card)

/** Cards without, and with an indexed picture. */
const unseen = () => [...pictures.keys()].filter((_, at) => at % 2 === 0)
const indexed = () => [...pictures.keys()].filter((_, at) => at % 2 === 1)
const ofCards = (cards: readonly number[]) => tested().filter(({ card }) => cards.includes(card))

describe('a card without a picture', () => {
  test('is found once two accounts have named a photo of it', async () => {
    const world = openWorld(indexed())
    const photosOf = ofCards(unseen())
    const before = countRight(await world.identifyAll(photosOf))
    world.refer(honest(unseen()))
    const after = await world.identifyAll(photosOf)
    console.info(`right card first: ${before}, then ${countRight(after)} of ${photosOf.length}`)
    expect(before).toBeLessThan(0.8 * photosOf.length)
    expect(countRight(after)).toBeGreaterThanOrEqual(0.95 * photosOf.length)
    expect(wrongOf(after)).toEqual([])
  })
})

describe('5 % of the names that staff give, wrong at random,', () => {
  test('make no card wrong, and change nothing for cards with a picture', async () => {
    const cards = [...pictures.keys()]
    const world = openWorld(indexed())
    const plain = looks(await world.identifyAll(ofCards(indexed())))
    const random = seededRandom(20_261)
    const anyOf = (ids: readonly number[]) => ids[Math.floor(random() * ids.length)] ?? 0
    let right = 0
    for (let round = 0; round < ROUNDS; round++) {
      world.refer(
        photos
          .filter((photo) => !isTested(photo))
          .map((photo, at) => {
            const card = random() < WRONG_SHARE ? anyOf(cards) : photo.card
            return claim(photo, card, at % 4, true)
          }),
      )
      expect(looks(await world.identifyAll(ofCards(indexed())))).toEqual(plain)
      const found = await world.identifyAll(ofCards(unseen()))
      expect(wrongOf(found)).toEqual([])
      right += countRight(found)
    }
    expect(right).toBeGreaterThanOrEqual(0.85 * ROUNDS * ofCards(unseen()).length)
  })
})

describe('a poisoned card', () => {
  test('one account cannot make: nothing that it says counts', async () => {
    const world = openWorld(indexed())
    const [target = 0] = unseen()
    const others = honest(unseen().filter((card) => card !== target))
    world.refer(others)
    const plain = looks(await world.identifyAll(tested()))
    const poison = [...pictures.keys()].flatMap((card) =>
      looksOf(card).map((photo) => claim(photo, target, 99)),
    )
    world.refer([...others, ...poison])
    expect(looks(await world.identifyAll(tested()))).toEqual(plain)
  })

  test('is ignored, even if staff named it, where the pictures of other cards are nearer', async () => {
    const world = openWorld(indexed())
    const [target = 0] = unseen()
    const plain = looks(await world.identifyAll(ofCards(indexed())))
    for (const as of [target, indexed()[0] ?? 0]) {
      const poison = indexed().flatMap((card) =>
        card === as ? [] : looksOf(card).map((photo) => claim(photo, as, 99, true)),
      )
      // Eight of a card are used, so each photo is tried alone, too.
      for (const named of [poison, ...poison.map((one) => [one])]) {
        world.refer(named)
        expect(looks(await world.identifyAll(ofCards(indexed())))).toEqual(plain)
      }
    }
  })

  test('does not displace a card that others have named, with any number of photos', async () => {
    const [learned = 0, target = 0] = unseen()
    const world = openWorld(indexed())
    const poison = Array.from({ length: 200 }, (_, at) =>
      looksOf(learned).map((photo) => claim(photo, target, 50 + at)),
    ).flat()
    world.refer([...honest([learned]), ...poison])
    const found = await world.identifyAll(ofCards([learned]))
    for (const { neighbors } of found) {
      expect(neighbors.slice(0, 2).map(({ card_id }) => card_id)).toContain(learned)
    }
    expect(wrongOf(found)).toEqual([])
    expect(acceptReferences(poison)).toHaveLength(8)
  })
})

test('beside a picture, a photo that was named as a twin of its card leaves the card first', async () => {
  const [card = 0] = indexed()
  const [named, ...others] = looksOf(card)
  const own = pictures.get(card)
  if (named === undefined || own === undefined) throw new Error('the card is missing')
  const world = openWorld([card])
  // A twin has nearly the same art, as a reprint with another frame.
  world.addTwin(TWIN, own)
  const cosines = async () =>
    (await world.identifyAll(others)).map(({ neighbors }) =>
      [card, TWIN].map((id) => neighbors.find((one) => one.card_id === id)?.cosine ?? 0),
    )
  world.refer([claim(named, TWIN, 1, true)])
  for (const [one = 0, other = 0] of await cosines()) expect(other).toBeLessThan(one)
})

const TWIN = 900_999
/** Rounds of random names, and the share of wrong ones. */
const [ROUNDS, WRONG_SHARE] = [40, 0.05]
