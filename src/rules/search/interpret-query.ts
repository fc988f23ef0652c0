// Interprets a query in one pass: each word may belong to the name, the context or the number of a card.
import { allOf, anyOf, type Match, prefix, token } from './match-expressions.ts'
import { joinedWord, nameBeginning, spellSigns, wholeName } from './search-document.ts'
import { findRewording, isFiller, type Rewording } from './shorthand.ts'
import { splitIntoWords, type TypedWord } from './typed-words.ts'
import {
  type Lexicon,
  listExactNumbers,
  matchInName,
  matchWord,
  type WordOptions,
} from './word-matches.ts'

/** Words that are searched together. */
export type InterpretedQuery = {
  /** In the order in which they were typed. */
  units: readonly Unit[]
  /** Ignored words as typed, because no card has them, alone or together with the others. */
  ignored: readonly string[]
}

/** A word or a phrase of a query. */
export type Unit = {
  words: readonly TypedWord[]
  /** Other wordings of the phrase. */
  wordings: readonly (readonly TypedWord[])[]
  /** Expression for the cards that it describes; the last word of a query may be incomplete. */
  match: Match
  /** Like `match`, but with a complete last word. */
  finished: Match
  /** Expressions for the cards with exactly this number, best first. */
  numbers: readonly Match[]
}

/** Maximum number of words in the name of a set. */
export const SET_WORDS_MAX = 8

/** Longer queries are sentences; further words are ignored. */
const WORDS_MAX = 10

/**
 * Splits a query into distinct words, and omits fillers such as "card", except in the name of a card ("Price of
 * Progress").
 */
export function splitQuery(q: string, lexicon: Lexicon): { words: TypedWord[]; ignored: string[] } {
  const typed = splitIntoWords(spellSigns(q))
  const words = typed.filter((one, at) => typed.findIndex(({ text }) => text === one.text) === at)
  const meant = words.filter(
    (one) => !isFiller(one.text) || isInName(one, words.slice(0, WORDS_MAX), lexicon),
  )
  const kept = (meant.length > 0 ? meant : words).slice(0, WORDS_MAX)
  return {
    words: kept,
    ignored: words.filter((one) => !kept.includes(one)).map(({ text }) => text),
  }
}

/** Returns true if words around this one are the name of a card, or if all words begin one. */
function isInName(one: TypedWord, words: readonly TypedWord[], lexicon: Lexicon): boolean {
  return listRuns(words).some(
    (run) =>
      run.length > 1 &&
      run.includes(one) &&
      lexicon.exists(
        run.length === words.length
          ? prefix(nameBeginning(run, { isFinished: false }))
          : token(wholeName(run)),
      ),
  )
}

/** Builds the units of words; units without a matching card stay. */
export function buildUnits(words: readonly TypedWord[], lexicon: Lexicon): Unit[] {
  const texts = words.map(({ text }) => text)
  const mayBeTotal = texts.filter((text) => /^\p{N}/u.test(text)).length > 1
  const isAlone = words.length === 1
  const units: Unit[] = []
  for (let at = 0; at < words.length; ) {
    const setLength = countSetWords(texts.slice(at), lexicon)
    const rewording = setLength > 0 ? undefined : findRewording(texts, at)
    const length = setLength || (rewording?.length ?? 1)
    const isLast = at + length === words.length
    units.push(
      buildUnit(words.slice(at, at + length), rewording, { isLast, isAlone, mayBeTotal }, lexicon),
    )
    at += length
  }
  return joinUnits(units, lexicon).map((unit) => splitUnit(unit, lexicon))
}

/** Returns the expression of the cards that all units describe. */
export function matchUnits(units: readonly Unit[]): Match {
  return allOf(units.map(({ match }) => match))
}

/**
 * Drops units that match no card together with the others. Keeps as many as possible, and prefers words of a card's
 * name to words of a set's name, because the latter only describe the card.
 */
export function keepMatching(units: readonly Unit[], lexicon: Lexicon): InterpretedQuery {
  if (units.length === 0 || lexicon.exists(matchUnits(units))) return { units, ignored: [] }
  const byWeight = byImportance(units, lexicon)
  // A word that happens to be a name ("f") must not displace all others.
  const attempts = byWeight
    .slice(0, units.length > SHORT_QUERY ? 1 : FIRST_WORDS_MAX)
    .map((first) => keepBeside([first, ...byWeight.filter((one) => one !== first)], lexicon))
  const kept = attempts.reduce((best, one) => (one.size > best.size ? one : best))
  const ignored = units.filter((unit) => !kept.has(unit))
  return {
    units: units.flatMap((unit) => kept.get(unit) ?? []),
    ignored: ignored.flatMap(listTexts),
  }
}

/** Number of units that are tried as the first one to keep. In a long query, only the most important one is tried. */
const FIRST_WORDS_MAX = 3
const SHORT_QUERY = 6

/** Keeps each unit that matches a card together with the kept ones before it, in the singular if necessary. */
function keepBeside(units: readonly Unit[], lexicon: Lexicon): Map<Unit, Unit> {
  const kept = new Map<Unit, Unit>()
  for (const unit of units) {
    const fitting = [unit, ...inSingular(unit, lexicon)].find((one) =>
      lexicon.exists(matchUnits([...kept.values(), one])),
    )
    if (fitting !== undefined) kept.set(unit, fitting)
  }
  return kept
}

/** Returns the unit of a word without its plural ending; an empty list for other units. */
function inSingular({ words }: Unit, lexicon: Lexicon): Unit[] {
  const [only, ...more] = words
  const singular = /^\p{L}{3,}(?=s$)/u.exec(only?.text ?? '')?.[0]
  return singular === undefined || more.length > 0
    ? []
    : buildUnits(splitIntoWords(singular), lexicon)
}

export function listTexts({ words }: Unit): string[] {
  return words.map(({ text }) => text)
}

/** Counts the first words if at least two of them name a set, possibly by another name than in the catalog. */
function countSetWords(texts: readonly string[], lexicon: Lexicon): number {
  for (let length = Math.min(texts.length, SET_WORDS_MAX); length > 1; length--) {
    if (lexicon.listSetTags(texts.slice(0, length)).length > 0) return length
  }
  return 0
}

type UnitOptions = { isLast: boolean; isAlone: boolean; mayBeTotal: boolean }

const PLAIN: WordOptions = { isUnfinished: false, isAlone: false, mayBeTotal: false }

function buildUnit(
  words: readonly TypedWord[],
  rewording: Rewording | undefined,
  { isLast, isAlone, mayBeTotal }: UnitOptions,
  lexicon: Lexicon,
): Unit {
  const wordings = (rewording?.wordings ?? []).map((wording) =>
    wording.words.flatMap(splitIntoWords),
  )
  const [only, ...more] = words
  const numbers = only === undefined || more.length > 0 ? [] : listExactNumbers(only, lexicon)
  const others = [
    ...lexicon.listSetTags(words.map(({ text }) => text)).map(token),
    ...wordings.map((wording, at) =>
      rewording?.wordings[at]?.isName
        ? allOf(wording.map(matchInName))
        : matchPhrase(wording, PLAIN, lexicon),
    ),
    // A total that fits no card is ignored.
    ...(only?.text.includes('/') ? numbers : []),
  ]
  const phrase = (isUnfinished: boolean) =>
    anyOf([matchPhrase(words, { isUnfinished, isAlone, mayBeTotal }, lexicon), ...others])
  const finished = phrase(false)
  return { words, wordings, match: isLast ? phrase(true) : finished, finished, numbers }
}

function matchPhrase(words: readonly TypedWord[], options: WordOptions, lexicon: Lexicon): Match {
  const last = words.length - 1
  return allOf(
    words.map((one, at) =>
      matchWord(one, { ...options, isUnfinished: options.isUnfinished && at === last }, lexicon),
    ),
  )
}

/** Joins adjacent words that are also written as one: `mew two`, or the number `op01 016`. */
function joinUnits(units: readonly Unit[], lexicon: Lexicon): Unit[] {
  const joined: Unit[] = []
  for (let at = 0; at < units.length; at++) {
    const [first, second] = [units[at], units[at + 1]]
    const pair = first && second && joinPair(first, second, lexicon)
    if (pair !== undefined) at++
    if (first !== undefined) joined.push(pair ?? first)
  }
  return joined
}

function joinPair(first: Unit, second: Unit, lexicon: Lexicon): Unit | undefined {
  const [one, two] = [first.words[0], second.words[0]]
  if (first.words.length > 1 || second.words.length > 1 || one === undefined || two === undefined)
    return undefined
  if (!isPlain(one) || !isPlain(two)) return undefined
  const together = one.text + two.text
  const [joined] = splitIntoWords(together)
  // Words in two scripts stay two words, only one of which is the number.
  const number = joined?.parts.length === 1 ? listExactNumbers(joined, lexicon) : []
  const asOne = [token(together), token(joinedWord(together)), ...number]
  const inSet = [lexicon.getContextTag(together) ?? []].flat().map(token)
  const match = anyOf([...asOne, ...inSet])
  if (!lexicon.exists(match)) return undefined
  return {
    words: [one, two],
    wordings: [splitIntoWords(together)],
    match: anyOf([match, allOf([first.match, second.match])]),
    finished: anyOf([match, allOf([first.finished, second.finished])]),
    numbers: [...inNamedSet(one, second, lexicon), ...number, ...first.numbers, ...second.numbers],
  }
}

/** Returns the numbers in the set named by the previous word, because `xy 35` rarely means the promo XY35. */
function inNamedSet({ text }: TypedWord, { numbers }: Unit, lexicon: Lexicon): Match[] {
  const tags = lexicon.listSetTags([text]).map(token)
  return tags.length === 0 ? [] : numbers.slice(0, 1).map((number) => allOf([number, anyOf(tags)]))
}

/** Adds the two words of which a word may consist: `charizardgx`. Other words stay unchanged. */
function splitUnit(unit: Unit, lexicon: Lexicon): Unit {
  const [only, ...more] = unit.words
  if (only === undefined || more.length > 0 || !/^\p{L}{5,24}$/u.test(only.text)) return unit
  if (lexicon.exists(prefix(only.text)) || lexicon.getContextTag(only.text)) return unit
  const { text } = only
  for (let end = text.length - 1; end > 1; end--) {
    const words = splitIntoWords(`${text.slice(0, end)} ${text.slice(end)}`)
    // If names begin with both words, that is not a coincidence.
    if (!lexicon.exists(prefix(nameBeginning(words, { isFinished: false })))) continue
    const match = matchPhrase(words, PLAIN, lexicon)
    const either = { match: anyOf([unit.match, match]), finished: anyOf([unit.finished, match]) }
    return { ...unit, ...either, wordings: [...unit.wordings, words] }
  }
  return unit
}

function isPlain({ parts, text }: TypedWord): boolean {
  return (
    (parts.length === 1 && parts[0]?.raw === text && !/^\p{N}/u.test(text)) ||
    /^\p{N}+$/u.test(text)
  )
}

function byImportance(units: readonly Unit[], lexicon: Lexicon): Unit[] {
  const importance = new Map(units.map((unit) => [unit, rateImportance(unit, lexicon)]))
  for (const run of listRuns(units)) {
    const words = run.flatMap((unit) => unit.words)
    const [inName, inSet] = [
      lexicon.exists(token(wholeName(words))),
      lexicon.listSetTags(words.map(({ text }) => text)).length > 0,
    ]
    const score = (inName ? NAME_SCORE : inSet ? SET_SCORE : 0) + run.length
    if (!inName && !inSet) continue
    for (const unit of run) importance.set(unit, Math.max(importance.get(unit) ?? 0, score))
  }
  return units.toSorted((a, b) => (importance.get(b) ?? 0) - (importance.get(a) ?? 0))
}

const NAME_SCORE = 200
const SET_SCORE = 100

/** Few cards have the same number with a code or a total: `op05-119`, `139/195`. */
const CODE_SCORE = 150

/** Rates a word by itself: a word of names is worth more than a plain number or a printing. */
function rateImportance({ words, numbers }: Unit, lexicon: Lexicon): number {
  if (words.every(({ text }) => lexicon.isPrintingWord(text))) return 0
  if (numbers.length === 0) return 2
  return words.every(({ text }) => /^\p{N}+$/u.test(text)) ? 1 : CODE_SCORE
}

function listRuns<T>(items: readonly T[]): T[][] {
  return items.flatMap((_, from) =>
    items.slice(from).map((_, more) => items.slice(from, from + more + 1)),
  )
}
