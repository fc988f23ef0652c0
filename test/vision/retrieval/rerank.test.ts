import { describe, expect, test } from 'bun:test'
import { findNearest, rerankByHash } from '#vision/retrieval/rerank.ts'
import { createVectorSearch } from '#vision/retrieval/vector-search.ts'
import { scriptedVector } from '../../support/photos/scripted-pipeline.ts'

/** Cards 1 to 40, each with the vector of its number. */
function gallery() {
  const nearest = createVectorSearch()
  for (let id = 1; id <= 40; id++) nearest.put(id, 1, scriptedVector(id))
  return nearest
}

/** Sees one vector each way up, and counts how often it is asked. */
function sightOf(...numbers: number[]) {
  const asked: number[] = []
  const embed = (way: number) => {
    asked.push(way)
    return scriptedVector(numbers[way] ?? 0)
  }
  return { orientations: numbers.length, embed, asked }
}

describe('the nearest to a photo', () => {
  test('is looked up one way up where that leaves no doubt', () => {
    const sight = sightOf(7, 8)
    expect(findNearest(gallery(), sight, undefined)[0]).toMatchObject({ card_id: 7, queryIndex: 0 })
    expect(sight.asked).toEqual([0])
  })

  test('is looked up the other way, too, where the first finds nothing sure', () => {
    const sight = sightOf(-1, 8)
    expect(findNearest(gallery(), sight, undefined)[0]).toMatchObject({ card_id: 8, queryIndex: 1 })
    expect(sight.asked).toEqual([0, 1])
  })

  test('is nothing for a photo without a card, or of a game that has no pictures', () => {
    expect(findNearest(gallery(), sightOf(), undefined)).toEqual([])
    expect(findNearest(gallery(), sightOf(7, 8), 2)).toEqual([])
  })
})

/** 1,024 bits of which the first so many are set. */
function bits(count: number): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, byte) => {
    const ones = Math.max(0, Math.min(8, count - byte * 8))
    return (1 << ones) - 1
  })
}

/** Crops whose hashes have so many bits set, made one by one. */
function cropsOf(...counts: number[]) {
  const made: number[] = []
  function* hashes() {
    for (const count of counts) {
      made.push(count)
      yield bits(count)
    }
  }
  return { hashes, made }
}

describe('distances', () => {
  const found = [1, 2, 3].map((card_id) => ({
    card_id,
    cosine: 0.9 - card_id / 100,
    queryIndex: 0,
  }))
  const own = new Map([1, 2].map((id) => [id, bits(id === 1 ? 0 : 40)] as const))
  const apart = new Map([1, 2].map((id) => [id, bits(id === 1 ? 0 : 900)] as const))

  test('are those of the nearest crop', () => {
    const near = rerankByHash(found, cropsOf(600, 300, 450), own)
    expect(near.map(({ card_id, distance }) => [card_id, distance])).toEqual([
      [2, 260],
      [1, 300],
      [3, undefined],
    ])
  })

  test('are made until one leaves no doubt, and all cards are compared with the same crops', () => {
    const crops = cropsOf(600, 190, 0)
    const near = rerankByHash(found, crops, apart)
    expect(crops.made).toEqual([600, 190])
    expect(near.find(({ card_id }) => card_id === 2)?.distance).toBe(300)
    // Another one is about as near: all are made.
    const close = cropsOf(600, 190, 0)
    expect(rerankByHash(found, close, own).slice(0, 2)).toMatchObject([
      { distance: 0 },
      { distance: 40 },
    ])
    expect(close.made).toHaveLength(3)
  })

  test('are those of the crops that lie the way up in which the card was found', () => {
    const other = found.map((card) => ({ ...card, asked: card.card_id === 2 ? 1 : 0 }))
    const hashes = (way: number) => [bits(way === 1 ? 50 : 400)]
    const near = rerankByHash(other, { hashes }, own)
    expect(near.map(({ card_id, distance }) => [card_id, distance])).toEqual([
      [2, 10],
      [3, undefined],
      [1, 400],
    ])
  })

  test('are not made where no hash is known', () => {
    const crops = cropsOf(10)
    expect(rerankByHash(found, crops, new Map())).toHaveLength(3)
    expect(crops.made).toEqual([])
  })
})
