import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  cosineSimilarity,
  groupByArt,
  hammingDistance,
  isPlaceholder,
  isSameArt,
  nextFetchAt,
} from '#rules/photos/art-groups.ts'
import { fakeFingerprint } from '../../support/photos/fake-pipeline.ts'

const NOW = new Date('2026-11-15T21:30:00Z')
const DAY = 86_400

describe('two pictures', () => {
  test('show the same art if vectors and hashes are close', () => {
    expect(isSameArt(fakeFingerprint('heron'), fakeFingerprint('heron', 'a stamp'))).toBe(true)
    expect(isSameArt(fakeFingerprint('heron'), fakeFingerprint('otter'))).toBe(false)
    const { vector } = fakeFingerprint('heron')
    expect(
      isSameArt(fakeFingerprint('heron'), { vector, hash: fakeFingerprint('otter').hash }),
    ).toBe(false)
  })

  test('have the distance of their differing bits', () => {
    const bits = fc.uint8Array({ minLength: 128, maxLength: 128 })
    const ones = (bytes: Uint8Array) =>
      [...bytes]
        .map((byte) => byte.toString(2))
        .join('')
        .replaceAll('0', '').length
    fc.assert(
      fc.property(bits, bits, (one, other) => {
        expect(hammingDistance(one, other)).toBe(
          ones(one.map((byte, at) => byte ^ (other[at] ?? 0))),
        )
      }),
    )
  })

  test('have a cosine of 1 with themselves and 0 with a zero vector', () => {
    const { vector } = fakeFingerprint('heron')
    expect(cosineSimilarity(vector, vector)).toBeCloseTo(1)
    expect(
      cosineSimilarity(
        vector,
        vector.map((value) => -value),
      ),
    ).toBeCloseTo(-1)
    expect(cosineSimilarity(vector, new Int8Array(128))).toBe(0)
  })
})

describe('art groups', () => {
  test('are named after their smallest card id, and joined transitively', () => {
    const cards = [
      { card_id: 7, ...fakeFingerprint('heron') },
      { card_id: 3, ...fakeFingerprint('heron', 'a') },
      { card_id: 5, ...fakeFingerprint('otter') },
    ]
    expect([...groupByArt(cards)].toSorted()).toEqual([
      [3, 3],
      [5, 5],
      [7, 3],
    ])
    expect(groupByArt([]).size).toBe(0)
  })
})

test.each([
  [20, 2, true],
  [19, 19, false],
  [300, 1, false],
])('a picture that %i cards of %i sets have alike is a stand-in: %p', (cards, sets, expected) => {
  expect(isPlaceholder({ cards, sets })).toBe(expected)
})

test('failed fetches are retried after an hour, with backoff up to a week', () => {
  const hours = [1, 2, 3, 8, 9, 60].map(
    (tries) => (nextFetchAt(NOW, tries) - NOW.getTime() / 1000) / 3600,
  )
  expect(hours).toEqual([1, 2, 4, 128, 168, 168])
  expect(nextFetchAt(NOW, 0) - NOW.getTime() / 1000).toBe(7 * DAY)
})
