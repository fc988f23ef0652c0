import { describe, expect, test } from 'bun:test'
import { COLLECTION_FORMATS, hasGame } from '#rules/collections/collection-formats.ts'
import { countOthers, FORMATS, listFormats } from '../../../src/web/collections/export-formats.ts'

const GAMES = ['magic', 'pokemon', 'lorcana', 'one-piece', 'yugioh', 'pokemon-japan', 'wickerwild']

test('the dialog has the formats of the API, each with the games of its app', () => {
  expect(FORMATS.map(([format]) => format)).toEqual([...COLLECTION_FORMATS])
  for (const [format, , games] of FORMATS) {
    const known = GAMES.filter((game) => hasGame(format, game))
    expect([format, known]).toEqual([
      format,
      GAMES.filter((one) => games?.some((game) => game === one) ?? true),
    ])
  }
})

describe('the dialog offers', () => {
  const offered = (games: string[] | undefined) =>
    listFormats(games?.map((game) => ({ game, items: 2 }))).map(([format]) => format)

  test.each([
    [['magic'], 'full tcgplayer collectr moxfield manabox archidekt deckbox dragon_shield'],
    [['pokemon'], 'full tcgplayer collectr pokecollector'],
    [['lorcana'], 'full tcgplayer collectr dreamborn'],
    [['one-piece'], 'full tcgplayer collectr'],
    [['yugioh'], 'full tcgplayer'],
    [['yugioh', 'lorcana'], 'full tcgplayer collectr dreamborn'],
    [[], 'full tcgplayer'],
  ])('for the games %p: %s', (games, formats) => {
    expect(offered(games)).toEqual(formats.split(' ') as ReturnType<typeof offered>)
  })

  test('every format if the games are not known', () => {
    expect(offered(undefined)).toEqual([...COLLECTION_FORMATS])
  })
})

test('items of other games are counted for an app, and not for our own format', () => {
  const games = [
    { game: 'magic', items: 5 },
    { game: 'pokemon', items: 2 },
    { game: 'yugioh', items: 1 },
  ]
  expect(countOthers('moxfield', games)).toBe(3)
  expect(countOthers('collectr', games)).toBe(1)
  expect(countOthers('full', games)).toBe(0)
  expect(countOthers('moxfield', undefined)).toBe(0)
})
