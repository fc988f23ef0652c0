import { describe, expect, test } from 'bun:test'
import { hasGame, isIncluded, setCodeIn } from '#rules/collections/collection-formats.ts'

describe('Dreamborn numbers', () => {
  test.each([
    ['The First Chapter', '001'],
    ['Rise of the Floodborn', '002'],
    ['Into the Inklands', '003'],
    ["Ursula's Return", '004'],
    ['Shimmering Skies', '005'],
    ['Azurite Sea', '006'],
    ["Archazia's Island", '007'],
    ['Reign of Jafar', '008'],
    ['Fabled', '009'],
    ['Whispers in the Well', '010'],
    ['Winterspell', '011'],
    ['Wilds Unknown', '012'],
    ['Attack of the Vine!', '013'],
    ['Disney Lorcana Promo Cards', null],
  ])('%s as %p', (name, number) => {
    const set = { game_slug: 'lorcana', name, abbreviation: 'TFC' }
    expect(setCodeIn('dreamborn', set)).toBe(number)
  })
})

test('other apps have the code of the catalog, and PokéCollector that of TCGdex', () => {
  const set = { game_slug: 'pokemon', name: 'SV08: Surging Sparks', abbreviation: 'SV08' }
  expect([setCodeIn('moxfield', set), setCodeIn('full', set)]).toEqual(['SV08', 'SV08'])
  expect(setCodeIn('pokecollector', set)).toBe('SSP')
})

test.each([
  ['full', 'wickerwild', null, null, true],
  ['tcgplayer', 'wickerwild', null, null, true],
  ['collectr', 'one-piece', null, null, true],
  ['collectr', 'yugioh', 'LOB', '1', false],
  ['moxfield', 'magic', null, null, true],
  ['moxfield', 'pokemon', 'BS', '4', false],
  ['dreamborn', 'lorcana', '001', '4', true],
  ['dreamborn', 'lorcana', '001', null, false],
  ['dreamborn', 'lorcana', null, '4', false],
  ['pokecollector', 'pokemon', 'SSP', '4', true],
  ['pokecollector', 'pokemon-japan', 'SSP', '4', false],
] as const)(
  'the format %s has a card of %s, set %p, number %p: %p',
  (format, game, set_code, number, is) => {
    expect(isIncluded(format, { game, set_code, number })).toBe(is)
    if (is) expect(hasGame(format, game)).toBe(true)
  },
)
