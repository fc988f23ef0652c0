import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { Lexicon } from '#rules/search/word-matches.ts'
import type { Db } from '../../db.ts'
import type { SearchWordRow } from '../schema.ts'
import type { SearchHits } from './search-hits.ts'

/** Returns the look-ups by which a query is interpreted. */
export function openSearchLexicon(db: Db, hits: SearchHits): Lexicon {
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

  return {
    exists: hits.exists,
    getContextTag: (word) => byWord.get(word)?.tag,
    listContextTags: (beginning) =>
      byBeginning.all(beginning, beginning + AFTER_LETTERS, CONTEXT_WORDS_MAX),
    isPrintingWord: (word) => byWord.get(word)?.is_printing === 1,
    listSetTags(words) {
      const tags = byPhrase.all(normalizeName(words.join('')), SETS_MAX + 1)
      return tags.length > SETS_MAX ? [] : tags
    },
  }
}

/** Sorts after all letters and digits. */
const AFTER_LETTERS = '\u{10ffff}'

/** Maximum number of context words that a beginning stands for. */
const CONTEXT_WORDS_MAX = 50

/** A phrase that more sets share, such as "promo", names none of them. */
const SETS_MAX = 12
