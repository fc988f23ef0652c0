import {
  type DocumentSet,
  fromAscending,
  fromLists,
  intersect,
  numbersIn,
  subtract,
  unite,
} from './document-sets.ts'
import { type Match, parseMatch } from './parse-match.ts'

/** Documents by word, as ascending numbers without duplicates. */
export type Postings = {
  /** All numbers are smaller. */
  documents: number
  /** Returns the documents that have a word. */
  get(word: string): Uint32Array
  /** Returns the documents of each word that begins with a text. */
  listBeginningWith(text: string): Uint32Array[]
}

/** Returns a function that evaluates an expression of match-expressions.ts: the documents that match. */
export function openMatchEvaluator(postings: Postings): (source: string) => DocumentSet {
  // The expressions of one query, and of the next letter that is typed, have most parts in common.
  const known = new Map<string, DocumentSet>()
  // Several expressions may have the same set.
  const kept = new Set<DocumentSet>()
  let size = 0

  function evaluate(match: Match): DocumentSet {
    const found = known.get(match.source)
    if (found !== undefined) return found
    const set = compute(match)
    // The index has the list of a word.
    if (match.kind !== 'token' || set.kind === 'bits') keep(match.source, set)
    return set
  }

  function keep(source: string, set: DocumentSet): void {
    if (size > KNOWN_MAX) {
      known.clear()
      kept.clear()
      size = 0
    }
    size += kept.has(set) ? ENTRY_SIZE : ENTRY_SIZE + numbersIn(set)
    known.set(source, set)
    kept.add(set)
  }

  function compute(match: Match): DocumentSet {
    const { documents } = postings
    switch (match.kind) {
      case 'token':
        return fromAscending(postings.get(match.text), documents)
      case 'prefix':
        return fromLists(postings.listBeginningWith(match.text), documents)
      case 'all':
        return intersect(match.matches.map(evaluate))
      case 'any':
        return unite(match.matches.map(evaluate), documents)
      case 'except':
        return subtract(evaluate(match.match), evaluate(match.without))
    }
  }

  return (source) => known.get(source) ?? evaluate(parseMatch(source))
}

/** Numbers that results may have together: some 8 MB. */
const KNOWN_MAX = 2_000_000

/** Cost of the text of an expression, in numbers. */
const ENTRY_SIZE = 100
