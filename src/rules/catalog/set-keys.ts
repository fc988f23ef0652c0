// Keys by which queries and deck lists find a set, and queries for them.
import { cleanName } from './names.ts'
import { listSetCodes, listSetNames, type SetLabels } from './set-codes.ts'
import { normalizeName } from './trigrams.ts'

/**
 * `code`: one of its codes; `name`: its name, in full; `short_name`: also without its series; `title`: a short name
 * or the slug, preceded by the game's name, or the slug alone; `words`: all words, each after a space.
 */
export type SetKeyKind = 'slug' | 'code' | 'name' | 'short_name' | 'title' | 'words'

/** Lists the keys of a set. Except for slugs and words, they are normalized. */
export function listSetKeys(set: SetLabels & { slug: string }): [kind: SetKeyKind, key: string][] {
  const { name, slug, game_slug } = set
  const [game, ownSlug] = [withoutHyphens(game_slug), withoutHyphens(slug)]
  const names = listSetNames(name)
  const codes = listSetCodes(set)
  const titles = new Set([ownSlug, ...[...names, ownSlug].map((one) => game + one)])
  const words = listWords(`${name} ${slug} ${game_slug}`.replaceAll('-', ' '))
  const keyed = (kind: SetKeyKind, keys: Iterable<string>) =>
    [...keys].map((key): [SetKeyKind, string] => [kind, key])
  return [
    ['slug', slug],
    ['name', normalizeName(name)],
    ...keyed('code', codes),
    ...keyed('short_name', names),
    ...keyed('title', titles),
    ['words', ['', ...new Set([...words, ...codes])].join(' ')],
  ]
}

/** Slugs contain no other character that `normalizeName` removes. */
function withoutHyphens(slug: string): string {
  return slug.replaceAll('-', '')
}

/** A query for sets: as a name or code, and as its distinct words, longest first. */
export type SetQuery = { key: string; words: readonly string[] }

export function parseSetQuery(text: string): SetQuery {
  const words = [...new Set(listWords(text.replaceAll('-', ' ')))]
  return { key: normalizeName(text), words: words.sort((a, b) => b.length - a.length) }
}

/** Returns true if each word is among the words of a set's keys, or begins one of them. */
export function hasWords(keyOfWords: string, words: readonly string[]): boolean {
  return words.every((word) => keyOfWords.includes(` ${word}`))
}

function listWords(text: string): string[] {
  return cleanName(text)
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '')
}
