import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { addShifts, comparePrices, noShifts } from '#rules/sync/price-shifts.ts'
import {
  findBackwardsProblem,
  findGameProblem,
  findPriceProblem,
  findPublishTimeProblem,
  findSetProblem,
  type GameFacts,
  type SetFacts,
} from '#rules/sync/sanity-checks.ts'

const SET: SetFacts = {
  id: 42,
  name: 'Silver Tempest',
  held_by: null,
  cards_before: 100,
  cards_kept: 100,
  cards_foreign: 0,
  prices_before: 100,
  prices_lost: 0,
}
const GAME: GameFacts = {
  slug: 'pokemon',
  sets_before: 100,
  sets_kept: 100,
  ids: 10_000,
  ids_foreign: 0,
}
const set = (facts: Partial<SetFacts>) => findSetProblem({ ...SET, ...facts })
const game = (facts: Partial<GameFacts>) => findGameProblem({ ...GAME, ...facts })

describe('a set', () => {
  test('without changes passes', () => {
    expect(set({})).toBeUndefined()
  })

  test.each([
    [100, 95, true],
    [100, 94, false],
    [1000, 950, true],
    [1000, 949, false],
    [5, 3, true],
    [4, 2, false],
    [3, 2, true],
    [3, 1, false],
    [2, 1, false],
    [1, 0, false],
    [20, 18, true],
    [20, 17, false],
  ])('of %i cards that keeps %i passes: %p', (cards_before, cards_kept, isTaken) => {
    expect(set({ cards_before, cards_kept }) === undefined).toBe(isTaken)
  })

  test.each([
    [100, 20, true],
    [100, 21, false],
    [10, 2, true],
    [10, 3, false],
    [9, 9, true],
  ])('of %i known prices that loses %i passes: %p', (prices_before, prices_lost, isTaken) => {
    expect(set({ prices_before, prices_lost }) === undefined).toBe(isTaken)
  })

  test('of another game is refused, and so is one with a card of another game', () => {
    expect(set({ held_by: 'magic' })).toContain('already in the catalog under magic')
    expect(set({ cards_foreign: 1 })).toContain('1 cards that belong to another game')
  })

  test('that is refused reports the loss and how to accept it', () => {
    const reason = set({ cards_kept: 40 })
    expect(reason).toContain('Set 42 (Silver Tempest) would lose 60 of its 100 cards.')
    expect(reason).toContain('bun run sync --set 42 --force')
  })

  test('that is new passes with any content', () => {
    const first = { cards_before: 0, cards_kept: 0, prices_before: 0, prices_lost: 0 }
    expect(set(first)).toBeUndefined()
  })
})

describe('a game', () => {
  test.each([
    [100, 95, true],
    [100, 94, false],
    [30, 28, true],
    [2, 1, false],
    [0, 0, true],
  ])('of %i sets that keeps %i passes: %p', (sets_before, sets_kept, isTaken) => {
    expect(game({ sets_before, sets_kept }) === undefined).toBe(isTaken)
  })

  test.each([
    [10_000, 100, true],
    [10_000, 101, false],
    [0, 0, true],
  ])('with %i ids, %i of them in another game, passes: %p', (ids, ids_foreign, isTaken) => {
    expect(game({ ids, ids_foreign }) === undefined).toBe(isTaken)
  })

  test('that is refused reports how to accept it', () => {
    expect(game({ sets_kept: 0 })).toContain('bun run sync --game pokemon --force')
  })
})

test('keeping more is never worse', () => {
  fc.assert(
    fc.property(fc.nat(2_000), fc.nat(2_000), fc.nat(2_000), (before, one, other) => {
      const [fewer, more] = [Math.min(one, other, before), Math.min(Math.max(one, other), before)]
      const isTaken = (cards_kept: number) =>
        set({ cards_before: before, cards_kept }) === undefined
      if (isTaken(fewer)) expect(isTaken(more)).toBe(true)
      expect(isTaken(before)).toBe(true)
    }),
  )
})

describe('new prices', () => {
  /** Returns the problem of this many prices, from 1.00 up, and their replacements. */
  function problem(options: {
    cards: number
    change: (price: number, index: number) => number | undefined
  }): string | undefined {
    const { cards, change } = options
    const stored = Array.from({ length: cards }, (_, index) => [index, 100 + index] as const)
    const next = stored.flatMap(([index, price]) => {
      const after = change(price, index)
      return after === undefined ? [] : [[index, after] as const]
    })
    const shifts = comparePrices(new Map(stored), new Map(next))
    return findPriceProblem({ slug: 'pokemon', cards, prices: cards, shifts })
  }

  test.each([
    [100, 30, 6, undefined],
    [100, 31, 6, '31 of 100 prices that would move by more than a factor of 5'],
    [100, 31, 1 / 6, 'by more than a factor of 5'],
    [100, 100, 3, undefined],
    [100, 51, 3.5, 'by more than a factor of 3'],
    [100, 10, 40, undefined],
    [100, 11, 60, 'by more than a factor of 50'],
    [100, 20, 40, 'whose sum would move by more than a factor of 5'],
    [49, 49, 40, undefined],
    [49, 25, 60, 'by more than a factor of 50'],
    [9, 9, 1_000, undefined],
  ])('of %i cards, of which %i move by factor %d: %p', (cards, moved, factor, fault) => {
    const found = problem({
      cards,
      change: (price, index) => (index < moved ? Math.round(price * factor) : price),
    })
    if (fault === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(fault)
  })

  test.each([
    [50, undefined],
    [51, '100 prices other than 2.50, of which 51 would become 2.50'],
  ])('of which %i of 100 become one value: %p', (count, fault) => {
    const found = problem({
      cards: 100,
      change: (price, index) => (index % 100 < count ? 250 : price),
    })
    if (fault === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(fault)
  })

  test('with one absurd offer pass', () => {
    const change = (price: number, index: number) => (index === 7 ? 99_999_999 : price)
    expect(problem({ cards: 100, change })).toBeUndefined()
  })

  test('that are missing for more than a fifth are refused', () => {
    const change = (price: number, index: number) => (index % 4 === 0 ? undefined : price)
    expect(problem({ cards: 100, change })).toContain('would lose 25 of its 100 known prices')
  })

  test('of a game are refused if most of its prices are in rejected sets', () => {
    const shifts = comparePrices(new Map([[1, 100]]), undefined)
    const game = { slug: 'pokemon', cards: 100, prices: 100, shifts }
    expect(findPriceProblem({ ...game, prices_rejected: 1 })).toBeUndefined()
    expect(findPriceProblem({ ...game, prices_rejected: 2 })).toContain(
      '2 of 3 known prices in sets',
    )
  })

  test('that pass in each of two parts pass together', () => {
    const cents = fc.integer({ min: 1, max: 5_000 })
    const part = fc.array(fc.tuple(cents, fc.option(cents, { nil: undefined })), { maxLength: 40 })
    const factor = fc.constantFrom(1, 2, 4, 6, 60)
    const shiftsOf = (rows: readonly (readonly [number, number | undefined])[], by: number) => {
      const stored = new Map(rows.map(([price], index) => [index, price]))
      const next = rows.flatMap(([price, after], index): [number, number][] => {
        if (after === undefined) return index % 7 === 0 ? [] : [[index, price]]
        return [[index, after % 2 === 0 ? price * by : price]]
      })
      return comparePrices(stored, new Map(next))
    }
    fc.assert(
      fc.property(part, part, factor, factor, (one, other, by, byOther) => {
        const [left, right] = [shiftsOf(one, by), shiftsOf(other, byOther)]
        const game = { slug: 'pokemon', cards: 500, prices: 500 }
        const passes = (shifts: typeof left) => findPriceProblem({ ...game, shifts }) === undefined
        const whole = noShifts()
        addShifts(whole, left)
        addShifts(whole, right)
        if (passes(left) && passes(right) && isFreeOfConstants(whole)) {
          expect(passes(whole)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  /** A value that a few printings of each part have by chance is not counted in a part. */
  function isFreeOfConstants({ arrived }: ReturnType<typeof noShifts>): boolean {
    return [...arrived.values()].every((count) => count < 5)
  }
})

describe('a publish time', () => {
  const NOW = new Date('2026-03-10T12:00:00Z')
  const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)

  test.each([
    [-10_000, true],
    [0, true],
    [24, true],
    [24.1, false],
    [10_000_000, false],
  ])('%d hours from now passes: %p', (hours, isTaken) => {
    expect(findPublishTimeProblem(at(hours), NOW) === undefined).toBe(isTaken)
  })

  test.each([
    [null, -1, true],
    [-2, -1, true],
    [-1, -1, true],
    [-1, -2, false],
    [23, -1, false],
    [25, -1, true],
  ])(
    'after a stored one %p hours from now, %d hours from now passes: %p',
    (stored, hours, isTaken) => {
      const newest_at = stored === null ? null : at(stored)
      const found = findBackwardsProblem({ slug: 'pokemon', newest_at }, at(hours), NOW)
      expect(found === undefined).toBe(isTaken)
    },
  )
})
