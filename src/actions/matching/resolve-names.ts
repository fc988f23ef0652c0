import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { type ListLine, type NameReading, parseListLine } from '#rules/matching/parse-list-line.ts'
import { PREFERENCE_BY_DEFAULT, type Preference } from '#rules/matching/preference.ts'
import { runYielding } from '../cooperative-loop.ts'
import { createCardChooser } from './choose-cards.ts'
import {
  describeMiss,
  finish,
  guess,
  hasNumber,
  listIgnored,
  type ReadParts,
} from './line-match.ts'
import { createNumberMatcher, createSetReader, type SetReading } from './line-parts.ts'
import { createLineVariants } from './line-variants.ts'
import { createMatchers, type Matcher, STEPS, type Step } from './match-name.ts'
import {
  createNameIndexes,
  type NameIndex,
  type NameIndexes,
  type NameItem,
  type NameMatch,
  type NameMiss,
} from './name-index.ts'
import { createSetNumberMatchers } from './set-number.ts'

/** Resolves names, or lines of a list, in the order of the items. Yields to other requests. */
export async function resolveNames(
  { catalog }: Pick<Deps, 'catalog'>,
  items: readonly NameItem[],
  prefer = PREFERENCE_BY_DEFAULT,
): Promise<(NameMatch | NameMiss)[]> {
  const answers = await runYielding(splitIntoBatches(items), createLineResolver(catalog, prefer))
  return answers.flat()
}

/** Items whose exact names are read by one statement, in a millisecond. */
const BATCH = 100

function splitIntoBatches<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) =>
    items.slice(at * BATCH, (at + 1) * BATCH),
  )
}

/**
 * Returns a function that resolves some names or lines of a list. Exact names take precedence over every other reading
 * of a line, then a set with its number and name, then the name without a set.
 */
function createLineResolver(catalog: Deps['catalog'], prefer: Preference) {
  const indexes = createNameIndexes(catalog)
  const chooser = createCardChooser(catalog.names, prefer)
  const createMatcher = createMatchers(catalog, chooser, prefer)
  const matchNumber = createNumberMatcher(catalog, prefer)
  const readSets = createSetReader(catalog)
  const bySetNumber = createSetNumberMatchers(catalog)
  const takeVariant = createLineVariants(catalog, indexes, prefer)
  const isSpelled = (id: number, name: string) => {
    return catalog.names.getFacts([id])[0]?.name.toLowerCase() === name.toLowerCase()
  }

  /** Searches for a line that is not a card's name as a whole. */
  function* resolveParts({
    item,
    line,
    match,
    index,
  }: WholeSearch): Generator<undefined, NameMatch | NameMiss> {
    const readings = line.listReadings()
    const search = { item, line, readings, match, index }
    const sets = item.set === undefined ? readSets(readings, item.game) : []
    const inSet = yield* findInSets({ ...search, indexes }, sets)
    if (inSet !== undefined) return inSet
    const found =
      bySetNumber.findBare(search) ??
      matchNumber(search, sets) ??
      (yield* bySetNumber.findForeign(search, sets)) ??
      (yield* findByName(search, sets))
    return found ?? describeMiss(readings)
  }

  return function* resolveLines(
    items: readonly NameItem[],
  ): Generator<undefined, (NameMatch | NameMiss)[]> {
    const lines: (Pick<WholeSearch, 'item' | 'line' | 'wholes'> & {
      index: NameIndex | NameMiss
    })[] = []
    for (const item of items) {
      const line = parseListLine(item.name)
      const wholes = line.wholes.map(({ name, quantity }) => {
        return { name, quantity, bare: normalizeName(name) }
      })
      lines.push({ item, line, wholes, index: indexes.ofItem(item) })
      yield
    }
    for (const [index, same] of Map.groupBy(lines, ({ index }) => index)) {
      if ('reason' in index) continue
      index.prepare(same.flatMap(({ wholes }) => wholes.map(({ bare }) => bare)))
    }
    const answers: (NameMatch | NameMiss)[] = []
    for (const { item, line, wholes, index } of lines) {
      if ('reason' in index) answers.push(index)
      else {
        const search = {
          item,
          line,
          wholes,
          match: createMatcher(item, line.printing),
          isSpelled,
          index,
        }
        const whole = yield* findWhole(search)
        const answer = whole ?? (yield* resolveParts(search))
        answers.push('reason' in answer ? answer : yield* takeVariant(answer))
      }
    }
    return answers
  }
}

type WholeSearch = {
  item: NameItem
  line: ListLine
  /** Texts of the line that may be a card's name, also normalized. */
  wholes: readonly { name: string; quantity: number; bare: string }[]
  match: Matcher
  index: NameIndex
  /** Returns true if a card has exactly this name; case is ignored. */
  isSpelled: (id: number, name: string) => boolean
}

/** Finds a card whose name is the whole line, or the line without its quantity. */
function* findWhole({
  line,
  wholes,
  match,
  index,
  isSpelled,
}: WholeSearch): Generator<undefined, NameMatch | undefined> {
  for (const { name, quantity, bare } of wholes) {
    const found = yield* match(index, 'exact', { name, bare, suffixes: [] })
    if (found === undefined) continue
    // "2 Mace" does not mean "+2 Mace", although the letters are the same.
    const isQuantified = quantity !== line.quantity
    if (isQuantified && !isSpelled(found.card_id, name)) continue
    return finish(found, line, { quantity, name, suffixes: [] }, [])
  }
  return undefined
}

type Search = {
  item: NameItem
  line: ListLine
  readings: readonly NameReading[]
  match: Matcher
  index: NameIndex
}

type SetSearch = Search & { indexes: NameIndexes }

/** Finds a card of a set that the line names. The number must fit, unless the name fits exactly. */
function* findInSets(
  { line, match, indexes }: SetSearch,
  sets: readonly SetReading[],
): Generator<undefined, NameMatch | undefined> {
  const readings = sets.map(normalizeReading)
  for (const { keep, steps, isCodeOptional = false } of PASSES) {
    for (const step of steps) {
      for (const reading of readings) {
        const suffixes = keep(reading.suffixes)
        const isRepeated = keep !== keepAll && suffixes.length === reading.suffixes.length
        const needsNumber = isCodeOptional || step === 'sharing a word'
        if (needsNumber ? !suffixes.some(hasNumber) : isRepeated) continue
        const query = { ...reading, suffixes, isCodeOptional }
        const found = yield* match(indexes.ofSets(reading.set_ids), step, query)
        if (found === undefined) continue
        const lacksNumber = reading.suffixes.some(hasNumber) && !suffixes.some(hasNumber)
        const dropped = listDropped(reading, suffixes)
        if (lacksNumber) return guess(found, line, { ...reading, dropped }, ['number_not_found'])
        const whole = finish(found, line, { ...reading, dropped }, [])
        return reading.isDoubtful ? { ...whole, certainty: 'guessed' } : whole
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
  { line, readings: written, match, index }: Search,
  sets: readonly SetReading[],
): Generator<undefined, NameMatch | undefined> {
  const parts: ReadParts[] = [...written, ...withoutCodes(written, sets), ...sets]
  const readings = parts.map(normalizeReading)
  for (const keep of [keepAll, keepNumbers, keepNone]) {
    for (const step of STEPS) {
      for (const reading of readings) {
        const suffixes = keep(reading.suffixes)
        const isRepeated = keep !== keepAll && suffixes.length === reading.suffixes.length
        if (isRepeated && reading.set === undefined) continue
        const found = yield* match(index, step, { ...reading, suffixes })
        if (found === undefined) continue
        const isWhole = keep === keepAll && reading.set === undefined
        return isWhole
          ? finish(found, line, reading, [])
          : guess(
              found,
              line,
              { ...reading, dropped: listDropped(reading, suffixes) },
              listIgnored(reading, suffixes),
            )
      }
    }
  }
  return undefined
}

/** Returns further readings without the capitals before a number, which may be the code of an unknown set. */
function withoutCodes(
  readings: readonly NameReading[],
  sets: readonly SetReading[],
): NameReading[] {
  return readings.flatMap((reading) => {
    const { name, suffixes } = reading
    const [, rest = '', code = ''] = /^(.*\S) ([A-Z][A-Z0-9-]{1,6})$/.exec(name) ?? []
    const isCoded = rest !== '' && suffixes.some(hasNumber) && sets.every(({ set }) => set !== code)
    return isCoded ? [{ ...reading, name: rest, suffixes: [...suffixes, code] }] : []
  })
}

function listDropped(reading: NameReading, kept: readonly string[]): string[] {
  return reading.suffixes.filter((suffix) => !kept.includes(suffix))
}

function normalizeReading<Reading extends NameReading>(reading: Reading) {
  return { ...reading, bare: normalizeName(reading.name) }
}
