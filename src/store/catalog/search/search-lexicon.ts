import { LRUCache } from 'lru-cache'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { Match } from '#rules/search/match-expressions.ts'
import type { Lexicon } from '#rules/search/word-matches.ts'
import type { Db } from '../../db.ts'
import type { SearchWordRow } from '../schema/search.ts'
import { LAST_CHARACTER } from '../similar-names.ts'

/** Returns the look-ups by which queries to one version of the catalog are interpreted; they repeat none. */
export function openSearchLexicon(db: Db, matchesAny: (match: Match) => boolean): () => Lexicon {
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
    const exists = remember(matchesAny, ({ source }) => source)
    const getWord = remember((word: string) => byWord.get(word) ?? NO_WORD, asIs)
    const listSets = remember(listSetTags, asIs)
    const listTags = remember(
      (text: string) => byBeginning.all(text, text + LAST_CHARACTER, CONTEXT_WORDS_MAX),
      asIs,
    )
    return {
      exists,
      getContextTag: (word) => getWord(word).tag,
      listContextTags: listTags,
      isPrintingWord: (word) => getWord(word).is_printing === 1,
      listSetTags: (words) => listSets(normalizeName(words.join(''))),
    }
  }
}

/** Context word that no card has. */
const NO_WORD: Partial<Pick<SearchWordRow, 'tag' | 'is_printing'>> = {}

/** Returns a function that computes each result once, as long as it remembers it. */
function remember<Asked, Result extends {}>(
  compute: (asked: Asked) => Result,
  keyOf: (asked: Asked) => string,
): (asked: Asked) => Result {
  const known = new LRUCache<string, Result>({ max: REMEMBERED_MAX })
  return (asked) => {
    const key = keyOf(asked)
    const found = known.get(key)
    if (found !== undefined) return found
    const result = compute(asked)
    known.set(key, result)
    return result
  }
}

const asIs = (text: string) => text

/** Texts of each kind: of a few thousand queries, some 5 MB at most. Replacing one takes longer than looking it up. */
const REMEMBERED_MAX = 10_000

/** Maximum number of context words that a beginning stands for. */
const CONTEXT_WORDS_MAX = 50

/** A phrase that more sets share, such as "promo", names none of them. */
const SETS_MAX = 12
