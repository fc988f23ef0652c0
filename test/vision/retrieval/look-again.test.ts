import { describe, expect, test } from 'bun:test'
import type { CardObservation } from '#vision/observation.ts'
import { createLearnedSearch } from '#vision/retrieval/learned-search.ts'
import { findPicture } from '#vision/retrieval/look-again.ts'
import { createVectorSearch } from '#vision/retrieval/vector-search.ts'
import { scriptedVector } from '../../support/photos/scripted-pipeline.ts'

/** Cards 1 to 40 of game 1, each with its number's vector and a hash of zeros. */
const search = createVectorSearch()
for (let id = 1; id <= 40; id++) search.put(id, 1, scriptedVector(id))
const loadHashes = async (ids: number[]) => new Map(ids.map((id) => [id, new Uint8Array(128)]))

type Look = {
  name: string
  /** Card whose vector it has; a stranger by default. */
  shows?: number
  /** Distance to its picture. */
  bits?: number
  elsewhere?: Look[]
  recrop?: Look[]
}

const taken: string[] = []

/** Creates an observation that records which looks were taken. */
function observe({ name, shows, bits = 480, elsewhere, recrop }: Look): CardObservation {
  const list = (looks: Look[]) =>
    function* () {
      for (const look of looks) yield observe(look)
    }
  return {
    photo: { width: 600, height: 800 },
    kind: 'raw',
    items: 1,
    quality: undefined,
    orientations: 1,
    embed() {
      taken.push(name)
      return scriptedVector(shows ?? -1)
    },
    hashes: () => [Uint8Array.from({ length: 128 }, (_, byte) => (byte * 8 < bits ? 255 : 0))],
    estimateFinish: () => ({ foilProbability: 0 }),
    readText: () => [],
    ...(elsewhere && { elsewhere: list(elsewhere) }),
    ...(recrop && { recrop: list(recrop) }),
  }
}

/** Returns the nearest card, undefined if it is not found, and the looks that were taken. */
async function find(first: Look, index = search) {
  taken.length = 0
  const { match } = await findPicture(
    createLearnedSearch(index),
    observe(first),
    undefined,
    loadHashes,
  )
  const [nearest] = match.neighbors
  const isFound = nearest !== undefined && (nearest.distance ?? 1_024) <= 360
  return { card: isFound ? nearest.card_id : undefined, looks: [...new Set(taken)] }
}

const stranger = (name: string): Look => ({ name })
const card = (name: string, shows: number, bits: number): Look => ({ name, shows, bits })

describe('a photo', () => {
  test('whose picture is certain is looked at once', async () => {
    const first = {
      ...card('first', 7, 120),
      elsewhere: [card('place', 9, 8)],
      recrop: [stranger('crop')],
    }
    expect(await find(first)).toEqual({ card: 7, looks: ['first'] })
  })

  test('is looked at elsewhere until its picture is found, and no further', async () => {
    const places = [stranger('table'), card('hand', 9, 160), card('later', 8, 8)]
    const found = await find({ ...stranger('first'), elsewhere: places })
    expect(found).toEqual({ card: 9, looks: ['first', 'table', 'hand'] })
  })

  test('is cropped otherwise at the place where its picture is', async () => {
    const place = { ...card('place', 9, 330), recrop: [card('smaller', 9, 104)] }
    const first = {
      ...stranger('first'),
      elsewhere: [place],
      recrop: [card('first, smaller', 3, 8)],
    }
    expect(await find(first)).toEqual({ card: 9, looks: ['first', 'place', 'smaller'] })
  })

  test('of a card that nobody has a picture of keeps its first place, however many looks', async () => {
    const others = [...Array(20).keys()].map((at) => card(`look ${at}`, 1 + at, 376))
    const { card: nearest, looks } = await find({
      ...stranger('first'),
      elsewhere: others,
      recrop: others,
    })
    expect([nearest, looks.length]).toEqual([undefined, 21])
  })

  test('is looked at once, or not at all, without pictures to compare', async () => {
    const first = {
      ...stranger('first'),
      elsewhere: [stranger('place')],
      recrop: [stranger('crop')],
    }
    expect(await find(first, createVectorSearch())).toEqual({ card: undefined, looks: [] })
  })
})
