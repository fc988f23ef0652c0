import {
  buildUnits,
  type InterpretedQuery,
  keepMatching,
  listTexts,
  matchUnits,
  splitQuery,
  type Unit,
} from '#rules/search/interpret-query.ts'
import { allOf } from '#rules/search/match-expressions.ts'
import { findRewording } from '#rules/search/shorthand.ts'
import { suggestSpellings, type TermList, type Vocabulary } from '#rules/search/spelling.ts'
import { splitIntoWords, type TypedWord } from '#rules/search/typed-words.ts'
import { type Lexicon, matchWord } from '#rules/search/word-matches.ts'
import type { Db } from '../../db.ts'
import type { SearchTermRow } from '../schema/search.ts'

/** An interpretation of a query; `corrected` has the words that were put in place of unknown ones. */
type Interpretation = InterpretedQuery & { corrected?: string }

/** Interprets the words of a query, whatever the filters exclude. */
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
  // The words that remain may form other phrases.
  const known = words.filter(({ text }) => !left.includes(text))
  const kept = keepMatching(unknown.length === 0 ? units : buildUnits(known, lexicon), lexicon)
  return { units: kept.units, ignored: [...ignored, ...left, ...kept.ignored] }
}

/** Returns the first other spelling of the unknown words by which all words are found together. */
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
