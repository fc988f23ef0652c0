import { LRUCache } from 'lru-cache'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import {
  buildUnits,
  type InterpretedQuery,
  keepMatching,
  listTexts,
  matchUnits,
  splitQuery,
  type Unit,
} from '#rules/search/interpret-query.ts'
import { allOf, type Match } from '#rules/search/match-expressions.ts'
import { findRewording } from '#rules/search/shorthand.ts'
import { suggestSpellings, type TermList, type Vocabulary } from '#rules/search/spelling.ts'
import { splitIntoWords, type TypedWord } from '#rules/search/typed-words.ts'
import { type Lexicon, matchWord } from '#rules/search/word-matches.ts'
import type { Db } from '../../db.ts'
import type { SearchTermRow, SearchWordRow } from '../schema/search.ts'
import { LAST_CHARACTER } from '../similar-names.ts'

/** An interpretation of a query; `corrected` contains the replacements of unknown words. */
type Interpretation = InterpretedQuery & { corrected?: string }

/** Interprets the words of a query, regardless of the filters. */
export type QueryInterpreter = (q: string) => Interpretation

/** Returns a function that opens the interpreter of the current version, whose terms it reads once. */
export function openQueryInterpreters(db: Db): (lexicon: Lexicon) => QueryInterpreter {
  const terms = db.prepare<[], SearchTermRow>(
    'SELECT length, terms, cards, letters FROM search_terms',
  )
  return (lexicon) => {
    let lists: readonly TermList[] | undefined
    const readTerms = () => {
      lists ??= terms.all().map(({ length, terms, cards, letters }) => {
        return { length, terms, cards: toNumbers(cards), letters: toNumbers(letters) }
      })
      return lists
    }
    return (q) => interpret(q, lexicon, readTerms)
  }
}

type TermReader = () => readonly TermList[]

function interpret(q: string, lexicon: Lexicon, readTerms: TermReader): Interpretation {
  const { words, ignored } = splitQuery(q, lexicon)
  const units = buildUnits(words, lexicon)
  const unknown = units.filter(({ match }) => !lexicon.exists(match))
  const corrected = unknown.length === 0 ? undefined : correct(words, unknown, lexicon, readTerms)
  if (corrected !== undefined) return { ...corrected, ignored: [...ignored, ...corrected.ignored] }
  const left = unknown.flatMap(listTexts)
  // The remaining words may form other phrases.
  const known = words.filter(({ text }) => !left.includes(text))
  const kept = keepMatching(unknown.length === 0 ? units : buildUnits(known, lexicon), lexicon)
  return { units: kept.units, ignored: [...ignored, ...left, ...kept.ignored] }
}

/** Returns the first respelling of the unknown words for which a card has all words. */
function correct(
  words: readonly TypedWord[],
  unknown: readonly Unit[],
  lexicon: Lexicon,
  readTerms: TermReader,
): Interpretation | undefined {
  const texts = words.map(({ text }) => text)
  const misspelled = unknown.flatMap(listTexts)
  const vocabulary = createVocabulary(lexicon, readTerms())
  for (const { words: respelled, ignored } of suggestSpellings(texts, misspelled, vocabulary)) {
    const corrected = respelled.join(' ')
    const units = buildUnits(splitIntoWords(corrected), lexicon)
    if (units.length > 0 && lexicon.exists(matchUnits(units))) return { units, ignored, corrected }
  }
  return undefined
}

function createVocabulary(lexicon: Lexicon, lists: readonly TermList[]): Vocabulary {
  const isKnown = (text: string, isUnfinished: boolean): boolean => {
    const words = splitIntoWords(text)
    if (words.length === 0) return false
    if (findRewording([text], 0) !== undefined) return true
    const options = { isUnfinished, isAlone: false, mayBeTotal: false }
    return lexicon.exists(allOf(words.map((one) => matchWord(one, options, lexicon))))
  }
  return {
    lists,
    isWord: (text) => isKnown(text, false),
    isBeginning: (text) => isKnown(text, true),
  }
}

/** Copies a blob into numbers, because it may begin at any offset. */
function toNumbers(blob: Buffer): Uint32Array {
  return new Uint32Array(new Uint8Array(blob).buffer)
}

/** Returns the cached lookups for interpreting queries in one version of the catalog. */
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

/** Returns a function that caches its results. */
function remember<Input, Result extends {}>(
  compute: (input: Input) => Result,
  keyOf: (input: Input) => string,
): (input: Input) => Result {
  const known = new LRUCache<string, Result>({ max: REMEMBERED_MAX })
  return (input) => {
    const key = keyOf(input)
    const found = known.get(key)
    if (found !== undefined) return found
    const result = compute(input)
    known.set(key, result)
    return result
  }
}

const asIs = (text: string) => text

/**
 * Maximum number of cached texts of each kind: those of a few thousand queries, at most some 5 MB. Replacing a text
 * takes longer than looking it up.
 */
const REMEMBERED_MAX = 10_000

/** Maximum number of context words that a beginning may match. */
const CONTEXT_WORDS_MAX = 50

/** Maximum number of sets that a phrase may name. A phrase shared by more, such as "promo", names none. */
const SETS_MAX = 12
