// Spelling suggestions for queries without results: similarly spelled words of the catalog. The vocabulary is used in
// its stored form, so it need not be loaded.
import { countOnes } from '../primitives/bits.ts'

/** All words of one length, concatenated, most frequent first. */
export type TermList = {
  /** Length of each word, in UTF-16 units. */
  length: number
  terms: string
  /** Number of cards that contain each word. */
  cards: Uint32Array
  /** Letters in each word, one bit each. */
  letters: Uint32Array
}

/** The catalog's words. */
export type Vocabulary = {
  lists: readonly TermList[]
  isWord(word: string): boolean
  isBeginning(word: string): boolean
}

export type SimilarTerm = { term: string; distance: number; cards: number }

/** Packs a vocabulary into its stored form, by length. */
export function packTerms(terms: Iterable<{ term: string; cards: number }>): TermList[] {
  const byLength = Map.groupBy(terms, ({ term }) => term.length)
  return [...byLength].map(([length, list]) => {
    list.sort((a, b) => b.cards - a.cards || (a.term < b.term ? -1 : 1))
    return {
      length,
      terms: list.map(({ term }) => term).join(''),
      cards: Uint32Array.from(list, ({ cards }) => cards),
      letters: Uint32Array.from(list, ({ term }) => letterSet(term)),
    }
  })
}

/** Another spelling of a query. */
export type Respelling = {
  words: string[]
  /** Ignored words, which resemble no known word. */
  ignored: string[]
}

/**
 * Suggests other spellings of the unknown words of a query, best first, at most SPELLING_SUGGESTIONS_MAX. Known words
 * are never replaced, but may be joined with unknown ones.
 *
 * @param words in lower case; the last one may be incomplete
 */
export function suggestSpellings(
  words: readonly string[],
  unknown: readonly string[],
  vocabulary: Vocabulary,
): Respelling[] {
  const places = [...words.keys()].filter((at) => unknown.includes(words[at] ?? ''))
  if (places.length > UNKNOWN_MAX) return []
  const choices = places.map((at) => ({ at, edits: listEdits(words, at, vocabulary) }))
  const hopeless = choices.filter(({ edits }) => edits.length === 0).map(({ at }) => at)
  const hopeful = choices.flatMap(({ edits }) => (edits.length === 0 ? [] : [edits]))
  if (hopeful.length === 0) return []
  const ignored = hopeless.map((at) => words[at] ?? '')
  const without = hopeless.map((at) => ({ at, span: 1, words: [], cost: 0 }))
  return combineEdits(hopeful)
    .slice(0, SPELLING_SUGGESTIONS_MAX)
    .map((edits) => ({ words: applyEdits(words, [...edits, ...without]), ignored }))
}

/**
 * Finds the words within a given edit distance, nearest first, then most frequent first.
 *
 * @param max maximum distance: number of wrong, missing, extra or transposed letters
 */
export function findSimilarTerms(
  word: string,
  lists: readonly TermList[],
  max: number,
): SimilarTerm[] {
  const letters = letterSet(word)
  const near: SimilarTerm[] = []
  for (const list of lists) {
    if (Math.abs(list.length - word.length) > max) continue
    for (let at = 0; at < list.letters.length; at++) {
      // An edit adds at most one letter and removes one, which rules out nearly all words.
      const theirs = list.letters[at] ?? 0
      if (countOnes(letters & ~theirs) > max || countOnes(theirs & ~letters) > max) continue
      const term = termAt(list, at)
      const distance = editDistance(word, term, max)
      if (distance <= max) near.push({ term, distance, cards: list.cards[at] ?? 0 })
    }
  }
  return near.sort((a, b) => a.distance - b.distance || b.cards - a.cards)
}

/**
 * Computes the edit distance: the number of wrong, missing, extra or transposed letters. Anything above `max` is
 * returned as `max + 1`.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  // A common prefix and suffix need no edit.
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let [endA, endB] = [a.length, b.length]
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  // After one edit, one letter of each remains, or two transposed ones.
  if (max === 1 && Math.max(endA, endB) - start > 2) return 2
  return distanceBetween(a.slice(start, endA), b.slice(start, endB), max)
}

function distanceBetween(a: string, b: string, max: number): number {
  let before: number[] = []
  let last: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    ;[before, last, row] = [last, row, [i]]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min(
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (before[j - 2] ?? 0) + 1)
      }
      row.push(best)
      least = Math.min(least, best)
    }
    if (least > max) return max + 1
  }
  return Math.min(row[b.length] ?? 0, max + 1)
}

/**
 * Computes a weighted edit distance of names; above `max`, any value of at least `max + 1`. Digits weigh more than
 * letters, because a different number usually means another card. A wrong letter weighs slightly more than a missing
 * or an extra one, which are more common in print: 34 % and 27 % compared with 19 % (Pollock and Zamora, 1984).
 */
export function weightedEditDistance(a: string, b: string, max: number): number {
  const distance = editDistance(a, b, max)
  if (distance > max) return distance
  const digits = (name: string) => name.replace(/[^0-9]/g, '')
  return distance + (digits(a) === digits(b) ? 0 : 0.5) + (a.length === b.length ? 0.1 : 0)
}

export const SPELLING_SUGGESTIONS_MAX = 6
const UNKNOWN_MAX = 3
const NEAR_MAX = 3

/** Replaces `span` words with other words. */
type Edit = { at: number; span: number; words: readonly string[]; cost: number }

// Costs are in edits: a wrong letter costs one. Words rarely form a known word together by chance.
const JOIN_COST = 0.4
const SPLIT_COST = 1.5
/** People abbreviate words in notes, such as the `alt` of `giratina alt art`. */
const COMPLETE_COST = 0.5
const COMPLETE_MIN = 3

function listEdits(words: readonly string[], at: number, vocabulary: Vocabulary): Edit[] {
  return [
    ...findJoins(words, at - 1, vocabulary),
    ...findJoins(words, at, vocabulary),
    ...findReplacements(words, at, vocabulary),
    ...findSplits(words, at, vocabulary),
    ...findCompletions(words, at, vocabulary),
  ].sort(byCost)
}

/** Combines one edit per unknown word: the best edit of each, then with a single second choice. */
function combineEdits(choices: readonly (readonly Edit[])[]): Edit[][] {
  const best = choices.flatMap((edits) => edits.slice(0, 1))
  const others = choices.flatMap((edits, index) =>
    edits.slice(1).map((edit) => ({ edit, index, worse: edit.cost - (best[index]?.cost ?? 0) })),
  )
  others.sort((a, b) => a.worse - b.worse)
  return [best, ...others.map(({ edit, index }) => best.with(index, edit))]
}

function byCost(a: Edit, b: Edit): number {
  return a.cost - b.cost
}

function isKnown(
  words: readonly string[],
  at: number,
  word: string | undefined,
  { isWord, isBeginning }: Vocabulary,
): boolean {
  if (word === undefined) return false
  return at === words.length - 1 ? isBeginning(word) : isWord(word)
}

function findJoins(words: readonly string[], at: number, vocabulary: Vocabulary): Edit[] {
  const [first, second] = [words[at], words[at + 1]]
  if (first === undefined || second === undefined) return []
  const joined = first + second
  if (!isKnown(words, at + 1, joined, vocabulary)) return []
  return [{ at, span: 2, words: [joined], cost: JOIN_COST }]
}

function findReplacements(words: readonly string[], at: number, { lists }: Vocabulary): Edit[] {
  const word = words[at] ?? ''
  // Numbers are never corrected, because a different number is a different card.
  if (/[0-9]/.test(word)) return []
  return findSimilarTerms(word, lists, maxEdits(word))
    .filter(({ term }) => !words.includes(term))
    .slice(0, NEAR_MAX)
    .map(({ term, distance }) => ({ at, span: 1, words: [term], cost: distance }))
}

/**
 * Returns the maximum number of edits: a word of two letters with a change is another word, while a long word
 * tolerates two.
 */
function maxEdits(word: string): number {
  if (word.length < 3) return 0
  return word.length < 6 ? 1 : 2
}

function findSplits(words: readonly string[], at: number, vocabulary: Vocabulary): Edit[] {
  const word = words[at] ?? ''
  const edits: Edit[] = []
  for (let end = 2; end <= Math.min(word.length, SPLIT_MAX) - 2; end++) {
    const [first, second] = [word.slice(0, end), word.slice(end)]
    if (vocabulary.isWord(first) && isKnown(words, at, second, vocabulary)) {
      edits.push({ at, span: 1, words: [first, second], cost: SPLIT_COST })
    }
  }
  return edits
}

/** Maximum length of a word that is split into two words. */
const SPLIT_MAX = 24

function findCompletions(words: readonly string[], at: number, { lists }: Vocabulary): Edit[] {
  const word = words[at] ?? ''
  const term = word.length < COMPLETE_MIN ? undefined : findCompletion(word, lists)
  return term === undefined ? [] : [{ at, span: 1, words: [term], cost: COMPLETE_COST }]
}

/** Returns the most frequent word with this prefix. */
function findCompletion(word: string, lists: readonly TermList[]): string | undefined {
  let best: { term: string; cards: number } | undefined
  for (const list of lists) {
    if (list.length <= word.length) continue
    for (let at = 0; at < list.cards.length; at++) {
      if (!list.terms.startsWith(word, at * list.length)) continue
      const cards = list.cards[at] ?? 0
      if (best === undefined || cards > best.cards) best = { term: termAt(list, at), cards }
      break
    }
  }
  return best?.term
}

function applyEdits(words: readonly string[], edits: readonly Edit[]): string[] {
  const result: string[] = []
  for (let at = 0; at < words.length; ) {
    const edit = edits.find((one) => one.at === at)
    result.push(...(edit?.words ?? words.slice(at, at + 1)))
    at += edit?.span ?? 1
  }
  return result
}

function termAt({ terms, length }: TermList, at: number): string {
  return terms.slice(at * length, (at + 1) * length)
}

/** Returns the set of letters as 32 bits. Letters of other scripts share bits. */
function letterSet(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters >>> 0
}
