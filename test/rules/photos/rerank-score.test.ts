import { expect, test } from 'bun:test'
import { RERANK_COUNT, rerank } from '#rules/photos/rerank-score.ts'

const idsOf = (neighbors: Parameters<typeof rerank>[0]) =>
  rerank(neighbors).map(({ card_id }) => card_id)

test('a close hash outweighs a slightly closer vector', () => {
  expect(
    idsOf([
      { card_id: 1, cosine: 0.8, distance: 400 },
      { card_id: 2, cosine: 0.75, distance: 200 },
    ]),
  ).toEqual([2, 1])
})

test('a card without a hash ranks between close and distant hashes', () => {
  expect(
    idsOf([
      { card_id: 1, cosine: 0.7, distance: 450 },
      { card_id: 2, cosine: 0.7, distance: undefined },
      { card_id: 3, cosine: 0.7, distance: 150 },
    ]),
  ).toEqual([3, 2, 1])
})

test('ties are ordered by id, and cards beyond the limit keep their order', () => {
  const neighbors = Array.from({ length: RERANK_COUNT + 5 }, (_, index) => ({
    card_id: 100 - index,
    cosine: 0.5,
    distance: undefined,
  }))
  const last = neighbors.slice(RERANK_COUNT).map(({ card_id }) => card_id)
  const first = neighbors.slice(0, RERANK_COUNT).map(({ card_id }) => card_id)
  expect(idsOf(neighbors)).toEqual([...first.reverse(), ...last])
})
