import { expect, test } from 'bun:test'
import { orderFirstSets } from '#rules/photos/picture-index/first-sets.ts'

const photo = (...scores: [set: number, score: number][]) => ({
  candidates: scores.map(([id, score]) => ({ set: { id }, score })),
})

test('the set of a box comes before those of reprints, and these before the sets of lists', () => {
  const photos = [
    photo([7, 0.3], [2, 0.3], [1, 0.3]),
    photo([5, 0.5], [2, 0.5]),
    photo([2, 0.9], [7, 0.1]),
    photo(),
  ]
  expect(orderFirstSets(photos, [9, 5, 8])).toEqual([2, 5, 7, 1, 9, 8])
})

test('without photos and lists, no set comes first', () => {
  expect(orderFirstSets([], [])).toEqual([])
})
