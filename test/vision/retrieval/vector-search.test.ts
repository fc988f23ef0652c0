import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { createVectorSearch } from '#vision/retrieval/vector-search.ts'
import { BLOCK_ROWS, VECTOR_LENGTH } from '#vision/retrieval/vector-store.ts'
import { compileSearch } from '../../../scripts/tools/build-vector-search.ts'
import { createSeededRandom } from '../../../scripts/tools/seed/random.ts'

type Picture = { game_id: number; vector: Int8Array }

const chance = createSeededRandom(4)

/** Vectors of numbers up to `most`. Few distinct numbers produce many ties. */
function anyVector(most = 127): Int8Array {
  return Int8Array.from({ length: VECTOR_LENGTH }, () => chance.below(2 * most + 1) - most)
}

/** Reference implementation in double precision. */
function naiveSearch(
  pictures: ReadonlyMap<number, Picture>,
  queries: readonly Int8Array[],
  { gameId, limit }: { gameId: number | undefined; limit: number },
) {
  const best = [...pictures]
    .filter(([, { game_id }]) => gameId === undefined || game_id === gameId)
    .map(([card_id, { vector }]) => ({
      card_id,
      cosine: Math.max(...queries.map((other) => cosineOf(vector, other))),
    }))
  return best
    .sort((one, other) => other.cosine - one.cosine || one.card_id - other.card_id)
    .slice(0, limit)
}

function cosineOf(one: Int8Array, other: Int8Array): number {
  let [dot, square, otherSquare] = [0, 0, 0]
  for (let index = 0; index < VECTOR_LENGTH; index++) {
    const [a, b] = [one[index] ?? 0, other[index] ?? 0]
    dot += a * b
    square += a * a
    otherSquare += b * b
  }
  return dot / Math.sqrt(square * otherSquare)
}

function openWith(pictures: ReadonlyMap<number, Picture>) {
  const nearest = createVectorSearch()
  for (const [card_id, { game_id, vector }] of pictures) nearest.put(card_id, game_id, vector)
  return nearest
}

const plain = (found: readonly { card_id: number; cosine: number }[]) =>
  found.map(({ card_id, cosine }) => ({ card_id, cosine }))

test('the committed WASM module equals its compiled source', async () => {
  const committed = readFileSync(
    new URL('../../../src/vision/retrieval/int8-search.wasm', import.meta.url),
  )
  expect(Buffer.from(await compileSearch()).equals(committed)).toBe(true)
})

test.each([
  ['any vectors', 127, 7],
  ['ties, ordered by id', 1, 1],
] as const)('the nearest are found exactly: %s', (_, most, different) => {
  for (let round = 0; round < 6; round++) {
    const kinds = Array.from({ length: 40 * different }, () => anyVector(most))
    const pictures = new Map<number, Picture>()
    for (let index = 0; index < 3_000; index++) {
      pictures.set(chance.below(1_000_000), {
        game_id: chance.below(5),
        vector: chance.pick(kinds),
      })
      pictures.set(chance.below(1_000_000), { game_id: chance.below(5), vector: anyVector(most) })
    }
    const nearest = openWith(pictures)
    const queries = Array.from({ length: 1 + (round % 3) }, () =>
      chance.happens(0.5) ? chance.pick(kinds) : anyVector(most),
    )
    for (const search of [
      { gameId: undefined, limit: 50 },
      { gameId: round % 5, limit: 50 },
    ]) {
      expect(plain(nearest.search(queries, search))).toEqual(naiveSearch(pictures, queries, search))
    }
  }
})

test('sums of the largest values do not overflow', () => {
  const low = new Int8Array(VECTOR_LENGTH).fill(-128)
  const high = new Int8Array(VECTOR_LENGTH).fill(127)
  const nearest = createVectorSearch()
  nearest.put(1, 3, low)
  nearest.put(2, 3, high)
  expect(plain(nearest.search([low], { gameId: 3, limit: 5 }))).toEqual([
    { card_id: 1, cosine: 1 },
    { card_id: 2, cosine: -1 },
  ])
})

test('a hit has the index of its nearest query', () => {
  const vectors = [anyVector(), anyVector(), anyVector()]
  const nearest = createVectorSearch()
  for (const [index, vector] of vectors.entries()) nearest.put(index, 1, vector)
  const found = nearest.search(vectors, { gameId: undefined, limit: 3 })
  expect(found.map(({ card_id, queryIndex }) => [card_id, queryIndex])).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ])
})

test('a zero vector is never found and finds nothing', () => {
  const zeros = new Int8Array(VECTOR_LENGTH)
  const nearest = createVectorSearch()
  nearest.put(1, 3, zeros)
  nearest.put(2, 3, anyVector())
  expect(nearest.search([anyVector()], { gameId: 3, limit: 5 })).toHaveLength(1)
  expect(nearest.search([zeros], { gameId: 3, limit: 5 })).toEqual([])
})

test('a game without pictures has no hits', () => {
  const nearest = openWith(new Map([[7, { game_id: 3, vector: anyVector() }]]))
  expect(nearest.search([anyVector()], { gameId: 4, limit: 5 })).toEqual([])
  nearest.remove(7)
  expect(nearest.search([anyVector()], { gameId: undefined, limit: 5 })).toEqual([])
})

test('adding, changing, moving and removing equals a plain list', () => {
  const card_id = fc.integer({ min: 1, max: 60 }).map((id) => id * 4_096)
  const change = fc.oneof(
    { weight: 3, arbitrary: fc.record({ card_id, game_id: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ card_id }) },
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
      const pictures = new Map<number, Picture>()
      const nearest = createVectorSearch()
      for (const { card_id, ...put } of changes) {
        if ('game_id' in put) {
          const picture = { game_id: put.game_id, vector: anyVector() }
          pictures.set(card_id, picture)
          nearest.put(card_id, picture.game_id, picture.vector)
        } else {
          pictures.delete(card_id)
          nearest.remove(card_id)
        }
      }
      expect(nearest.count()).toBe(pictures.size)
      const queries = [anyVector()]
      for (const gameId of [undefined, 1, 2, 3]) {
        const search = { gameId, limit: 100 }
        expect(plain(nearest.search(queries, search))).toEqual(
          naiveSearch(pictures, queries, search),
        )
      }
    }),
    { numRuns: 30, seed: 4 },
  )
})

test('freed blocks are reused', () => {
  const pictures = new Map<number, Picture>()
  const nearest = createVectorSearch()
  const sizes: number[] = []
  for (let round = 0; round < 4; round++) {
    for (let id = 0; id < 20 * BLOCK_ROWS; id++) {
      const picture = { game_id: (id + round) % 3, vector: anyVector(3) }
      pictures.set(id, picture)
      nearest.put(id, picture.game_id, picture.vector)
    }
    sizes.push(nearest.size())
    const search = { gameId: round % 3, limit: 50 }
    const queries = [anyVector(3)]
    expect(plain(nearest.search(queries, search))).toEqual(naiveSearch(pictures, queries, search))
    for (let id = 0; id < 20 * BLOCK_ROWS; id++) {
      if (chance.happens(0.1)) continue
      pictures.delete(id)
      nearest.remove(id)
    }
    expect(nearest.count()).toBe(pictures.size)
  }
  expect(new Set(sizes).size).toBe(1)
})

test('500,000 pictures of 80 games take 64 MB plus a sixth', () => {
  const nearest = createVectorSearch()
  const vector = anyVector()
  for (let id = 0; id < 500_000; id++) nearest.put(id, id % 80, vector)
  expect(nearest.size()).toBeLessThan((500_000 * VECTOR_LENGTH * 7) / 6)
})
