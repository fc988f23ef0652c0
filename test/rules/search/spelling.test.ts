import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  editDistance,
  findSimilarTerms,
  packTerms,
  SPELLING_SUGGESTIONS_MAX,
  suggestSpellings,
  type Vocabulary,
  weightedEditDistance,
} from '#rules/search/spelling.ts'

/** Computes the distance by its definition, without shortcuts. */
function plainDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const row = table[i] ?? []
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + same,
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(a.length, b.length)
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'é', 'カ'), maxLength: 9 })

describe('the distance of two words', () => {
  test.each([
    ['charizard', 'charizard', 0],
    ['charzard', 'charizard', 1],
    ['chraizard', 'charizard', 1],
    ['charizzard', 'charizard', 1],
    ['chsrizard', 'charizard', 1],
    ['cahrzard', 'charizard', 2],
    ['pikachu', 'raichu', 4],
  ])('%s and %s: %i', (a, b, distance) => {
    expect(editDistance(a, b, 4)).toBe(distance)
  })

  test('equals its definition up to the maximum', () => {
    fc.assert(
      fc.property(word, word, fc.nat({ max: 3 }), (a, b, most) => {
        expect(editDistance(a, b, most)).toBe(Math.min(plainDistance(a, b), most + 1))
      }),
      { numRuns: 2_000, seed: 1 },
    )
  })
})

describe('similar words', () => {
  test('are all within the distance, nearest first, then most frequent', () => {
    const term = fc.record({ term: word.filter((one) => one !== ''), cards: fc.nat({ max: 5 }) })
    const terms = fc.uniqueArray(term, { selector: ({ term }) => term, maxLength: 60 })
    fc.assert(
      fc.property(terms, word, fc.integer({ min: 1, max: 2 }), (terms, typed, most) => {
        const near = findSimilarTerms(typed, packTerms(terms), most)
        const wanted = terms
          .map(({ term, cards }) => ({ term, cards, distance: plainDistance(typed, term) }))
          .filter(({ distance }) => distance <= most)
        const byTerm = (list: { term: string }[]) =>
          list.toSorted((a, b) => (a.term < b.term ? -1 : 1))
        expect(byTerm(near)).toEqual(byTerm(wanted))
        for (const [at, one] of near.entries()) {
          const next = near[at + 1]
          if (next === undefined) continue
          expect(one.distance).toBeLessThanOrEqual(next.distance)
          if (one.distance === next.distance) expect(one.cards).toBeGreaterThanOrEqual(next.cards)
        }
      }),
      { numRuns: 500, seed: 1 },
    )
  })
})

describe('spelling suggestions', () => {
  const TERMS = {
    charizard: 250,
    charmander: 90,
    vmax: 480,
    vault: 20,
    dark: 300,
    knight: 60,
    knights: 6,
    night: 70,
    alternate: 40,
    altar: 9,
    art: 200,
    lugia: 30,
    of: 900,
    ex: 800,
  }
  const known = Object.keys(TERMS)
  const vocabulary: Vocabulary = {
    lists: packTerms(Object.entries(TERMS).map(([term, cards]) => ({ term, cards }))),
    isWord: (typed) => known.includes(typed) || typed === 'swsh12',
    isBeginning: (typed) => known.some((term) => term.startsWith(typed)) || typed === '139',
  }
  /** Suggests for all words that the vocabulary lacks. */
  const suggest = (q: string) => {
    const words = q.split(' ')
    const last = words.length - 1
    const unknown = words.filter((one, at) =>
      at === last ? !vocabulary.isBeginning(one) : !vocabulary.isWord(one),
    )
    return suggestSpellings(words, unknown, vocabulary)
  }
  const respelt = (q: string) => suggest(q).map(({ words }) => words.join(' '))

  test.each([
    ['charzard', 'charizard'],
    ['charizrad vmax', 'charizard vmax'],
    ['charzard vmx', 'charizard vmax'],
    ['darkknight', 'dark knight'],
    ['dark kni ght', 'dark knight'],
    ['char izard', 'charizard'],
    ['alt art', 'alternate art'],
    ['swsh 12 lugia', 'swsh12 lugia'],
    ['lugai ex', 'lugia ex'],
  ])('of %s begin with %s', (q, first) => {
    expect(respelt(q)[0]).toBe(first)
  })

  test('continue with the next best', () => {
    expect(respelt('knihgt')).toEqual(['knight', 'night', 'knights'])
  })

  test('never replace known words', () => {
    expect(respelt('dark night')).toEqual([])
    for (const words of respelt('knights lugai')) expect(words).toStartWith('knights ')
  })

  test('leave numbers unchanged', () => {
    expect(suggest('charzard 138')).toEqual([{ words: ['charizard'], ignored: ['138'] }])
    expect(respelt('charzard 139')).toEqual(['charizard 139'])
    expect(respelt('op13089')).toEqual([])
  })

  test('leave short words unchanged', () => {
    expect(respelt('dark xe')).toEqual([])
    expect(respelt('lvgia')).toEqual(['lugia'])
    expect(respelt('lvgja')).toEqual([])
  })

  test('leave out words that resemble nothing, beside others that do', () => {
    expect(suggest('charzard qxqxqxqx dark')[0]).toEqual({
      words: ['charizard', 'dark'],
      ignored: ['qxqxqxqx'],
    })
  })

  test('are empty if nothing is similar, or if too much is unknown', () => {
    expect(respelt('qxqxqxqx')).toEqual([])
    expect(respelt('dark qxqxqxqx')).toEqual([])
    expect(respelt('charzard vmx lugai drak')).toEqual([])
    expect(respelt('dark '.repeat(50).trim())).toEqual([])
  })

  test('are few for any query, keep known words, and account for every unknown one', () => {
    const typed = fc.constantFrom(...known, 'charzard', 'kni', 'drak', 'qxqxqx', '7')
    fc.assert(
      fc.property(fc.array(typed, { maxLength: 8 }), (words) => {
        const unknown = words.filter((one) => !known.includes(one))
        const all = suggestSpellings(words, unknown, vocabulary)
        expect(all.length).toBeLessThanOrEqual(SPELLING_SUGGESTIONS_MAX)
        for (const one of all) {
          expect(one.words).not.toEqual(words)
          expect(unknown).toEqual(expect.arrayContaining(one.ignored))
          const joined = one.words.join('')
          for (const word of words) if (known.includes(word)) expect(joined).toContain(word)
        }
      }),
      { seed: 1 },
    )
  })
})

describe('the weighted distance of two names', () => {
  test.each([
    ['cindle', 'cindle', 0.1],
    ['cindle', 'cinle', 1],
    ['cindle', 'cinddle', 1],
    ['cindle', 'candle', 1.1],
    ['cindle', 'cidnle', 1.1],
    ['cindle2', 'cindle3', 1.6],
    ['cindle2', 'cindle', 1.5],
  ])('%s and %s are %d', (a, b, faults) => {
    expect(weightedEditDistance(a, b, 2)).toBeCloseTo(faults, 9)
    expect(weightedEditDistance(b, a, 2)).toBeCloseTo(faults, 9)
  })

  test('orders names like their edit distance, and detects too many edits', () => {
    const name = fc.string({ unit: fc.constantFrom(...'ab12'), maxLength: 6 })
    fc.assert(
      fc.property(name, name, fc.constantFrom(1, 2), (a, b, most) => {
        const distance = plainDistance(a, b)
        const faults = weightedEditDistance(a, b, most)
        expect(faults < most + 1).toBe(distance <= most)
        if (distance <= most) expect(Math.floor(faults)).toBe(distance)
      }),
    )
  })
})
