import {
  type DocumentSet,
  fromAscending,
  fromLists,
  intersect,
  subtract,
  unite,
} from './document-sets.ts'
import type { Match } from './match-expressions.ts'

/** Documents by word, as ascending numbers without duplicates. */
export type Postings = {
  /** Number of documents; every document number is smaller. */
  documents: number
  /** Returns the documents that have a word. */
  get(word: string): Uint32Array
  /** Returns the documents of each word that begins with a text. */
  listBeginningWith(text: string): Uint32Array[]
}

/**
 * Finds the documents that match an expression.
 *
 * @param evaluate finds the documents of a part, or returns a cached result
 */
export function evaluateMatch(
  match: Match,
  { documents, get, listBeginningWith }: Postings,
  evaluate: (part: Match) => DocumentSet,
): DocumentSet {
  switch (match.kind) {
    case 'token':
      return fromAscending(get(match.word), documents)
    case 'prefix':
      return fromLists(listBeginningWith(match.word), documents)
    case 'all':
      return intersect(match.matches.map(evaluate))
    case 'any':
      return unite(match.matches.map(evaluate), documents)
    case 'except':
      return subtract(evaluate(match.match), evaluate(match.without))
  }
}
