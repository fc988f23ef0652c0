import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  findGameProblem,
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
