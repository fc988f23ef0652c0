import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { type ListLine, type NameReading, parseListLine } from '#rules/matching/parse-list-line.ts'
import { runYielding } from '../cooperative-loop.ts'
import { createNumberMatcher, createSetReader, type SetReading } from './line-parts.ts'
import {
  createMatcher,
  type Matcher,
  type NormalizedReading,
  SEARCH_LENGTH_MIN,
  STEPS,
  type Step,
} from './match-name.ts'
import {
  type CardMatch,
  cacheLookups,
  createNameIndexes,
  type IgnoredPart,
  type NameIndex,
  type NameItem,
  type NameMatch,
  type NameMiss,
} from './name-index.ts'

/** Resolves names, or lines of a list, in the order of the items. Yields to other requests. */
export function resolveNames(
  { catalog }: Pick<Deps, 'catalog'>,
  items: readonly NameItem[],
): Promise<(NameMatch | NameMiss)[]> {
  return runYielding(items, createLineResolver(catalog))
}

/**
 * Returns a function that resolves a name or a line of a list. Exact names take precedence over every other reading
 * of a line, then a set with its number and name, then the name without a set.
 */
function createLineResolver(catalog: Deps['catalog']) {
  const selectIndex = createNameIndexes(catalog)
  const match = createMatcher(catalog)
  const matchNumber = createNumberMatcher(catalog)
  const readSets = createSetReader(catalog)

  return function* resolveLine(item: NameItem): Generator<undefined, NameMatch | NameMiss> {
    const index = selectIndex(item)
    if ('reason' in index) return index
    const line = parseListLine(item.name)
    const isSpelled = (id: number, name: string) => {
      return catalog.names.getFacts([id])[0]?.name.toLowerCase() === name.toLowerCase()
    }
    const search = { item, line, match, isSpelled, index: cacheLookups(index) }
    const whole = yield* findWhole(search)
    if (whole !== undefined) return whole
    const sets = item.set === undefined ? readSets(line.readings, item.game) : []
    const inSet = yield* findInSets({ ...search, selectIndex }, sets)
    if (inSet !== undefined) return inSet
    const found = matchNumber(line, item, sets) ?? (yield* findByName(search, sets))
    return found ?? describeMiss(line)
  }
}

type Search = {
  item: NameItem
  line: ListLine
  match: Matcher
  index: NameIndex
  /** Returns true if a card has exactly this name; case is ignored. */
  isSpelled: (id: number, name: string) => boolean
}

/** Finds a card whose name is the whole line, or the line without its quantity. */
function* findWhole({
  item,
  line,
  match,
  index,
  isSpelled,
}: Search): Generator<undefined, NameMatch | undefined> {
  for (const { name, quantity } of line.wholes) {
    const found = yield* match(index, 'exact', readingOf({ name, suffixes: [] }), item)
    if (found === undefined) continue
    // "2 Mace" does not mean "+2 Mace", although the letters are the same.
    const isQuantified = quantity !== line.quantity
    if (isQuantified && !isSpelled(found.card_id, name)) continue
    return finish(found, line, { quantity, name, suffixes: [] }, [])
  }
  return undefined
}

type SetSearch = Search & { selectIndex: ReturnType<typeof createNameIndexes> }

/** Finds a card of a set that the line names. The number must fit, unless the name fits exactly. */
function* findInSets(
  { item, line, match, selectIndex }: SetSearch,
  sets: readonly SetReading[],
): Generator<undefined, NameMatch | undefined> {
  for (const { keep, steps, isCodeOptional = false } of PASSES) {
    for (const step of steps) {
      for (const reading of sets) {
        const suffixes = keep(reading.suffixes)
        const isRepeated = keep !== keepAll && suffixes.length === reading.suffixes.length
        const needsNumber = isCodeOptional || step === 'sharing a word'
        if (needsNumber ? !suffixes.some(hasNumber) : isRepeated) continue
        const index = selectIndex({ game: item.game, set: reading.set })
        if ('reason' in index) continue
        const query = { ...readingOf({ ...reading, suffixes }), isCodeOptional }
        const found = yield* match(index, step, query, item)
        if (found === undefined) continue
        const lacksNumber = reading.suffixes.some(hasNumber) && !suffixes.some(hasNumber)
        return lacksNumber
          ? guess(found, line, reading, ['number_not_found'])
          : finish(found, line, reading, [])
      }
    }
  }
  return undefined
}

const keepAll = (suffixes: readonly string[]) => suffixes
const keepNumbers = (suffixes: readonly string[]) => suffixes.filter(hasNumber)
const keepNone = () => []

/** Ways to search a set, best first: the last one ignores numbers after the name. */
const PASSES: readonly {
  keep: (suffixes: readonly string[]) => readonly string[]
  steps: readonly Step[]
  isCodeOptional?: true
}[] = [
  { keep: keepAll, steps: STEPS },
  { keep: keepNumbers, steps: ['exact', 'printed', 'starting with'], isCodeOptional: true },
  { keep: keepNumbers, steps: STEPS },
  { keep: keepNone, steps: ['exact', 'printed'] },
  // A shared word is enough only for the card with this number.
  { keep: keepNumbers, steps: ['sharing a word'] },
  { keep: keepNone, steps: STEPS },
]

/** Finds a card by its name, without a set. Text after the name must match, unless no card has it. */
function* findByName(
  { item, line, match, index }: Search,
  sets: readonly SetReading[],
): Generator<undefined, NameMatch | undefined> {
  const readings: ReadParts[] = [...line.readings, ...withoutCodes(line.readings), ...sets]
  for (const keep of [keepAll, keepNumbers, keepNone]) {
    for (const step of STEPS) {
      for (const reading of readings) {
        const suffixes = keep(reading.suffixes)
        const isRepeated = keep !== keepAll && suffixes.length === reading.suffixes.length
        if (isRepeated && reading.set === undefined) continue
        const found = yield* match(index, step, readingOf({ ...reading, suffixes }), item)
        if (found === undefined) continue
        const isWhole = keep === keepAll && reading.set === undefined
        return isWhole
          ? finish(found, line, reading, [])
          : guess(found, line, reading, listIgnored(reading, suffixes))
      }
    }
  }
  return undefined
}

/** Returns further readings without the capitals before a number, which may be the code of an unknown set. */
function withoutCodes(readings: readonly NameReading[]): NameReading[] {
  return readings.flatMap(({ name, suffixes }) => {
    const [, rest = '', code = ''] = /^(.*\S) ([A-Z][A-Z0-9-]{1,6})$/.exec(name) ?? []
    const isCoded = rest !== '' && suffixes.some(hasNumber)
    return isCoded ? [{ name: rest, suffixes: [...suffixes, code] }] : []
  })
}

function listIgnored(reading: ReadParts, suffixes: readonly string[]): IgnoredPart[] {
  const dropped = reading.suffixes.filter((suffix) => !suffixes.includes(suffix))
  const isSetUnknown = reading.set === undefined && dropped.some(isCode)
  return [
    ...(reading.set !== undefined ? (['not_in_set'] as const) : []),
    ...(isSetUnknown ? (['set_not_found'] as const) : []),
    ...(dropped.some((suffix) => hasNumber(suffix) && !isCode(suffix))
      ? (['number_not_found'] as const)
      : []),
  ]
}

type ReadParts = NameReading & { quantity?: number; set?: string }

/** Adds the parts of the line. */
function finish(
  found: CardMatch,
  line: ListLine,
  { name, suffixes, quantity = line.quantity, set = suffixes.find(isCode) }: ReadParts,
  ignored: readonly IgnoredPart[],
): NameMatch {
  const number = suffixes.find((suffix) => hasNumber(suffix) && suffix !== set)
  return { ...found, line: { quantity, name, set, number, printing: line.printing, ignored } }
}

/** Adds the parts of the line, although the card does not match all of them. */
function guess(
  found: CardMatch,
  line: ListLine,
  reading: ReadParts,
  ignored: readonly IgnoredPart[],
): NameMatch {
  const corrected_name = found.corrected_name ?? reading.name
  return { ...finish(found, line, reading, ignored), confidence: 'medium', corrected_name }
}

function describeMiss({ readings }: ListLine): NameMiss {
  const isShort = readings.every(({ name }) => normalizeName(name).length < SEARCH_LENGTH_MIN)
  return { reason: isShort ? 'name_too_short' : 'no_match' }
}

function readingOf(reading: NameReading): NormalizedReading {
  return { ...reading, bare: normalizeName(reading.name) }
}

function hasNumber(suffix: string): boolean {
  return /\d/.test(suffix)
}

/**
 * Returns true for capitals and digits that may be a set's code: `MH2`, `PR-SV`; but not `40` and `OP01-016`, which
 * are numbers.
 */
function isCode(suffix: string): boolean {
  return /^(?=.*[A-Z])[A-Z0-9]{2,6}(?:-[A-Z]{1,4})?$/.test(suffix)
}
