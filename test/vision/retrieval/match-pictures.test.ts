import { describe, expect, test } from 'bun:test'
import { createLearnedSearch } from '#vision/retrieval/learned-search.ts'
import { matchPictures, settleBack } from '#vision/retrieval/match-pictures.ts'
import { createVectorSearch } from '#vision/retrieval/vector-search.ts'
import { scriptedVector } from '../../support/photos/scripted-pipeline.ts'

/** Cards 1 to 40 of game 1, each with its number's vector and a hash of zeros. */
const pictures = createVectorSearch()
const search = createLearnedSearch(pictures)
for (let id = 1; id <= 40; id++) pictures.put(id, 1, scriptedVector(id))
const loadHashes = async (ids: number[]) => new Map(ids.map((id) => [id, new Uint8Array(128)]))

/** Creates a hash with this distance from those of the cards. */
function bits(count: number): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, byte) => {
    const ones = Math.max(0, Math.min(8, count - byte * 8))
    return (1 << ones) - 1
  })
}

/** Creates a card that matches a picture in each orientation (0: none) at a distance. Two orientations are mirrored. */
function cardWith(...looks: [card: number, distance: number][]) {
  const requested: number[] = []
  const at = (orientation: number) => looks[orientation] ?? [0, 1_000]
  return {
    requested,
    orientations: 2,
    embed(orientation: number) {
      requested.push(orientation)
      return scriptedVector(at(orientation)[0] || -1 - orientation)
    },
    hashes: (orientation: number) => [bits(at(orientation)[1])],
  }
}

const NONE: [number, number] = [0, 480]
const match = (card: ReturnType<typeof cardWith>, gameId?: number) =>
  matchPictures(search, card, gameId, loadHashes)

describe('a photo', () => {
  test('is compared as in a mirror if it shows no picture otherwise', async () => {
    const card = cardWith(NONE, NONE, NONE, [9, 120])
    const { hits, neighbors, isMirrored } = await match(card)
    expect(isMirrored).toBe(true)
    expect(neighbors[0]).toEqual({ card_id: 9, cosine: 1, distance: 120 })
    expect(hits[0]).toMatchObject({ card_id: 9, queryIndex: 3 })
    expect(hits.every(({ queryIndex }) => queryIndex >= 2)).toBe(true)
  })

  test('is compared as in a mirror if only the vector fits otherwise', async () => {
    // Vectors of mirrored pictures are often similar; their hashes are not.
    const { neighbors, isMirrored } = await match(cardWith([7, 480], NONE, [7, 120]))
    expect([isMirrored, neighbors[0]?.distance]).toEqual([true, 120])
  })

  test('is not compared as in a mirror if it shows a picture', async () => {
    const card = cardWith(NONE, [8, 250], [9, 10], [9, 10])
    const { neighbors, isMirrored } = await match(card)
    expect([isMirrored, neighbors[0]?.card_id]).toEqual([false, 8])
    expect(card.requested).toEqual([0, 1])
  })

  test.each([
    ['the vector does not fit there', [NONE, NONE, NONE, NONE]],
    ['the hash does not fit there', [NONE, NONE, [9, 480], NONE]],
    ['it looks nearly as similar without', [[9, 330], NONE, [9, 290], NONE]],
  ] satisfies [string, [number, number][]][])(
    'is not compared as a mirror image if %s',
    async (_, looks) => {
      const { hits, isMirrored } = await match(cardWith(...looks))
      expect(isMirrored).toBe(false)
      expect(hits.every(({ queryIndex }) => queryIndex < 2)).toBe(true)
    },
  )

  test('is embedded at most once if there are no pictures to compare', async () => {
    const card = cardWith([7, 10], [8, 10])
    const nothing = { hits: [], neighbors: [], isMirrored: false }
    expect(await match(card, 2)).toEqual(nothing)
    expect(card.requested).toEqual([0])
    const empty = createLearnedSearch(createVectorSearch())
    expect(await matchPictures(empty, card, undefined, loadHashes)).toEqual(nothing)
    expect(card.requested).toEqual([0])
  })
})

describe('a back', () => {
  const settle = async (kind: 'back' | 'raw', ...looks: [number, number][]) => {
    const card = { ...cardWith(...looks), kind }
    const settled = settleBack(card, await match(card))
    return [settled.card.kind, settled.card.orientations, settled.hits[0]?.card_id]
  }

  test('that shows the picture of a card is a front', async () => {
    expect(await settle('back', [7, 120])).toEqual(['raw', 2, 7])
  })

  test('that shows no card is neither read nor identified', async () => {
    expect(await settle('back', [7, 480])).toEqual(['back', 0, undefined])
  })

  test('is not what a front is, found or not', async () => {
    expect(await settle('raw', [7, 120])).toEqual(['raw', 2, 7])
    expect(await settle('raw', [7, 480])).toEqual(['raw', 2, 7])
  })
})
