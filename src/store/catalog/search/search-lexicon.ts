import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { Lexicon } from '#rules/search/word-matches.ts'
import type { Db } from '../../db.ts'
import type { SearchWordRow } from '../schema/search.ts'
import { LAST_CHARACTER } from '../similar-names.ts'

/** Returns the look-ups by which queries to one version of the catalog are interpreted; they repeat none. */
export function openSearchLexicon(db: Db, matchesAny: (match: string) => boolean): () => Lexicon {
  const byWord = db.prepare<[string], Pick<SearchWordRow, 'tag' | 'is_printing'>>(
    'SELECT tag, is_printing FROM search_words WHERE word = ?',
  )
  const byBeginning = db
    .prepare<[string, string, number], string>(
      'SELECT tag FROM search_words WHERE word >= ? AND word < ? ORDER BY word LIMIT +?',
    )
    .pluck()
  const byPhrase = db
    .prepare<[string, number], string>('SELECT tag FROM search_sets WHERE phrase = ? LIMIT +?')
    .pluck()

  function listSetTags(phrase: string): string[] {
    const tags = byPhrase.all(phrase, SETS_MAX + 1)
    return tags.length > SETS_MAX ? [] : tags
  }

  return () => {
    const exists = remember(matchesAny)
    const getWord = remember((word: string) => byWord.get(word))
    const listSets = remember(listSetTags)
    const listTags = remember((beginning: string) =>
      byBeginning.all(beginning, beginning + LAST_CHARACTER, CONTEXT_WORDS_MAX),
    )
    return {
      exists,
      getContextTag: (word) => getWord(word)?.tag,
      listContextTags: listTags,
      isPrintingWord: (word) => getWord(word)?.is_printing === 1,
      listSetTags: (words) => listSets(normalizeName(words.join(''))),
    }
  }
}

/** Returns a function that computes the result of each text once, as long as it remembers it. */
function remember<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined || known.has(text)) return found as T
    if (known.size >= REMEMBERED_MAX) known.clear()
    const result = compute(text)
    known.set(text, result)
    return result
  }
}

/** Texts of each kind: of some hundred queries, less than 1 MB. */
const REMEMBERED_MAX = 2_000

/** Maximum number of context words that a beginning stands for. */
const CONTEXT_WORDS_MAX = 50

/** A phrase that more sets share, such as "promo", names none of them. */
const SETS_MAX = 12
