// File formats of collections: our own with all members, and those of apps, each as a file of the app has it
// (docs/guides/collections/export-formats.md names the files).
import { findSourceCode, listSetAliases, type SetLabels } from '../catalog/set-codes.ts'
import { ServiceError } from '../primitives/errors.ts'

export const COLLECTION_FORMATS = [
  'full',
  'tcgplayer',
  'collectr',
  'moxfield',
  'manabox',
  'archidekt',
  'deckbox',
  'dragon_shield',
  'dreamborn',
  'pokecollector',
] as const

export type CollectionFormat = (typeof COLLECTION_FORMATS)[number]

/** Games of Collectr, as its files name them. Those of other games are not known. */
export const COLLECTR_GAMES: ReadonlyMap<string, string> = new Map([
  ['magic', 'Magic: The Gathering'],
  ['pokemon', 'Pokemon'],
  ['lorcana', 'Lorcana'],
  ['one-piece', 'One Piece'],
])

type AppFormat = {
  /** Name of the app. */
  app: string
  /** Slugs of the games that the app has. Its files leave out the others. */
  games: readonly string[]
  /** Code of a set, for an app that finds cards by set and number alone; null for a set that it does not have. */
  setCode?: (set: SetLabels) => string | null
}

/** Returns the number of a set of Lorcana, with three digits: 001 is The First Chapter. Promos have none. */
function lorcanaSetNumber(set: SetLabels): string | null {
  const number = listSetAliases(set).names.find((name) => /^\d+$/.test(name))
  return number?.padStart(3, '0') ?? null
}

/** Formats of apps that do not have every game. */
const APPS: Partial<Record<CollectionFormat, AppFormat>> = {
  collectr: { app: 'Collectr', games: [...COLLECTR_GAMES.keys()] },
  moxfield: { app: 'Moxfield', games: ['magic'] },
  manabox: { app: 'ManaBox', games: ['magic'] },
  archidekt: { app: 'Archidekt', games: ['magic'] },
  deckbox: { app: 'Deckbox', games: ['magic'] },
  dragon_shield: { app: 'Dragon Shield', games: ['magic'] },
  dreamborn: { app: 'Dreamborn', games: ['lorcana'], setCode: lorcanaSetNumber },
  pokecollector: {
    app: 'PokéCollector',
    games: ['pokemon'],
    setCode: (set) => findSourceCode(set, 'tcgdex'),
  },
}

/** Returns true if a format has every item of every list. */
export function isUniversal(format: CollectionFormat): boolean {
  return APPS[format] === undefined
}

/** Returns the code of a set in a format; null if the set has none. */
export function setCodeIn(format: CollectionFormat, set: SetLabels): string | null {
  const find = APPS[format]?.setCode
  return find === undefined ? set.abbreviation : find(set)
}

/** An item, with the code of its set in the format. */
type ItemInFormat = { game: string; set_code: string | null; number: string | null }

/** Returns true if a format has a place for an item. */
export function isIncluded(
  format: CollectionFormat,
  { game, set_code, number }: ItemInFormat,
): boolean {
  const app = APPS[format]
  if (app === undefined) return true
  const isFound = app.setCode === undefined || (set_code !== null && number !== null)
  return hasGame(format, game) && isFound
}

/** Returns the error for a list without a card of the app's games. */
export function noGameOf(format: CollectionFormat): ServiceError {
  const { app = format, games = [] } = APPS[format] ?? {}
  return new ServiceError(
    'FORMAT_UNAVAILABLE',
    `${app} has no game of these cards, but ${games.join(', ')}. Use the format full or tcgplayer.`,
  )
}

/** Returns true if an app has a game. */
export function hasGame(format: CollectionFormat, game: string): boolean {
  return APPS[format]?.games.includes(game) ?? true
}
