import { describe, expect, test } from 'bun:test'
import type { CandidateCard } from '#rules/candidate.ts'
import { agreeingWords, matchOf, numberMatch, suggestedPrinting } from '#rules/print-match.ts'
import { UNREAD } from '#rules/reading.ts'
import { cardOf } from '../support/candidates.ts'

describe('a printed number', () => {
  test.each([
    ['4/102', '4/102', 'exact'],
    ['004/102', '4/102', 'exact'],
    ['4/102', '004/0102', 'exact'],
    ['sv049', 'SV049', 'exact'],
    ['*64', '64', 'exact'],
    ['4', '4/102', 'partial'],
    ['4/102', '4', 'partial'],
    ['4/102', '5/102', 'other'],
    ['4/102', '4/130', 'other'],
    ['TG04/TG30', '4/30', 'other'],
    ['4/102', null, 'unknown'],
    ['', '4/102', 'unknown'],
    ['4/102', '-', 'unknown'],
  ] as const)('%s against %s is %s', (printed, listed, expected) => {
    expect(numberMatch(printed, listed)).toBe(expected)
  })

  test('that was not read says nothing, and one that was read and is another excludes the card', () => {
    const card = cardOf(1, { number: '5/102' })
    expect(matchOf({ ...UNREAD, number: '4/102' }, card)?.number).toBe('unknown')
    const readable = { name: false, number: true, set: false }
    expect(matchOf({ ...UNREAD, number: '4/102', readable }, card)).toBeUndefined()
  })
})

describe('words', () => {
  test.each([
    ['Cindlemane', 'Cindlemane', 1],
    ['CINDLEMANE', 'cindlemane', 1],
    ['Flabébé', 'Flabebe', 1],
    ['Old Mill', 'Old Stone Mill', 2 / 3],
    ['Old Mill', 'New Bridge', 0],
    ['', 'Cindlemane', 0],
  ])('%s and %s agree to %d', (one, other, share) => {
    expect(agreeingWords(one, other)).toBeCloseTo(share)
    expect(agreeingWords(other, one)).toBeCloseTo(share)
  })

  test('that the marketplace added to a title are not asked of the card', () => {
    const readable = { name: true, number: false, set: false }
    for (const name of ['Cindle (Full Art)', 'Cindle - 004/102', 'Cindle [Alternate]', 'Cindle']) {
      expect(matchOf({ ...UNREAD, name: 'Cindle', readable }, cardOf(1, { name }))?.name).toBe(1)
    }
  })

  test('of a set agree by its name or by its code', () => {
    const readable = { name: false, number: false, set: true }
    const card = cardOf(1, { set: { id: 7, name: 'Lantern Season', code: 'LTS' } })
    const share = (set: string) => matchOf({ ...UNREAD, set, readable }, card)?.set
    expect([share('lts'), share('Lantern Season'), share('Season'), share('Dusk')]).toEqual([
      1, 1, 0.5, 0,
    ])
  })
})

describe('the edition', () => {
  const edition = (stamp: string | null, card: Partial<CandidateCard>) =>
    matchOf({ ...UNREAD, stamp }, cardOf(1, card))?.edition
  const both = ['1st Edition Holofoil', 'Unlimited Holofoil']

  test.each([
    [null, { name: 'Cindle' }, true],
    [null, { name: 'Cindle (Prerelease)' }, false],
    [null, { name: 'Cindle (1st Edition)' }, false],
    ['Prerelease', { name: 'Cindle (Pre-Release)' }, true],
    ['Prerelease', { name: 'Cindle' }, false],
    ['1st Edition', { name: 'Cindle' }, false],
    ['1st Edition', { name: 'Cindle', printings: both }, true],
    ['unclear', { name: 'Cindle (Staff)' }, true],
    ['unclear', { name: 'Cindle' }, true],
  ] as const)('with the stamp %p of %o is %p', (stamp, card, expected) => {
    expect(edition(stamp, card)).toBe(expected)
  })
})

describe('the suggested printing', () => {
  const foils = ['1st Edition Holofoil', 'Unlimited Holofoil']
  test.each([
    ['unclear', '', ['Normal'], 'Normal'],
    ['unclear', '', [], null],
    ['unclear', '', ['Normal', 'Foil'], null],
    ['unclear', 'Foil', ['Normal', 'Foil'], 'Foil'],
    ['unclear', '', foils, null],
    ['1st Edition', '', foils, '1st Edition Holofoil'],
    [null, '', foils, 'Unlimited Holofoil'],
    [null, '', ['Normal', 'Reverse Holofoil'], null],
    [null, 'Holofoil', ['Holofoil', 'Reverse Holofoil'], 'Holofoil'],
  ])('with stamp %p and finish %p of %p is %p', (stamp, finish, printings, expected) => {
    expect(suggestedPrinting({ stamp, finish }, printings)).toBe(expected)
  })
})
