// What was meant, when what was typed is found nowhere: the words of the catalog that are written
// nearly like it. The vocabulary is held as it is stored, so that a second try costs no loading.

/** All words of one length, end to end, most frequent first. */
export type TermList = {
  /** Of each word, in UTF-16 units. */
  length: number
  terms: string
  /** How many cards have the word. */
  cards: Uint32Array
  /** Which letters are in the word, a bit each. */
  letters: Uint32Array
}

/** What is known of the catalog's words. */
export type Vocabulary = {
  lists: readonly TermList[]
  isWord(word: string): boolean
  isBeginning(word: string): boolean
}

export type NearTerm = { term: string; distance: number; cards: number }

/** A vocabulary as it is stored, by length. */
export function packTerms(terms: Iterable<{ term: string; cards: number }>): TermList[] {
  const byLength = new Map<number, { term: string; cards: number }[]>()
  for (const one of terms) {
    const { length } = one.term
    const same = byLength.get(length)
    if (same === undefined) byLength.set(length, [one])
    else same.push(one)
  }
  return [...byLength].map(([length, list]) => {
    list.sort((a, b) => b.cards - a.cards || (a.term < b.term ? -1 : 1))
    return {
      length,
      terms: list.map(({ term }) => term).join(''),
      cards: Uint32Array.from(list, ({ cards }) => cards),
      letters: Uint32Array.from(list, ({ term }) => lettersOf(term)),
    }
  })
}

/**
 * Other ways to read what was typed, the most likely first, at most RESPELLINGS_MAX. Where words are
 * unknown, those are replaced; where all are known but were found nowhere together, one is.
 *
 * @param words in lower case; the last one may be unfinished
 */
export function respellings(words: readonly string[], vocabulary: Vocabulary): string[][] {
  const unknown = words.flatMap((word, at) => (isKnown(words, at, word, vocabulary) ? [] : [at]))
  if (unknown.length > UNKNOWN_MAX) return []
  const suspects = unknown.length > 0 ? unknown : [...words.keys()].slice(0, WORDS_MAX)
  const edits = suspects.map((at) => editsOf(words, at, vocabulary))
  const ways =
    unknown.length > 0
      ? together(edits)
      : edits
          .flat()
          .sort(byCost)
          .map((edit) => [edit])
  return ways.slice(0, RESPELLINGS_MAX).map((way) => applied(words, way))
}

/**
 * The words that are at most this far from what was typed, the nearest first, of equally near ones
 * the most frequent.
 *
 * @param most how far, in letters that are wrong, missing, too many or swapped with the next
 */
export function nearTerms(word: string, lists: readonly TermList[], most: number): NearTerm[] {
  const letters = lettersOf(word)
  const near: NearTerm[] = []
  for (const list of lists) {
    if (Math.abs(list.length - word.length) > most) continue
    for (let at = 0; at < list.letters.length; at++) {
      // Each fault adds at most one letter and takes away one, which rules out nearly all.
      const theirs = list.letters[at] ?? 0
      if (bits(letters & ~theirs) > most || bits(theirs & ~letters) > most) continue
      const term = termAt(list, at)
      const distance = distanceOf(word, term, most)
      if (distance <= most) near.push({ term, distance, cards: list.cards[at] ?? 0 })
    }
  }
  return near.sort((a, b) => a.distance - b.distance || b.cards - a.cards)
}

/**
 * How many letters are wrong, missing, too many or swapped with the next one; `most + 1` stands for
 * anything more.
 */
export function distanceOf(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
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
    if (least > most) return most + 1
  }
  return Math.min(row[b.length] ?? 0, most + 1)
}

export const RESPELLINGS_MAX = 8
const UNKNOWN_MAX = 3
const WORDS_MAX = 6
const NEAR_MAX = 3

/** Puts other words in the place of `span` words. */
type Edit = { at: number; span: number; words: readonly string[]; cost: number }

/** A word of two letters is another word with one changed; a long one bears two faults. */
function faultsIn(word: string): number {
  if (word.length < 3) return 0
  return word.length < 6 ? 1 : 2
}

function isKnown(
  words: readonly string[],
  at: number,
  word: string,
  vocabulary: Vocabulary,
): boolean {
  return at === words.length - 1 ? vocabulary.isBeginning(word) : vocabulary.isWord(word)
}

/** What may stand for a word, or for a word and the next, the most likely first. */
function editsOf(words: readonly string[], at: number, vocabulary: Vocabulary): Edit[] {
  const word = words[at] ?? ''
  const edits: Edit[] = []
  for (const start of [at - 1, at]) {
    const [first, second] = [words[start], words[start + 1]]
    if (first === undefined || second === undefined) continue
    const joined = first + second
    if (isKnown(words, start + 1, joined, vocabulary)) {
      edits.push({ at: start, span: 2, words: [joined], cost: JOIN_COST })
    }
  }
  // A number is meant as it is typed: another one is another card.
  if (/[0-9]/.test(word)) return edits
  const near = nearTerms(word, vocabulary.lists, faultsIn(word)).filter(({ term }) => term !== word)
  for (const { term, distance } of near.slice(0, NEAR_MAX)) {
    edits.push({ at, span: 1, words: [term], cost: distance })
  }
  for (let end = 2; end <= word.length - 2; end++) {
    const [first, second] = [word.slice(0, end), word.slice(end)]
    if (vocabulary.isWord(first) && isKnown(words, at, second, vocabulary)) {
      edits.push({ at, span: 1, words: [first, second], cost: SPLIT_COST })
    }
  }
  const finished = finishedTerm(word, vocabulary.lists)
  if (finished !== undefined) edits.push({ at, span: 1, words: [finished], cost: FINISH_COST })
  return edits.sort(byCost)
}

const JOIN_COST = 1
const SPLIT_COST = 1.5
const FINISH_COST = 3

function byCost(a: Edit, b: Edit): number {
  return a.cost - b.cost
}

/** The most frequent word that begins like this. */
function finishedTerm(word: string, lists: readonly TermList[]): string | undefined {
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

/** One edit for each word that needs one: the best of all first, then one of them the next best. */
function together(edits: readonly (readonly Edit[])[]): Edit[][] {
  const best = edits.flatMap(([first]) => (first === undefined ? [] : [first]))
  if (best.length < edits.length) return []
  const others = edits.flatMap((choices, place) =>
    choices
      .slice(1)
      .map((choice) => ({ choice, place, worse: choice.cost - (best[place]?.cost ?? 0) })),
  )
  others.sort((a, b) => a.worse - b.worse)
  return [best, ...others.map(({ choice, place }) => best.with(place, choice))]
}

function applied(words: readonly string[], edits: readonly Edit[]): string[] {
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

/** A set of letters in 32 bits. Letters of other scripts share them, which only rules out less. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters >>> 0
}

function bits(set: number): number {
  let left = set - ((set >>> 1) & 0x55555555)
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333)
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
