// Faces that are drawn instead of missing pictures.
import { expect, test } from 'bun:test'
import { initialsOf, tintOf } from '../../../src/web/components/face.ts'

test.each([
  ['Magic: The Gathering', 'MTG'],
  ['Pokemon', 'P'],
  ['Pikachu - 173/165', 'P'],
  ['étoile du nord', 'ÉDN'],
  ["Brock's Onix", 'BO'],
  ['Farfetch’d', 'F'],
  ['Pokémon'.normalize('NFD'), 'P'],
  ['हिन्दी', 'ह'],
  ['151', '1'],
  ['ピカチュウ', 'ピ'],
  ['⚡', ''],
])('the initials of %p are %p', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

test('cards of a game share its hue, and differ from each other', () => {
  const one = tintOf({ name: 'Cindle', number: '001/020', game_slug: 'tidepool' })
  const other = tintOf({ name: 'Cindle', number: '002/020', game_slug: 'tidepool' })
  expect(one['--hue']).toBe(other['--hue'] ?? -1)
  expect(one['--turn']).not.toBe(other['--turn'] ?? -1)
  expect(tintOf({ name: 'Cindle', game_slug: 'another' })['--hue']).not.toBe(one['--hue'] ?? -1)
})

test('without a game, the cards of a set share a hue', () => {
  const hues = ['Cindle', 'Orrery'].map((name) => tintOf({ name, set_name: 'Lantern' })['--hue'])
  expect(new Set(hues).size).toBe(1)
})
