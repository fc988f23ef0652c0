import { cleanName } from './names.ts'

/**
 * Rates how well a printing represents its card, by the words of its name: the lowest rate does. The edition comes
 * first, then the finish. Printings with the same rate are equals.
 */
export function ratePrinting(name: string): number {
  return KNOWN_RATES.get(name) ?? rateWords(name)
}

/** Returns true if two printings are of the same edition. */
export function isSameEdition(printing: string, other: string): boolean {
  return editionOf(printing) === editionOf(other)
}

function editionOf(printing: string): number {
  return Math.floor(ratePrinting(printing) / FINISHES)
}

/** Returns true if the name says foil or holo: "Gold Cold Foil", "Cosmos Holo", but not "Non-Foil". */
export function isFoil(printing: string): boolean {
  return FOIL.test(printing)
}

const FOIL = /(?<!\bnon[\s-]?)(?:foil|holo)/i

function rateWords(name: string): number {
  const words = cleanName(name)
    .toLowerCase()
    .replace(/\b(non|pre) /g, '$1')
    .split(' ')
    .filter((word) => word !== '')
  const rateAll = (rate: (word: string) => number) => Math.max(0, ...words.map(rate))
  return rateAll(rateEdition) * FINISHES + rateAll(rateFinish)
}

/** A printing without a word for its edition is of the unlimited one. */
function rateEdition(word: string): number {
  if (SPECIAL.has(word)) return 3
  if (FIRST.has(word)) return 2
  return LIMITED.has(word) ? 1 : 0
}

/** Upstream adds names. Unknown words count as finishes, because most are: "Cold", "Rainbow", "Etched". */
function rateFinish(word: string): number {
  if (PLAIN.has(word) || REPRINT.test(word) || rateEdition(word) > 0) return 0
  if (/^(?:holo)?(?:foil)?$/.test(word)) return 1
  return /^rev(?:ersed?)?(?:holo)?(?:foil)?$/.test(word) ? 2 : 3
}

/** Number of finishes: plain, foil, reverse foil, others. */
const FINISHES = 4

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const LIMITED = setOf('limited ltd')
const FIRST = setOf('1st first')
// Copies that were given away on an occasion, marked, or made by mistake.
const SPECIAL = setOf(
  `promo promos promotion promotional stamp stamped staff prerelease judge winner champion championship finalist
  participation participant event league prize convention anniversary exclusive collector collectors special signed
  autograph autographed serialized numbered misprint error test sample demo jumbo oversize oversized`.replaceAll(
    /\s+/g,
    ' ',
  ),
)
const PLAIN = setOf(
  'unlimited normal regular standard plain edition print printing nonfoil nonholo nonholofoil',
)
// "2nd Edition" is an unlimited one, too.
const REPRINT = /^(?:\d+(?:st|nd|rd|th)|second|third)$/

/** Rates of the names in the specification and of usual others, because words take microseconds. */
const KNOWN_RATES: ReadonlyMap<string, number> = new Map(
  [
    'Normal',
    'Foil',
    'Holofoil',
    'Reverse Holofoil',
    '1st Edition',
    '1st Edition Holofoil',
    'Unlimited',
    'Unlimited Holofoil',
    'Limited',
    'Rainbow Foil',
    'Cold Foil',
    'Gold Cold Foil',
    '1st Edition Normal',
    '1st Edition Rainbow Foil',
    '1st Edition Cold Foil',
    'Unlimited Edition Normal',
    'Unlimited Edition Rainbow Foil',
  ].map((name) => [name, rateWords(name)]),
)
