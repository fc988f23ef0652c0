// How well what is printed on a card, as far as it was read, agrees with a card of the catalog.
import type { CandidateCard } from './candidate.ts'
import { cleanName, numberKey } from './names.ts'
import type { PrintReading } from './reading.ts'

export type Match = {
  /** `partial`: the same number, with the set's total on one side only. */
  number: 'exact' | 'partial' | 'unknown'
  /**
   * Share of agreeing words, 0 to 1. 0 where nothing was read: nothing agrees then, and whether
   * anything was read stands in `readable`.
   */
  name: number
  set: number
  /** False when the title names a stamp that the photo does not show, or the reverse. */
  edition: boolean
}

/** Undefined: the printed number was read, and is another one. */
export function matchOf(print: PrintReading, card: CandidateCard): Match | undefined {
  const number = print.readable.number ? numberMatch(print.number, card.number) : 'unknown'
  if (number === 'other') return undefined
  return {
    number,
    name: print.readable.name ? agreeingWords(print.name, titleOf(card.name)) : 0,
    set: print.readable.set ? setMatch(print.set, card.set) : 0,
    edition: isEdition(print.stamp, card),
  }
}

/** Compares "4/102" with "004/102" or "4": number with number, total with total. */
export function numberMatch(printed: string, listed: string | null): Match['number'] | 'other' {
  const [number, total] = partsOf(printed)
  const [otherNumber, otherTotal] = partsOf(listed ?? '')
  if (number === undefined || otherNumber === undefined) return 'unknown'
  if (number !== otherNumber) return 'other'
  if (total === otherTotal) return 'exact'
  return total === undefined || otherTotal === undefined ? 'partial' : 'other'
}

/** The number and the set's total, each in a form in which equal ones are equal texts. */
function partsOf(number: string): (string | undefined)[] {
  return number
    .split('/')
    .slice(0, 2)
    .map((part) => (/[\p{L}\p{N}]/u.test(part) ? numberKey(part) : undefined))
}

/** Words in both, as a share of the words of the longer one. */
export function agreeingWords(one: string, other: string): number {
  const words = wordsOf(one)
  const others = wordsOf(other)
  const most = Math.max(words.size, others.size)
  return most === 0 ? 0 : words.intersection(others).size / most
}

function wordsOf(text: string): Set<string> {
  return new Set(cleanName(text).toLowerCase().split(' ').filter(Boolean))
}

/** A title without what the marketplace added: "Cindle (Full Art) - 4/102" is "Cindle". */
function titleOf(name: string): string {
  const bare = name.replace(/[([][^)\]]*[)\]]/g, ' ').replace(/\s-\s[\w-]*\d[\w/-]*\s*$/, ' ')
  return bare.trim() === '' ? name : bare
}

function setMatch(printed: string, set: CandidateCard['set']): number {
  const isCode = set.code !== null && set.code.toLowerCase() === printed.trim().toLowerCase()
  return isCode ? 1 : agreeingWords(printed, set.name)
}

/** Stamps that make a card another one, or another printing of one. */
const STAMPS: readonly [name: string, words: RegExp][] = [
  ['1st edition', /\b(1st|first)\s+ed(ition|\.)/i],
  ['prerelease', /\bpre-?\s?release\b/i],
  ['staff', /\bstaff\b/i],
  ['stamped', /\bstamp(ed)?\b/i],
]

/** The stamps that a text names. */
function stampsIn(text: string): string {
  return STAMPS.flatMap(([name, words]) => (words.test(text) ? [name] : [])).join(', ')
}

function isEdition(stamp: string | null, { name, printings }: CandidateCard): boolean {
  // What cannot be told speaks against nothing.
  if (stamp === 'unclear') return true
  const shown = stampsIn(stamp ?? '')
  if (shown === stampsIn(name)) return true
  // One card of the catalog may stand for both editions: its printings tell them apart.
  return shown !== '' && printings.some((printing) => stampsIn(printing) === shown)
}

/** The printing that the photo points to, where it leaves one only. */
export function suggestedPrinting(
  { stamp, finish }: Pick<PrintReading, 'stamp' | 'finish'>,
  printings: readonly string[],
): string | null {
  const stamped = stampsIn(stamp ?? '')
  const fitting = printings
    .filter((printing) => stamp === 'unclear' || stampsIn(printing) === stamped)
    .filter((printing) => finish === '' || agreeingWords(finish, finishOf(printing)) === 1)
  const [only] = printings.length === 1 ? printings : fitting.length === 1 ? fitting : []
  return only ?? null
}

/** "1st Edition Holofoil" is "Holofoil", "Unlimited" is "Normal". */
function finishOf(printing: string): string {
  return printing.replace(/\b(1st|Unlimited|Edition)\b/gi, ' ').trim() || 'Normal'
}
