// Keys by which queries and deck lists find a set, and queries for them.
import { cleanName } from './names.ts'
import { listSetAliases, listSetNames, type SetLabels } from './set-codes.ts'
import { isSameSeries, listSetForms, parseSetForm } from './set-forms.ts'
import { normalizeName } from './trigrams.ts'

/**
 * `code`: one of its codes; `name`: its name, in full; `short_name`: also without its series; `title`: a short name
 * or the slug, preceded by the game's name, or the slug alone; `form`: a form of its name (set-forms.ts); `words`: all
 * words, each after a space.
 */
export type SetKeyKind = 'slug' | 'code' | 'name' | 'short_name' | 'title' | 'form' | 'words'

/** Lists the keys of a set. Except for slugs, forms and words, they are normalized. */
export function listSetKeys(set: SetLabels & { slug: string }): [kind: SetKeyKind, key: string][] {
  const { name, slug, game_slug } = set
  const [game, ownSlug] = [withoutHyphens(game_slug), withoutHyphens(slug)]
  const { codes, names: others } = listSetAliases(set)
  // Only rows and lines name a set by its number, and not a search.
  const spoken = others.filter((one) => /\p{L}/u.test(one))
  const names = [...new Set([...listSetNames(name), ...spoken.map(normalizeName)])]
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
    ...keyed('form', listFormKeys([name, ...others])),
    ['words', ['', ...new Set([...words, ...codes])].join(' ')],
  ]
}

/** Lists the forms of names of a set. No key of another kind contains the sign between own words and series. */
function listFormKeys(names: readonly string[]): string[] {
  const forms = names.flatMap(listSetForms)
  return [...new Set(forms.map(({ own, series }) => `${own}=${series.join(' ')}`))]
}

/** The form of a written name, as a beginning of keys, and a comparison with the rest of them. */
export type FormQuery = {
  /** Own words, with the sign behind them. */
  beginning: string
  /** Returns whether a set has the whole form, or only leaves out or adds a part of its series. */
  compare(key: string): 'same' | 'other series' | undefined
}

export function parseFormQuery(name: string): FormQuery {
  const { own, series } = parseSetForm(name)
  const beginning = `${own}=`
  return {
    beginning,
    compare(key) {
      const others = key.slice(beginning.length).split(' ').filter(Boolean)
      if (series.join(' ') === others.join(' ')) return 'same'
      return isSameSeries(own, series, others) ? 'other series' : undefined
    },
  }
}

/**
 * Splits a set's code from its name: `Magic 2010 (M10)`, `SV03 Obsidian Flames`, `OBF: Obsidian Flames`.
 *
 * @returns undefined for a label without a code
 */
export function splitCode(label: string): { name: string; code: string } | undefined {
  const [, name, code] = CODE_BEHIND.exec(label) ?? []
  if (name !== undefined && code !== undefined) return { name, code }
  const [, codeBefore, rest] = CODE_BEFORE.exec(label) ?? []
  return codeBefore === undefined || rest === undefined
    ? undefined
    : { name: rest, code: codeBefore }
}

const CODE_BEHIND = /^(.*\S) ?[([]([\w.-]{2,8})[)\]]$/
const CODE_BEFORE = /^[([]?((?=\S*[A-Z\d])[\w.-]{2,8})[)\]]?(?::| -)? (\S.*)$/

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
