// Sets and games that a search names.
import { expect, test } from 'bun:test'
import { listNamedPlaces } from '../../../src/web/search/named-places.ts'

const GAMES = [
  { name: 'Magic: The Gathering', slug: 'magic', set_count: 554 },
  { name: 'Pokemon', slug: 'pokemon', set_count: 272 },
]

const SETS = ['SWSH07: Evolving Skies', "McDonald's Promos 2019", 'Pokémon Rumble'].map(
  (name, at) => ({
    id: at + 1,
    name,
    abbreviation: ['EVS', 'M19', null][at] ?? null,
    game_name: 'Pokemon',
    card_count: 10 * at + 1,
  }),
)

const namesFor = (text: string) => listNamedPlaces(text, GAMES, SETS).map(({ name }) => name)

test.each([
  ['evolving skies', ['SWSH07: Evolving Skies']],
  ['EVOLVING', ['SWSH07: Evolving Skies']],
  ['swsh07 evolving', ['SWSH07: Evolving Skies']],
  ['evs', ['SWSH07: Evolving Skies']],
  ['mcdonalds promos', ["McDonald's Promos 2019"]],
  ['pokémon', ['Pokemon', 'Pokémon Rumble']],
  ['gathering', ['Magic: The Gathering']],
])('%p names %p', (text, names) => expect(namesFor(text)).toEqual(names))

test.each([
  ['the last word of another text', 'volving'],
  ['words that are not together', 'swsh07 skies'],
  ['a card of a set', 'umbreon evolving skies'],
  ['two letters, which begin many names', 'ev'],
  ['only marks', '---'],
])('nothing is named by %s', (_, text) => expect(namesFor(text)).toEqual([]))

test('a place says what it is', () => {
  expect(listNamedPlaces('pokemon', GAMES, SETS)).toEqual([
    { href: '/games/pokemon', name: 'Pokemon', about: 'Game · 272 sets' },
    { href: '/sets/3', name: 'Pokémon Rumble', about: 'Set · Pokemon · 21 cards' },
  ])
  expect(listNamedPlaces('evs', GAMES, SETS)[0]?.about).toBe('Set · Pokemon · 1 card')
})

test('at most three places are offered', () => {
  const many = Array.from({ length: 9 }, (_, id) =>
    SETS.slice(0, 1).map((set) => ({ ...set, id })),
  ).flat()
  expect(listNamedPlaces('evolving', GAMES, many)).toHaveLength(3)
})
