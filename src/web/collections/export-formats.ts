import type { CollectionSummary } from '#client/endpoints.ts'
import * as texts from '#texts/collections/files.ts'

/** A game of a list, and how many of its items are of it. */
export type GameItems = Pick<CollectionSummary['games'][number], 'game' | 'items'>

const MAGIC = ['magic']

/** Formats with their names, and the games that the app has; undefined for all. */
export const FORMATS = [
  ['full', texts.everythingCsv, undefined],
  ['tcgplayer', 'TCGplayer', undefined],
  ['collectr', 'Collectr', ['magic', 'pokemon', 'lorcana', 'one-piece']],
  ['moxfield', 'Moxfield', MAGIC],
  ['manabox', 'ManaBox', MAGIC],
  ['archidekt', 'Archidekt', MAGIC],
  ['deckbox', 'Deckbox', MAGIC],
  ['dragon_shield', 'Dragon Shield', MAGIC],
  ['dreamborn', 'Dreamborn', ['lorcana']],
  ['pokecollector', 'PokéCollector', ['pokemon']],
] as const satisfies readonly (readonly [string, string, readonly string[] | undefined])[]

export type FileFormat = (typeof FORMATS)[number][0]

function gamesOf(format: FileFormat): readonly string[] | undefined {
  return FORMATS.find(([value]) => value === format)?.[2]
}

/** Lists the formats that fit a list, with their names; all of them if its games are not known. */
export function listFormats(games: readonly GameItems[] | undefined): [FileFormat, string][] {
  return FORMATS.filter(
    ([, , known]) =>
      known === undefined ||
      games === undefined ||
      games.some(({ game }) => known.some((one) => one === game)),
  ).map(([value, name]) => [value, name])
}

/** Counts the items of a list in games that an app does not have. */
export function countOthers(format: FileFormat, games: readonly GameItems[] = []): number {
  const known = gamesOf(format)
  return games
    .filter(({ game }) => known !== undefined && !known.includes(game))
    .reduce((sum, { items }) => sum + items, 0)
}

/** Explains what the file of a format has. */
export function describeFormat(format: FileFormat): string {
  if (format === 'full') return texts.fullExplained
  return BY_NUMBER.includes(format) ? texts.appByNumberExplained : texts.appExplained
}

/** Apps that find cards by set and number. */
const BY_NUMBER: readonly FileFormat[] = ['dreamborn', 'pokecollector']
