import { type Match, parseMatch } from './parse-match.ts'
import { intersect, subtract, unite } from './sorted-sets.ts'

/** Documents by word, as sorted arrays without duplicates. */
export type Postings = {
  /** Returns the documents that have a word. */
  get(word: string): Uint32Array
  /** Returns the documents of each word that begins with a text. */
  listBeginningWith(text: string): Uint32Array[]
}

/** Returns a function that evaluates an expression of match-expressions.ts: the documents that match. */
export function openMatchEvaluator(postings: Postings): (source: string) => Uint32Array {
  // The expressions of one query, and of the next letter that is typed, have most parts in common.
  const known = new Map<string, Uint32Array>()
  let size = 0

  function evaluate(match: Match): Uint32Array {
    const found = known.get(match.source)
    if (found !== undefined) return found
    const result = compute(match)
    if (match.kind === 'token') return result
    if (size > KNOWN_MAX) {
      known.clear()
      size = 0
    }
    size += result.length + ENTRY_SIZE
    known.set(match.source, result)
    return result
  }

  function compute(match: Match): Uint32Array {
    switch (match.kind) {
      case 'token':
        return postings.get(match.text)
      case 'prefix':
        return unite(postings.listBeginningWith(match.text))
      case 'all':
        return intersect(match.matches.map(evaluate))
      case 'any':
        return unite(match.matches.map(evaluate))
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
