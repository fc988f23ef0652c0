import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { ListLine, NameReading } from '#rules/matching/parse-list-line.ts'
import { isNumberText } from '#rules/matching/row-names.ts'
import { SEARCH_LENGTH_MIN } from './match-name.ts'
import type { FoundName, IgnoredPart, NameMatch, NameMiss } from './name-index.ts'

/** A reading of a line, and what it says beside the name. */
export type ReadParts = NameReading & {
  quantity?: number
  set?: string
  /** Texts after the name that the card does not have. */
  dropped?: readonly string[]
}

/** Adds the parts of the line. */
export function finish(
  found: FoundName,
  line: ListLine,
  {
    name,
    suffixes,
    trailing,
    dropped = [],
    quantity = line.quantity,
    set = dropped.find(isCode),
  }: ReadParts,
  known: readonly IgnoredPart[],
): NameMatch {
  const number = suffixes.find((suffix) => hasNumber(suffix) && suffix !== set)
  const printing = line.printing ?? trailing?.printing
  const ignored = trailing?.hasUnknownWords ? [...known, 'words_ignored' as const] : known
  const added = trailing?.bracketed === undefined ? dropped : [...dropped, ...trailing.bracketed]
  const additions = added.filter((text) => !isNumberText(text) && text !== set)
  const { setCount = Number(set !== undefined), ...match } = found
  const parts = {
    quantity,
    name,
    set,
    setCount,
    number,
    printing,
    facts: trailing,
    ignored,
    additions,
  }
  return { ...match, line: parts }
}

/** Adds the parts of the line, although the card does not match all of them. */
export function guess(
  found: FoundName,
  line: ListLine,
  reading: ReadParts,
  ignored: readonly IgnoredPart[],
): NameMatch {
  const corrected_name = found.corrected_name ?? reading.name
  const match = finish(found, line, reading, ignored)
  return { ...match, confidence: 'medium', certainty: 'guessed', corrected_name }
}

/** Describes why no card was found. */
export function describeMiss(readings: readonly NameReading[]): NameMiss {
  const isShort = readings.every(({ name }) => normalizeName(name).length < SEARCH_LENGTH_MIN)
  return { reason: isShort ? 'name_too_short' : 'no_match' }
}

/** Lists what a reading ignores beside these suffixes. */
export function listIgnored(reading: ReadParts, suffixes: readonly string[]): IgnoredPart[] {
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

/** Returns true for text that may be a collector number. */
export function hasNumber(suffix: string): boolean {
  return /\d/.test(suffix) && !/^\d+(?:st|nd|rd|th)\b/i.test(suffix)
}

/**
 * Returns true for capitals and digits that may be a set's code: `MH2`, `PR-SV`; but not `40` and `OP01-016`, which
 * are numbers.
 */
function isCode(suffix: string): boolean {
  return /^(?=.*[A-Z])[A-Z0-9]{2,6}(?:-[A-Z]{1,4})?$/.test(suffix)
}
