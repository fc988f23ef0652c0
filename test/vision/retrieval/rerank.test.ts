import { describe, expect, test } from 'bun:test'
import { findNearest, rerankByHash } from '#vision/retrieval/rerank.ts'
import { createVectorSearch } from '#vision/retrieval/vector-search.ts'
import { scriptedVector } from '../../support/photos/scripted-pipeline.ts'

/** Cards 1 to 40, each with its number's vector. */
function gallery() {
  const search = createVectorSearch()
  for (let id = 1; id <= 40; id++) search.put(id, 1, scriptedVector(id))
  return search
}

/** Creates a card with one vector per orientation, and the requested orientations. */
function cardWith(...numbers: number[]) {
  const requested: number[] = []
  const embed = (orientation: number) => {
    requested.push(orientation)
    return scriptedVector(numbers[orientation] ?? 0)
  }
  return { orientations: numbers.length, embed, requested }
}

describe('the nearest cards', () => {
  test('are searched in one orientation if that is certain', () => {
    const card = cardWith(7, 8)
    expect(findNearest(gallery(), card, undefined)[0]).toMatchObject({ card_id: 7, queryIndex: 0 })
    expect(card.requested).toEqual([0])
  })

  test('are searched in both orientations if the first is uncertain', () => {
    const card = cardWith(-1, 8)
    expect(findNearest(gallery(), card, undefined)[0]).toMatchObject({ card_id: 8, queryIndex: 1 })
    expect(card.requested).toEqual([0, 1])
  })

  test('are empty for a photo without a card, or a game without pictures', () => {
    expect(findNearest(gallery(), cardWith(), undefined)).toEqual([])
    expect(findNearest(gallery(), cardWith(7, 8), 2)).toEqual([])
  })
})

/** Returns 1,024 bits, the first `count` of which are set. */
function bits(count: number): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, byte) => {
    const ones = Math.max(0, Math.min(8, count - byte * 8))
    return (1 << ones) - 1
  })
}

/** Hashes with this number of bits set, generated on demand. */
function cropsOf(...counts: number[]) {
  const generated: number[] = []
  function* hashes() {
    for (const count of counts) {
      generated.push(count)
      yield bits(count)
    }
  }
  return { hashes, generated }
}

describe('distances', () => {
  const found = [1, 2, 3].map((card_id) => ({
    card_id,
    cosine: 0.9 - card_id / 100,
    queryIndex: 0,
  }))
  const own = new Map([1, 2].map((id) => [id, bits(id === 1 ? 0 : 40)] as const))
  const apart = new Map([1, 2].map((id) => [id, bits(id === 1 ? 0 : 900)] as const))

  test('are those of the closest crop', () => {
    const neighbors = rerankByHash(found, cropsOf(600, 300, 450), own)
    expect(neighbors.map(({ card_id, distance }) => [card_id, distance])).toEqual([
      [2, 260],
      [1, 300],
      [3, undefined],
    ])
  })

  test('are computed until one is certain, with the same crops for all cards', () => {
    const crops = cropsOf(600, 190, 0)
    const neighbors = rerankByHash(found, crops, apart)
    expect(crops.generated).toEqual([600, 190])
    expect(neighbors.find(({ card_id }) => card_id === 2)?.distance).toBe(300)
    // Another card is nearly as similar, so all crops are used.
    const close = cropsOf(600, 190, 0)
    expect(rerankByHash(found, close, own).slice(0, 2)).toMatchObject([
      { distance: 0 },
      { distance: 40 },
    ])
    expect(close.generated).toHaveLength(3)
  })

  test('use crops in the orientation of the hit', () => {
    const other = found.map((card) => ({ ...card, queryIndex: card.card_id === 2 ? 1 : 0 }))
    const hashes = (orientation: number) => [bits(orientation === 1 ? 50 : 400)]
    const neighbors = rerankByHash(other, { hashes }, own)
    expect(neighbors.map(({ card_id, distance }) => [card_id, distance])).toEqual([
      [2, 10],
      [3, undefined],
      [1, 400],
    ])
  })

  test('are not computed without known hashes', () => {
    const crops = cropsOf(10)
    expect(rerankByHash(found, crops, new Map())).toHaveLength(3)
    expect(crops.generated).toEqual([])
  })
})
