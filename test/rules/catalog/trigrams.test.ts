import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  computeTrigrams,
  findSimilarNames,
  innerTrigrams,
  intersectPostings,
  normalizeName,
  packNames,
  reverseName,
} from '#rules/catalog/trigrams.ts'

const NAMES = ['Cindle', 'Cinder Hound', 'Giratina', 'Gift of Strength', 'Pokémon Center', 'X']

/** Finds similar names directly from a packed list. */
function near(names: readonly string[], text: string, limit: number, from = 0, to = names.length) {
  const { sizes, postings } = packNames(names.map(normalizeName))
  const trigrams = computeTrigrams(normalizeName(text))
  const lists = trigrams.flatMap((trigram) => postings.get(trigram) ?? [])
  return findSimilarNames(
    trigrams.length,
    lists,
    { first: from, sizes: sizes.subarray(from, to) },
    limit,
  )
}

/** Computes the similarity of two names by definition. */
function similarityOf(one: string, other: string): number {
  const mine = new Set(computeTrigrams(normalizeName(one)))
  const theirs = new Set(computeTrigrams(normalizeName(other)))
  return (2 * mine.intersection(theirs).size) / (mine.size + theirs.size)
}

describe('the trigrams of a name', () => {
  test('are three characters each, with two edge characters at both ends', () => {
    expect(computeTrigrams('')).toEqual([])
    expect(computeTrigrams('x')).toHaveLength(3)
    expect(computeTrigrams('cindle')).toHaveLength(8)
    expect(computeTrigrams('aaaaaa')).toHaveLength(5)
  })

  test('ignore case, accents, punctuation and spaces', () => {
    expect(normalizeName('Pokémon Center!')).toBe(normalizeName('POKEMONCENTER'))
    expect(normalizeName('鬼の 面')).toBe('鬼の面')
  })

  test('fit their number into a byte', () => {
    const long = Array.from({ length: 400 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
    expect(computeTrigrams(normalizeName(long)).length).toBeLessThan(256)
    expect(near([long], long, 1)).toEqual([{ index: 0, similarity: 1 }])
  })
})

describe('similar names', () => {
  test.each([
    ['Cindle', 0],
    ['Clndle', 0],
    ['CinderHound', 1],
    ['Giratma', 2],
    ['Gift ot Strengih', 3],
    ['P0kemonCentr', 4],
    ['x', 5],
  ])('%p is %i', (text, place) => {
    expect(near(NAMES, text, 3)[0]?.index).toBe(place)
  })

  test('are empty for a dissimilar text', () => {
    expect(near(NAMES, 'zzzzzz', 9)).toEqual([])
    expect(near(NAMES, '', 9)).toEqual([])
    expect(near([], 'Cindle', 9)).toEqual([])
    expect(near(NAMES, 'Cindle', 0)).toEqual([])
  })

  test('come from the given range only', () => {
    expect(near(NAMES, 'Cindle', 9, 1, 3).map(({ index }) => index)).toEqual([1])
    expect(near(NAMES, 'Cindle', 9, 2)).toEqual([])
  })

  test('are those with the highest similarity, best first, ties by index', () => {
    const name = fc.string({ unit: fc.constantFrom(...'abcd'), minLength: 1, maxLength: 9 })
    const list = fc.array(name, { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(list, name, fc.integer({ min: 1, max: 20 }), (names, text, limit) => {
        const all = names
          .map((one, place) => ({ index: place, similarity: similarityOf(text, one) }))
          .sort((a, b) => b.similarity - a.similarity || a.index - b.index)
          .filter((one) => Math.floor(one.similarity * 256) >= 43)
        expect(near(names, text, limit)).toEqual(all.slice(0, limit))
      }),
    )
  })

  test('are found at any distance in the list', () => {
    const names = Array.from({ length: 40_000 }, (_, at) => `${at}`.padStart(5, '0'))
    names[0] = names[200] = names[39_999] = 'Cindle'
    expect(near(names, 'Cindle', 9).map(({ index }) => index)).toEqual([0, 200, 39_999])
  })
})

describe('a reversed name', () => {
  test('has whole characters in reverse order', () => {
    expect(reverseName('cindle')).toBe('eldnic')
    expect(reverseName('鬼の面')).toBe('面の鬼')
    expect(reverseName('a🔥b')).toBe('b🔥a')
    expect(reverseName('')).toBe('')
  })

  test('begins as the name ends', () => {
    const text = fc.string({ unit: 'binary', maxLength: 9 })
    fc.assert(
      fc.property(text, text, (start, end) => {
        expect(reverseName(start + end).startsWith(reverseName(end))).toBe(true)
        expect(reverseName(reverseName(start))).toBe(start)
      }),
    )
  })
})

describe('the inner trigrams of a part', () => {
  test('are the trigrams without the edges', () => {
    expect(innerTrigrams('cindle')).toHaveLength(4)
    expect(innerTrigrams('cin')).toHaveLength(1)
    for (const short of ['', 'c', 'ci']) expect(innerTrigrams(short)).toEqual([])
  })

  test('occur in every name that contains the part', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abcé鬼'), maxLength: 9 })
    fc.assert(
      fc.property(text, text, text, (before, part, behind) => {
        const all = computeTrigrams(before + part + behind)
        expect(innerTrigrams(part).filter((one) => !all.includes(one))).toEqual([])
      }),
    )
  })
})

describe('the intersection of packed lists', () => {
  test('is empty without lists', () => {
    expect(intersectPostings([])).toEqual([])
    expect(intersectPostings([new Uint8Array()])).toEqual([])
  })

  test('equals that of a linear search', () => {
    const name = fc.string({ unit: fc.constantFrom(...'abc'), minLength: 1, maxLength: 6 })
    // Indexes that are far apart take several bytes.
    const gap = fc.constantFrom(0, 1, 200, 20_000)
    const list = fc.array(fc.tuple(name, gap), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(
        list,
        fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 4 }),
        (some, part) => {
          const names = some.flatMap(([one, gap]) => [...Array<string>(gap).fill('zzz'), one])
          const { postings } = packNames(names)
          const trigrams = computeTrigrams(part)
          const lists = trigrams.map((one) => postings.get(one) ?? new Uint8Array())
          const wanted = [...names.keys()].filter((at) => {
            const own = computeTrigrams(names[at] ?? '')
            return trigrams.length > 0 && trigrams.every((one) => own.includes(one))
          })
          expect(intersectPostings(lists)).toEqual(wanted)
        },
      ),
      { numRuns: 25 },
    )
  })
})
