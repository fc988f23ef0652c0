// Orders the matches of a query: exact collector numbers, then exact names, names that begin with the
// words, other names; sets that the query names; ordinary cards before promos and code cards.
import { SET_WORDS_MAX, type Unit } from './interpret-query.ts'
import { allOf, anyOf, type Match, prefix, token } from './match-expressions.ts'
import {
  listNameParts,
  nameBeginning,
  nameLength,
  ODDITY,
  PROMO,
  titleOf,
  wholeName,
} from './search-document.ts'
import type { TypedWord } from './typed-words.ts'
import { type Lexicon, matchInName } from './word-matches.ts'

/** Expressions that a card must match, and expressions that it must not match. */
export type Branch = { with: readonly Match[]; without: readonly Match[] }

/** Branches in order, best first. Together, they contain every match once. */
export type Level = readonly Branch[]

/** Ordinary cards, then promos, then jumbo and code cards: the order of otherwise equal matches. */
export const STANDINGS: Level = bestFirst([token(ODDITY), token(PROMO)]).toReversed()

/**
 * Lists the levels by which matches are ordered, most important first. After them, the standing and the price decide.
 */
export function listRankLevels(units: readonly Unit[], lexicon: Lexicon): Level[] {
  const words = units.flatMap((unit) => unit.words)
  const set = findSet(words, lexicon)
  const others = units.filter((unit) => !unit.words.every((one) => set?.words.includes(one)))
  const numbers = bestFirst(listNumberTiers(others))
  const names = bestFirst(listNameTiers(units, set?.words ?? [], lexicon))
  const sets = bestFirst(set === undefined ? [] : [anyOf(set.tags.map(token))])
  // A set with a number identifies the card; as a name, the words may mean something else.
  return (numbers.length > 1 ? [numbers, sets, names] : [names, sets]).filter(
    (level) => level.length > 1,
  )
}

/** Lists the exact numbers that the words may mean, those with their totals first. */
function listNumberTiers(units: readonly Unit[]): Match[] {
  const most = Math.max(0, ...units.map(({ numbers }) => numbers.length))
  return Array.from({ length: most }, (_, at) =>
    anyOf(units.flatMap(({ numbers }) => numbers.slice(at, at + 1))),
  )
}

/** Builds a level: each tier without the matches of earlier tiers, then all remaining matches. */
function bestFirst(tiers: readonly Match[]): Level {
  return [...tiers.keys(), tiers.length].map((at) => ({
    with: tiers.slice(at, at + 1),
    without: tiers.slice(0, at),
  }))
}

/** Finds the longest sequence of words that names a set. */
function findSet(words: readonly TypedWord[], lexicon: Lexicon) {
  for (let length = Math.min(words.length, SET_WORDS_MAX); length > 0; length--) {
    for (let at = 0; at + length <= words.length; at++) {
      const run = words.slice(at, at + length)
      const tags = lexicon.listSetTags(run.map(({ text }) => text))
      if (tags.length > 0) return { words: run, tags }
    }
  }
  return undefined
}

/** Names of some of the words: exactly, in another order, and with an addition in brackets. */
type NameTier = { whole: Match[]; inAnyOrder: Match[]; titles: Match[] }

/** Tiers by the number of words as typed. */
type NameTiers = Map<number, NameTier>

function listNameTiers(
  units: readonly Unit[],
  setWords: readonly TypedWord[],
  lexicon: Lexicon,
): Match[] {
  const tiers: NameTiers = new Map()
  let begun = { length: 0, matches: [] as Match[] }
  const typing: Match[] = []
  const typed = units.flatMap((unit) => unit.words).length
  for (const variant of listVariants(units)) {
    for (const run of listNameRuns(variant, lexicon)) {
      // `mew two` counts as the words that were typed.
      const length = run.words.length === variant.length ? typed : run.words.length
      const tier = tierOf(tiers, length)
      if (run.isWhole) tier.whole.push(token(wholeName(run.words)))
      tier.titles.push(token(titleOf(run.words)))
      if (run.isUnfinished) typing.push(run.beginning)
      else if (length > begun.length) begun = { length, matches: [run.beginning] }
      else if (length === begun.length) begun.matches.push(run.beginning)
    }
    for (const core of [variant, variant.filter((one) => !setWords.includes(one))]) {
      const parts = listNameParts(core).length
      const inAnyOrder = () => allOf([...core.map(matchInName), token(nameLength(parts))])
      if (parts > 1) tierOf(tiers, core.length).inAnyOrder.push(inAnyOrder())
    }
  }
  const byLength = [...tiers].sort(([a], [b]) => b - a)
  return [
    ...byLength.flatMap(([, { whole, inAnyOrder, titles }]) => [whole, inAnyOrder, titles]),
    begun.matches,
    [allOf(units.map(({ finished }) => finished))],
    typing,
  ]
    .filter((matches) => matches.length > 0)
    .map(anyOf)
}

function tierOf(tiers: NameTiers, length: number): NameTier {
  const tier = tiers.get(length) ?? { whole: [], inAnyOrder: [], titles: [] }
  tiers.set(length, tier)
  return tier
}

/** Lists the words as typed, and with other wordings of their units. */
function listVariants(units: readonly Unit[]): TypedWord[][] {
  const typed = units.flatMap((unit) => unit.words)
  const most = Math.max(0, ...units.map(({ wordings }) => wordings.length))
  const reworded = Array.from({ length: most }, (_, at) =>
    units.flatMap(({ words, wordings }) => wordings[Math.min(at, wordings.length - 1)] ?? words),
  )
  return [typed, ...reworded]
}

type NameRun = {
  words: TypedWord[]
  isWhole: boolean
  /** True if the last word may be incomplete. */
  isUnfinished: boolean
  /** Expression for names that begin with the sequence. */
  beginning: Match
}

/** Lists the sequences of words with which names begin. */
function listNameRuns(words: readonly TypedWord[], lexicon: Lexicon): NameRun[] {
  const runs: NameRun[] = []
  for (const from of words.keys()) {
    for (let to = from + 1; to <= words.length; to++) {
      const run = words.slice(from, to)
      if (listNameParts(run).length === 0) continue
      const isWhole = lexicon.exists(token(wholeName(run)))
      const beginning = prefix(nameBeginning(run))
      const isBeginning = lexicon.exists(beginning)
      if (isWhole || isBeginning) runs.push({ words: run, isWhole, isUnfinished: false, beginning })
      // A name with the number 40 must not precede the card with the number 4.
      const isUnfinished = to === words.length && !/\p{N}$/u.test(run.at(-1)?.text ?? '')
      const longer = prefix(nameBeginning(run, { isFinished: false }))
      if (isUnfinished && lexicon.exists(longer))
        runs.push({ words: run, isWhole, isUnfinished, beginning: longer })
      if (!isBeginning) break
    }
  }
  return runs
}
