// Compares cards with the text that follows a name on a line: a set, a number, a word of the title or a printing.
import {
  matchesNumber,
  matchesNumberWithoutCode,
  type ParsedNumber,
  parseNumber,
} from '../catalog/number-forms.ts'
import { matchesPrintingKey } from '../catalog/printings.ts'
import { listSetCodes, listSetNames } from '../catalog/set-codes.ts'
import { normalizeName } from '../catalog/trigrams.ts'

/** A card in the forms in which it is compared, because a line compares thousands of cards. */
export type ComparedCard = {
  set: ComparedSet
  /** Normalized name, followed by the one of its set. */
  title: string
  /** Parses the number at the first call, because many lines have none. */
  number(): ParsedNumber
  /** Normalized names. */
  printings: readonly string[]
}

/** The set of a card in the forms in which it is compared. */
export type ComparedSet = {
  /** Normalized name. */
  name: string
  /** Normalized slug, codes and names. */
  labels: readonly string[]
}

export function compareSet(set: {
  set_name: string
  set_slug: string
  set_code: string | null
  game_slug: string
}): ComparedSet {
  const { set_slug, set_name: name, set_code: abbreviation, game_slug } = set
  const codes = listSetCodes({ game_slug, name, abbreviation })
  return {
    name: normalizeName(name),
    labels: [normalizeName(set_slug), ...codes, ...listSetNames(name)],
  }
}

/** @param name normalized, like the printings */
export function compareCard(
  {
    name,
    number,
    printings,
  }: { name: string; number: string | null; printings: readonly string[] },
  set: ComparedSet,
): ComparedCard {
  let parsed: ParsedNumber | undefined
  return {
    set,
    title: name + set.name,
    number() {
      parsed ??= parseNumber(number ?? '')
      return parsed
    },
    printings,
  }
}

/** A text in the forms in which it is compared. */
export type Hint = { bare: string; number: ParsedNumber | undefined; isWord: boolean }

export function parseHint(written: string): Hint {
  return {
    bare: normalizeName(written),
    number: /\d/.test(written) ? parseNumber(written.replace(/^#/, '')) : undefined,
    isWord: /\p{L}{3}/u.test(written),
  }
}

/** Properties that a card must have besides its name. */
export type Properties = {
  number: ParsedNumber | undefined
  /** Normalized name. */
  printing: string | undefined
}

export function hasProperties(card: ComparedCard, { number, printing }: Properties): boolean {
  return (
    (number === undefined || matchesNumber(number, card.number())) &&
    (printing === undefined || hasPrinting(card, printing))
  )
}

/** @param isCodeOptional true if a number may lack the code that precedes it in the catalog */
export function matchesHint(
  card: ComparedCard,
  { bare, number, isWord }: Hint,
  isCodeOptional: boolean,
): boolean {
  return (
    card.set.labels.includes(bare) ||
    (isWord && card.title.includes(bare)) ||
    (number !== undefined && matchesNumber(number, card.number())) ||
    (isWord && hasPrinting(card, bare)) ||
    (isCodeOptional && number !== undefined && matchesNumberWithoutCode(number, card.number()))
  )
}

function hasPrinting({ printings }: ComparedCard, written: string): boolean {
  return printings.some((printing) => matchesPrintingKey(written, printing))
}
