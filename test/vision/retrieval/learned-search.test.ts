import { describe, expect, test } from 'bun:test'
import type { LearnedReference } from '#rules/photos/picture-index/learned-references.ts'
import { createLearnedSearch } from '#vision/retrieval/learned-search.ts'
import { matchPictures } from '#vision/retrieval/match-pictures.ts'
import { packReferences, unpackReferences } from '#vision/retrieval/reference-source.ts'
import { createVectorSearch } from '#vision/retrieval/vector-search.ts'
import { scriptedVector } from '../../support/photos/scripted-pipeline.ts'

/** Returns a vector between those of two numbers; 0 is the first one, 1 the second one. */
function between(one: number, other: number, share: number): Int8Array {
  const [first, second] = [scriptedVector(one), scriptedVector(other)]
  return first.map((value, at) => Math.round(value * (1 - share) + (second[at] ?? 0) * share))
}

const reference = (card_id: number, vector: Int8Array, giver = 0): LearnedReference => ({
  card_id,
  game_id: 1,
  giver,
  vector,
  hash: new Uint8Array(128).fill(card_id),
})

/** Creates the search of cards 1 to 9 with pictures, and of references. */
function searchWith(...references: LearnedReference[]) {
  const pictures = createVectorSearch()
  for (let id = 1; id < 10; id++) pictures.put(id, 1, scriptedVector(id))
  const search = createLearnedSearch(pictures)
  search.setReferences(unpackReferences(packReferences(references)))
  const find = (vector: Int8Array, gameId?: number) =>
    search.search([vector], { gameId, limit: 50 })
  return { search, find }
}

describe('a card without a picture', () => {
  test('is found by a photo that people have named, with its hash', () => {
    const { search, find } = searchWith(reference(20, scriptedVector(30)))
    const [hit] = find(between(30, 5, 0.2))
    expect(hit).toMatchObject({ card_id: 20, reference: 0 })
    expect(hit?.cosine).toBeGreaterThan(0.9)
    expect(search.addHashes(hit ? [hit] : [], new Map()).get(20)).toEqual(
      new Uint8Array(128).fill(20),
    )
  })

  test('is found once, by the nearest of its photos', () => {
    const { find } = searchWith(
      reference(20, between(30, 31, 0.3)),
      reference(20, scriptedVector(30)),
    )
    const own = find(scriptedVector(30)).filter(({ card_id }) => card_id === 20)
    expect(own).toMatchObject([{ reference: 1, cosine: 1 }])
  })

  test('is not found by a photo that is unlike, of another game, or removed', () => {
    const { search, find } = searchWith(reference(20, scriptedVector(30)))
    const isFound = (vector: Int8Array, gameId?: number) =>
      find(vector, gameId).some(({ card_id }) => card_id === 20)
    expect(isFound(scriptedVector(40))).toBe(false)
    expect(isFound(scriptedVector(30), 2)).toBe(false)
    expect(isFound(scriptedVector(30), 1)).toBe(true)
    search.setReferences([])
    expect(isFound(scriptedVector(30))).toBe(false)
  })

  test('is not found by a photo of a card with a picture, also if the picture comes later', () => {
    expect(searchWith(reference(20, between(3, 30, 0.2))).find(scriptedVector(3))[0]?.card_id).toBe(
      3,
    )
    const { search, find } = searchWith(reference(20, scriptedVector(30)))
    expect(find(scriptedVector(30))[0]?.card_id).toBe(20)
    search.put(9, 1, scriptedVector(30))
    expect(find(scriptedVector(30)).map(({ card_id }) => card_id)).not.toContain(20)
  })
})

describe('an account that names one art as many cards', () => {
  const lies = Array.from({ length: 60 }, (_, at) => reference(100 + at, scriptedVector(30), 1))
  const idsFor = (...references: LearnedReference[]) =>
    searchWith(...references)
      .find(between(30, 31, 0.2))
      .map(({ card_id }) => card_id)

  test('makes a few of them near, and displaces no card that others have named', () => {
    const found = idsFor(...lies, reference(20, between(30, 32, 0.1), 2))
    expect(found).toContain(20)
    expect(found.filter((id) => id >= 100)).toHaveLength(5)
  })

  test('does not displace it with many references of one card', () => {
    const ofOne = lies.map(({ vector }) => reference(100, vector, 1))
    expect(idsFor(...ofOne, reference(20, between(30, 32, 0.1), 2))).toContain(20)
  })
})

describe('references that were compared with the pictures', () => {
  /** Counts the searches of all pictures. */
  function countedWith(...references: LearnedReference[]) {
    const pictures = createVectorSearch()
    let searches = 0
    const search = createLearnedSearch({
      ...pictures,
      search(...of) {
        searches++
        return pictures.search(...of)
      },
    })
    search.setReferences(references)
    const find = () => {
      searches = 0
      const hits = search.search([scriptedVector(30)], { gameId: undefined, limit: 50 })
      return { searches, ids: hits.map(({ card_id }) => card_id) }
    }
    return { search, find }
  }
  const likes = Array.from({ length: 4 }, (_, at) =>
    reference(20 + at, between(30, 40 + at, 0.1), at),
  )

  test('are compared with added pictures alone, which count', () => {
    const { search, find } = countedWith(...likes)
    search.put(1, 1, scriptedVector(1))
    expect(find()).toMatchObject({ searches: 5 })
    for (let id = 2; id < 9; id++) search.put(id, 1, scriptedVector(id))
    expect(find()).toMatchObject({ searches: 1, ids: expect.arrayContaining([20, 21, 22, 23]) })
    search.put(9, 1, likes[0]?.vector ?? scriptedVector(30))
    const { searches, ids } = find()
    expect([searches, ids.includes(9), ids.includes(20)]).toEqual([1, true, false])
  })

  test('are compared with all once more if a picture was replaced or removed', () => {
    const { search, find } = countedWith(...likes)
    search.put(1, 1, likes[0]?.vector ?? scriptedVector(30))
    expect(find().ids).not.toContain(20)
    search.put(1, 1, scriptedVector(1))
    expect(find().ids).toContain(20)
    search.put(2, 1, likes[1]?.vector ?? scriptedVector(30))
    expect(find().ids).not.toContain(21)
    search.remove(2)
    expect(find().ids).toContain(21)
  })
})

describe('beside a picture, a photo', () => {
  const photo = between(3, 30, 0.4)
  const plain = searchWith().find(photo)[0]?.cosine ?? 0

  test('makes its card nearer, with less weight', () => {
    const [hit] = searchWith(reference(3, photo)).find(photo)
    expect(hit).toMatchObject({ card_id: 3, cosine: 0.9 })
    expect(hit).not.toHaveProperty('reference')
    expect(plain).toBeLessThan(0.9)
  })

  test('changes nothing if the picture is unlike, or that of another card is nearer', () => {
    for (const wrong of [scriptedVector(30), between(4, 3, 0.1)]) {
      expect(searchWith(reference(3, wrong)).find(wrong)).toEqual(searchWith().find(wrong))
    }
  })
})

test('the orientation of a photo is never that of a reference', async () => {
  const { search } = searchWith(reference(20, scriptedVector(30)))
  const embedded: number[] = []
  const card = {
    orientations: 2,
    embed(orientation: number) {
      embedded.push(orientation)
      return scriptedVector(orientation === 0 ? 30 : 31)
    },
    hashes: () => [new Uint8Array(128).fill(20)],
  }
  const { neighbors } = await matchPictures(search, card, undefined, async () => new Map())
  expect(neighbors[0]).toEqual({ card_id: 20, cosine: 1, distance: 0, isLearned: true })
  expect(embedded).toContain(1)
})
