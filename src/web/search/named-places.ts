import type { CardSet, Game } from '#client/endpoints.ts'
import * as texts from '#texts/frame.ts'

/** Page of a set or a game, with one line about it. */
export type NamedPlace = { href: string; name: string; about: string }

const PLACES_MAX = 3

/**
 * Returns the places whose name has the words of a text together, from the beginning of a word, or whose code is the
 * text: `evolving` finds "SWSH07: Evolving Skies", and `dri` no "Perihelion".
 */
export function listNamedPlaces(
  text: string,
  games: readonly Pick<Game, 'name' | 'slug' | 'set_count'>[],
  sets: readonly Pick<CardSet, 'id' | 'name' | 'abbreviation' | 'game_name' | 'card_count'>[],
): NamedPlace[] {
  const words = wordsOf(text)
  if (words === '') return []
  const isNamed = (name: string) =>
    words.length >= LETTERS_MIN && ` ${wordsOf(name)}`.includes(` ${words}`)
  return [
    ...games
      .filter(({ name }) => isNamed(name))
      .map(({ name, slug, set_count }) => ({
        href: `/games/${slug}`,
        name,
        about: texts.gameOfSets(set_count),
      })),
    ...sets
      .filter(({ name, abbreviation }) => isNamed(name) || wordsOf(abbreviation ?? '') === words)
      .map(({ id, name, game_name, card_count }) => ({
        href: `/sets/${id}`,
        name,
        about: texts.setOfCards({ game: game_name, cards: card_count }),
      })),
  ].slice(0, PLACES_MAX)
}

/** Letters of the shortest text that a name is searched for: shorter ones name too many. */
const LETTERS_MIN = 3

/** The API refuses longer texts. */
const TEXT_MAX = 100

/** Returns true for a text that can name a set or a game, unlike a collector number. */
export function canNamePlace(text: string): boolean {
  return text.length <= TEXT_MAX && /\p{L}/u.test(text) && !text.includes('/')
}

/** Returns the words of a text in small letters, without accents and marks, separated by one space. */
function wordsOf(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/\p{M}|['’]/gu, '')
  return (bare.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}
