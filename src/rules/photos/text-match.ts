// How well what is printed on a card, as far as it was read, agrees with a card of the catalog.

import { cleanName, numberKey, printedNames } from '../catalog/names.ts'
import { numberSpellings, withoutMarks } from '../catalog/number-forms.ts'
import { isFoil } from '../catalog/printings.ts'
import type { CandidateCard } from './candidate-card.ts'
import type { PrintReading } from './photo-reading.ts'

export type TextMatch = {
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
export function matchText(print: PrintReading, card: CandidateCard): TextMatch | undefined {
  const number = print.readable.number ? matchNumbers(numberOf(print), card.number) : 'unknown'
  if (number === 'other') return undefined
  return {
    number,
    name: print.readable.name ? nameMatch(print.name, card.name) : 0,
    set: print.readable.set ? setMatch(print.set, card) : 0,
    edition: isEdition(print.stamp, card),
  }
}

/** With the set's code before it where that stood apart: some catalogs list them as one (SVP193). */
function numberOf({ number, set }: PrintReading): string {
  return /^[A-Z]+$/.test(set) && /^[0-9]/.test(number) ? `${set} ${number}` : number
}

/**
 * Compares "4/102" with "004/102" or "4": number with number, total with total. What stands apart
 * before a number ("SVP 044") and what the catalog put behind it ("OP07-080_p1") need not agree.
 */
export function matchNumbers(
  printed: string,
  listed: string | null,
): TextMatch['number'] | 'other' {
  const others = [listed ?? '', withoutMarks(listed ?? '')].flatMap(numberSpellings)
  const matches = numberSpellings(printed).flatMap((one) =>
    others.map((other) => plainMatch(one, other)),
  )
  const best = (['exact', 'partial', 'other'] as const).find((match) => matches.includes(match))
  return best ?? 'unknown'
}

function plainMatch(printed: string, listed: string): TextMatch['number'] | 'other' {
  const [number, total] = partsOf(printed)
  const [otherNumber, otherTotal] = partsOf(listed)
  if (number === undefined || otherNumber === undefined) return 'unknown'
  if (number !== otherNumber) return 'other'
  if (total === otherTotal) return 'exact'
  return total === undefined || otherTotal === undefined ? 'partial' : 'other'
}

/** The number and the set's total, each in a form in which equal ones are equal texts. */
function partsOf(number: string): (string | undefined)[] {
  // "Not applicable", not an N of A.
  if (/^\s*n\/a\s*$/i.test(number)) return []
  return number
    .split('/')
    .slice(0, 2)
    .map((part) => (/[\p{L}\p{N}]/u.test(part) ? numberKey(part) : undefined))
}

/** Words in both, as a share of the words of the longer one. */
export function wordOverlap(one: string, other: string): number {
  const words = wordsOf(one)
  const others = wordsOf(other)
  const most = Math.max(words.size, others.size)
  return most === 0 ? 0 : words.intersection(others).size / most
}

function wordsOf(text: string): Set<string> {
  return new Set(cleanName(text).toLowerCase().split(' ').filter(Boolean))
}

function nameMatch(printed: string, name: string): number {
  return Math.max(...printedNames(name).map((part) => wordOverlap(printed, part)))
}

function setMatch(printed: string, { set, number }: CandidateCard): number {
  const code = printed.trim().toUpperCase()
  const isOwn =
    codesOf(set.code ?? '').includes(code) ||
    // Reprints in other sets keep the number, and in it the code, of the first one.
    (code !== '' && number?.toUpperCase().startsWith(code) === true) ||
    isShortFor(printed.trim(), set.name)
  return isOwn ? 1 : wordOverlap(printed, set.name)
}

/** "CRZ:GG" lists the gallery of CRZ; "PELD" the promos of ELD, which print the code of the set. */
function codesOf(code: string): string[] {
  const parts = code.toUpperCase().split(/[:\s]+/)
  const parents = parts.flatMap((part) => (/^P\w{3,}$/.test(part) ? [part.slice(1)] : []))
  return [code.toUpperCase().trim(), ...parts, ...parents]
}

/** Catalogs have codes of their own ("SV08"): the printed SSP stands for Surging Sparks. */
function isShortFor(code: string, name: string): boolean {
  if (!/^[A-Z]{3,4}$/.test(code)) return false
  return new RegExp(`\\b${[...code].join('.*')}`).test(cleanName(name).toUpperCase())
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
export function suggestPrinting(
  { stamp, finish }: Pick<PrintReading, 'stamp' | 'finish'>,
  printings: readonly string[],
): string | null {
  const stamped = stampsIn(stamp ?? '')
  const fitting = printings
    .filter((printing) => stamp === 'unclear' || stampsIn(printing) === stamped)
    .filter((printing) => finish === '' || isFoil(printing))
  const [only] = printings.length === 1 ? printings : fitting.length === 1 ? fitting : []
  return only ?? null
}
