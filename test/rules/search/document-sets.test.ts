import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  countBetween,
  type DocumentSet,
  findLast,
  fromAscending,
  fromLists,
  fromNumbers,
  intersect,
  listBetween,
  subtract,
  unite,
} from '#rules/search/document-sets.ts'

const DOCUMENTS = 700
const ALL = { first: 0, last: Number.MAX_SAFE_INTEGER }

const toNumbers = (set: DocumentSet) => listBetween(set, ALL, { limit: set.count, offset: 0 })
const fromSet = (numbers: ReadonlySet<number>) => [...numbers].toSorted((a, b) => a - b)

/** Few or many documents, so that both lists and bit sets are used. */
const documents = fc
  .tuple(fc.constantFrom(0.005, 0.02, 0.1, 0.6), fc.integer())
  .map(([share, seed]) => {
    const chance = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), {
      numRuns: DOCUMENTS,
      seed,
    })
    return new Set(chance.flatMap((one, at) => (one < share ? [at] : [])))
  })

const toSet = (numbers: ReadonlySet<number>) =>
  fromAscending(Uint32Array.from(fromSet(numbers)), DOCUMENTS)

describe('sets of documents', () => {
  test('are combined like any sets', () => {
    fc.assert(
      fc.property(documents, documents, documents, (a, b, c) => {
        const sets = [a, b, c].map(toSet)
        const [first, second] = sets
        if (first === undefined || second === undefined) return
        expect(toNumbers(intersect(sets))).toEqual(fromSet(a.intersection(b).intersection(c)))
        expect(toNumbers(unite(sets, DOCUMENTS))).toEqual(fromSet(a.union(b).union(c)))
        expect(toNumbers(subtract(first, second))).toEqual(fromSet(a.difference(b)))
        const lists = [a, b, c].map((numbers) => Uint32Array.from(fromSet(numbers)))
        expect(toNumbers(fromLists(lists, DOCUMENTS))).toEqual(fromSet(a.union(b).union(c)))
        expect(sets.map(toNumbers)).toEqual([a, b, c].map(fromSet))
      }),
      { numRuns: 200, seed: 7 },
    )
  })

  test('are counted and listed within a range', () => {
    const number = fc.integer({ min: 0, max: DOCUMENTS + 40 })
    fc.assert(
      fc.property(
        documents,
        number,
        number,
        fc.nat(60),
        fc.nat(60),
        (own, first, last, limit, offset) => {
          const set = toSet(own)
          const within = fromSet(own).filter((one) => one >= first && one <= last)
          expect(countBetween(set, { first, last })).toBe(within.length)
          expect(listBetween(set, { first, last }, { limit, offset })).toEqual(
            within.slice(offset, offset + limit),
          )
          expect(findLast(set, last)).toBe(fromSet(own).findLast((one) => one <= last))
        },
      ),
      { numRuns: 500, seed: 7 },
    )
  })

  test('are built from numbers in any order', () => {
    expect(toNumbers(fromNumbers(Uint32Array.of(31, 64, 0, 32, 63), 65))).toEqual([
      0, 31, 32, 63, 64,
    ])
  })

  test('take no more memory than a bit for each document', () => {
    fc.assert(
      fc.property(documents, (own) => {
        const set = toSet(own)
        const numbers = set.kind === 'list' ? set.list : set.bits
        expect(numbers.length).toBeLessThanOrEqual(Math.ceil(DOCUMENTS / 32))
      }),
      { numRuns: 50, seed: 7 },
    )
  })

  test('without documents are empty', () => {
    const none = fromAscending(new Uint32Array(0), 0)
    expect(
      [intersect([none, none]), unite([none], 0), subtract(none, none)].map(toNumbers),
    ).toEqual([[], [], []])
    expect(findLast(none, 5)).toBeUndefined()
  })
})
