import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { isOrdinarySet, rateSpecial } from '#rules/matching/ordinary-cards.ts'

/** All set names of a real catalog of six games, read by a person. */
const NAMES = JSON.parse(
  readFileSync(new URL('../../support/matching/set-names.json', import.meta.url), 'utf8'),
) as { ordinary: string[]; special: string[] }

describe('of the set names of a real catalog', () => {
  test('808 have ordinary cards', () => {
    expect(NAMES.ordinary).toHaveLength(808)
    expect(NAMES.ordinary.filter((name) => !isOrdinarySet(name))).toEqual([])
  })

  test('353 only have promos and other cards that are not ordinary', () => {
    expect(NAMES.special).toHaveLength(353)
    expect(NAMES.special.filter(isOrdinarySet)).toEqual([])
  })
})

const card = (name: string, set_name = 'Jungle', game_slug = 'pokemon') => {
  return rateSpecial({ name, set_name, game_slug })
}

test.each([
  'Pikachu',
  'Staff of Domination',
  "Judge's Familiar",
  'Championship Arena',
  'Pikachu - 58/102',
  'Lightning Bolt (Borderless)',
  'Hero of Bladehold // Promise of Aclazotz',
  'Jumbo Cactuar',
])('%s is ordinary', (name) => {
  expect(card(name)).toBe(0)
})

test.each([
  'Pikachu (Prerelease)',
  'Pikachu - 58/102 (Prerelease) [Staff]',
  'Umbreon - 86/147 (Jumbo)',
  'Sol Ring (Judge Promo)',
  'Charizard (Oversized)',
  'Snorlax (Pokemon Center Stamped)',
  'Gengar (Worlds 2014)',
  'Lugia - 9/111 (Prize Pack Series)',
  'Code Card - Crown Zenith Elite Trainer Box',
  'Art Card: Forest',
  'Forest (Art Series)',
])('%s is not ordinary', (name) => {
  expect(card(name)).toBe(1)
})

test('a card of another language comes after all others', () => {
  expect(card('Pikachu', 'SV5s', 'pokemon-japan')).toBe(2)
  expect(card('Pikachu', 'SV-P', 'pokemon-japan')).toBe(3)
})
