import { describe, expect, test } from 'bun:test'
import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import { UNREAD } from '#rules/photos/photo-reading.ts'
import { matchNumbers, matchText, sharedTokens, suggestPrinting } from '#rules/photos/text-match.ts'
import { candidateCard } from '../../support/photos/candidate-fixtures.ts'

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
    ['4/102', 'N/A', 'unknown'],
    ['OP07-080', 'OP07-080_p1', 'exact'],
    ['OP07-080', 'OP07-080_r1', 'exact'],
    ['OP07-080', 'OP07-081_p1', 'other'],
    ['128/264', '128s', 'partial'],
    ['0153', '153p', 'exact'],
    ['8/383', '8★', 'partial'],
    ['128s', '128s', 'exact'],
    ['101/078', '101/078 SAR', 'exact'],
    ['86/264', '86a', 'other'],
    ['SVP 044', '044', 'exact'],
    ['SVP 193', 'SVP193', 'exact'],
    ['PW9', 'PW 9', 'exact'],
    ['044', 'TG44', 'other'],
  ] as const)('%s against %s is %s', (printed, listed, expected) => {
    expect(matchNumbers(printed, listed)).toBe(expected)
  })

  test('is neutral if it was not read, and excludes the card if it differs', () => {
    const card = candidateCard(1, { number: '5/102' })
    expect(matchText({ ...UNREAD, number: '4/102' }, card)?.number).toBe('unknown')
    const readable = { name: false, number: true, set: false }
    expect(matchText({ ...UNREAD, number: '4/102', readable }, card)).toBeUndefined()
  })
})

test('a number with a separate code is compared with and without it', () => {
  const readable = { name: false, number: true, set: true }
  const match = (number: string) =>
    matchText({ ...UNREAD, number: '193', set: 'SVP', readable }, candidateCard(1, { number }))
      ?.number
  expect([match('SVP193'), match('193'), match('SWSH193')]).toEqual(['exact', 'exact', undefined])
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
    expect(sharedTokens(one, other)).toBeCloseTo(share)
    expect(sharedTokens(other, one)).toBeCloseTo(share)
  })

  test('added to a title by the marketplace are optional', () => {
    const readable = { name: true, number: false, set: false }
    for (const name of ['Cindle (Full Art)', 'Cindle - 004/102', 'Cindle [Alternate]', 'Cindle']) {
      expect(
        matchText({ ...UNREAD, name: 'Cindle', readable }, candidateCard(1, { name }))?.name,
      ).toBe(1)
    }
  })

  test.each([
    ['Milo Thatch', 'Milo Thatch - Spirited Scholar', 1],
    ['Milo Thatch Spirited Scholar', 'Milo Thatch - Spirited Scholar', 1],
    ['Spirited Scholar', 'Milo Thatch - Spirited Scholar', 1 / 2],
    ['Connive', 'Connive // Concoct', 1],
    ['Concoct', 'Connive // Concoct', 1],
    ['Connive', 'Expansion // Explosion', 0],
  ])('%s as the print of %s agree to %d', (printed, name, share) => {
    const readable = { name: true, number: false, set: false }
    const match = matchText({ ...UNREAD, name: printed, readable }, candidateCard(1, { name }))
    expect(match?.name).toBeCloseTo(share)
  })

  test.each([
    ['MEW', 'MEW', 'SV: Scarlet & Violet 151', '6/165', 1],
    ['CRZ', 'CRZ:GG', 'Crown Zenith: Galarian Gallery', 'GG25/GG70', 1],
    ['ELD', 'PELD', 'Throne of Eldraine Promos', '128s', 1],
    ['M20', 'PM20', 'Core Set 2020 Promos', '153p', 1],
    ['SSP', 'SV08', 'SV08: Surging Sparks', '1/191', 1],
    ['SVI', 'SV1', 'SV01: Scarlet & Violet Base Set', '12/198', 1],
    ['OP01', '569101', 'BOOSTER PACK -ROMANCE DAWN- [OP-01]', 'OP01-001', 1],
    ['OP01', '569301', 'PREMIUM BOOSTER [PRB-01]', 'OP01-120_r2', 1],
    ['OP02', '569101', 'BOOSTER PACK -ROMANCE DAWN- [OP-01]', 'OP01-001', 0],
    ['SVI', 'MEW', 'SV: 151', '6/165', 0],
    ['DSK', null, 'Bloomburrow', '12', 0],
  ])('%s as the code of %s, %s, number %s agree to %d', (set, code, name, number, share) => {
    const readable = { name: false, number: false, set: true }
    const card = candidateCard(1, { number, set: { id: 7, name, code } })
    expect(matchText({ ...UNREAD, set, readable }, card)?.set).toBeCloseTo(share)
  })

  test('of a set match its name or its code', () => {
    const readable = { name: false, number: false, set: true }
    const card = candidateCard(1, { set: { id: 7, name: 'Lantern Season', code: 'LTS' } })
    const share = (set: string) => matchText({ ...UNREAD, set, readable }, card)?.set
    expect([share('lts'), share('Lantern Season'), share('Season'), share('Dusk')]).toEqual([
      1, 1, 0.5, 0,
    ])
  })
})

describe('the edition', () => {
  const edition = (stamp: string | null, card: Partial<CandidateCard>) =>
    matchText({ ...UNREAD, stamp }, candidateCard(1, card))?.edition
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
    ['unclear', 'Foil', ['Normal', 'Reverse Holofoil'], 'Reverse Holofoil'],
    ['unclear', 'Foil', ['Normal', 'Cold Foil'], 'Cold Foil'],
    ['unclear', 'Foil', ['Normal', 'Rainbow Foil'], 'Rainbow Foil'],
    ['unclear', 'Foil', ['Holofoil', 'Reverse Holofoil'], null],
    ['unclear', 'Foil', foils, null],
    [null, 'Foil', [...foils, 'Unlimited'], 'Unlimited Holofoil'],
    ['1st Edition', 'Foil', [...foils, '1st Edition'], '1st Edition Holofoil'],
    ['unclear', 'Foil', ['Normal'], 'Normal'],
    ['unclear', 'Foil', ['Unlimited', '1st Edition'], null],
  ])('with stamp %p and finish %p of %p is %p', (stamp, finish, printings, expected) => {
    expect(suggestPrinting({ stamp, finish }, printings)).toBe(expected)
  })
})
