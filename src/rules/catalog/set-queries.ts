import { cleanName } from './names.ts'
import { listSetCodes, listSetNames, type SetLabels } from './set-codes.ts'
import { normalizeName } from './trigrams.ts'

/** A set as queries find it; texts are normalized. */
export type SearchableSet = {
  codes: readonly string[]
  /** Its names and its slug, also after the name of its game. */
  names: ReadonlySet<string>
  /** Words of its name, its slug and the slug of its game. */
  words: readonly string[]
}

/** Prepares a set for queries. */
export function toSearchableSet(set: SetLabels & { slug: string }): SearchableSet {
  const { name, slug, game_slug } = set
  const [game, ownSlug] = [plain(game_slug), plain(slug)]
  const names = [...listSetNames(name), ownSlug]
  return {
    codes: listSetCodes(set),
    names: new Set([...names, ...names.map((one) => game + one)]),
    words: wordsOf(`${name} ${slug} ${game_slug}`.replaceAll('-', ' ')),
  }
}

/** Slugs contain nothing else. */
function plain(slug: string): string {
  return slug.replaceAll('-', '')
}

/** A query as `rankSet` compares it. */
export type SetQuery = { key: string; words: readonly string[] }

export function parseSetQuery(text: string): SetQuery {
  return { key: normalizeName(text), words: wordsOf(text.replaceAll('-', ' ')) }
}

/**
 * Ranks a set for a query: 0 if the query is its name, slug or code, 1 if its name begins with it, 2 if the
 * set has each word, or a word that begins with it. Undefined: it does not match.
 */
export function rankSet(set: SearchableSet, { key, words }: SetQuery): number | undefined {
  if (words.length === 0) return undefined
  if (set.names.has(key) || set.codes.includes(key)) return 0
  for (const name of set.names) if (name.startsWith(key)) return 1
  const hasWord = (word: string) =>
    set.codes.includes(word) || set.words.some((one) => one.startsWith(word))
  return words.every(hasWord) ? 2 : undefined
}

function wordsOf(text: string): string[] {
  return cleanName(text)
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '')
}
