// Compares the fields read from a photo with a card of the catalog.
import { cardTitle, cleanName, numberKey, printedNames } from '../catalog/names.ts'
import { numberSpellings, withoutMarks } from '../catalog/number-forms.ts'
import { isFoil } from '../catalog/printing-words.ts'
import { editDistance } from '../search/spelling.ts'
import type { CandidateCard } from './candidate-card.ts'
import type { PrintReading } from './photo-reading.ts'

export type TextMatch = {
  /** `partial` if the numbers agree, but only one of them has the total of the set. */
  number: 'exact' | 'partial' | 'unknown'
  /** Share of common words, which may be truncated; 0 to 1, 0 if nothing was read (see `readable`). */
  name: number
  set: number
  /** False if the title names a stamp that the photo does not show, or vice versa. */
  edition: boolean
}

type NumberMatch = TextMatch['number'] | 'other'

/** Compares a card; undefined if another number was read. */
export function matchText(print: PrintReading, card: CandidateCard): TextMatch | undefined {
  const number = print.readable.number ? matchNumbers(fullNumber(print), card.number) : 'unknown'
  if (number === 'other') return undefined
  return {
    number,
    name: print.readable.name ? matchName(print.name, card.name) : 0,
    set: print.readable.set ? matchSet(print.set, card) : 0,
    edition: matchesEdition(print.stamp, card),
  }
}

/** Returns the number with a separate set code as prefix, because some catalogs join them (SVP193). */
function fullNumber({ number, set }: PrintReading): string {
  return /^[A-Z]+$/.test(set) && /^[0-9]/.test(number) ? `${set} ${number}` : number
}

/**
 * Compares numbers and totals, as in "4/102" with "004/102" or "4". Ignores separate prefixes ("SVP 044")
 * and suffixes of the catalog ("OP07-080_p1").
 */
export function matchNumbers(printed: string, listed: string | null): NumberMatch {
  const others = [listed ?? '', withoutMarks(listed ?? '')].flatMap(numberSpellings)
  const matches = numberSpellings(printed).flatMap((one) =>
    others.map((other) => compareParts(one, other)),
  )
  const best = (['exact', 'partial', 'other'] as const).find((match) => matches.includes(match))
  return best ?? 'unknown'
}

function compareParts(printed: string, listed: string): NumberMatch {
  const [number, total] = splitNumber(printed)
  const [otherNumber, otherTotal] = splitNumber(listed)
  if (number === undefined || otherNumber === undefined) return 'unknown'
  if (number !== otherNumber) return 'other'
  if (total === otherTotal) return 'exact'
  return total === undefined || otherTotal === undefined ? 'partial' : 'other'
}

/** Returns the number and the total of the set, normalized. */
function splitNumber(number: string): (string | undefined)[] {
  // "Not applicable", not a number with a total.
  if (/^\s*n\/a\s*$/i.test(number)) return []
  return number
    .split('/')
    .slice(0, 2)
    .map((part) => (/[\p{L}\p{N}]/u.test(part) ? numberKey(part) : undefined))
}

/** Returns the share of common words in the longer text. */
export function sharedTokens(one: string, other: string): number {
  const words = tokenize(one)
  const others = tokenize(other)
  const most = Math.max(words.size, others.size)
  return most === 0 ? 0 : words.intersection(others).size / most
}

function tokenize(text: string): Set<string> {
  return new Set(cleanName(text).toLowerCase().split(' ').filter(Boolean))
}

function matchName(printed: string, name: string): number {
  return Math.max(...printedNames(name).map((part) => sharedWords(printed, part)))
}

/** Returns the number of words that are equal or differ by one letter, as a share of the longer name. */
function sharedWords(printed: string, name: string): number {
  const words = [...tokenize(printed)]
  const listed = tokenize(name)
  const most = Math.max(words.length, listed.size)
  for (const word of words) {
    const same = listed.has(word) ? word : [...listed].find((other) => isSimilarWord(word, other))
    if (same !== undefined) listed.delete(same)
  }
  return most === 0 ? 0 : (tokenize(name).size - listed.size) / most
}

/** Minimum length of a word in which one letter may be wrong. */
const FUZZY_LENGTH_MIN = 5
/** Minimum visible share of a truncated word. */
const CUT_SHARE_MIN = 0.6
/** Minimum number of its visible letters. */
const CUT_LENGTH_MIN = 3

/** Returns true if a word is the other one truncated at its beginning or end, or with one wrong letter. */
function isSimilarWord(word: string, other: string): boolean {
  // A digit distinguishes cards (Porygon2).
  if (/[0-9]/.test(word + other)) return false
  const isLong = word.length >= Math.max(CUT_LENGTH_MIN, CUT_SHARE_MIN * other.length)
  if (isLong && (other.startsWith(word) || other.endsWith(word))) return true
  return word.length >= FUZZY_LENGTH_MIN && editDistance(word, other, 1) <= 1
}

/**
 * Returns true if a catalog has no name for a card: only its number and words of its set. Print has the name, and cannot
 * contradict.
 */
export function isUnnamed({ name, number, set }: Pick<CandidateCard, 'name' | 'number' | 'set'>) {
  const [own = ''] = (number ?? '').split('/')
  const words = tokenize(cardTitle(name))
  const ofNumber = tokenize(own)
  const ofSet = tokenize(`${set.name} ${set.code ?? ''}`)
  return (
    /[0-9]/.test(own) && ofNumber.isSubsetOf(words) && words.difference(ofNumber).isSubsetOf(ofSet)
  )
}

/**
 * Returns true if the text may be a truncated name: at least half of it, from its beginning or its end. Case, accents
 * and spaces are ignored.
 */
export function isCutOffName(printed: string, name: string): boolean {
  const letters = (text: string) => cleanName(text).toLowerCase().replaceAll(' ', '')
  const part = letters(printed)
  return printedNames(name)
    .map(letters)
    .some(
      (whole) =>
        part.length >= CUT_LENGTH_MIN &&
        2 * part.length >= whole.length &&
        (whole.startsWith(part) || whole.endsWith(part)),
    )
}

/** Returns true if the text has all letters of a name but one: "Kabuto" is not "Kabutops" with a hidden end. */
export function isNameWhole(printed: string, name: string): boolean {
  const length = (text: string) => cleanName(text).replaceAll(' ', '').length
  return printedNames(name).some((whole) => length(printed) + 1 >= length(whole))
}

/** Returns true if the text is the first words of a longer name, such as those before a logo. */
export function isNameBegun(printed: string, name: string): boolean {
  const words = (text: string) => `${cleanName(text).toLowerCase()} `
  const begun = words(printed)
  return printedNames(name).some(
    (whole) => words(whole) !== begun && words(whole).startsWith(begun),
  )
}

/**
 * Returns true if a printed number may be a truncated listed one: "017" of 0176, "6/108" of 16/108, "236/" of
 * 236/167.
 */
export function isCutOffNumber(printed: string, listed: string | null): boolean {
  const part = printed.replace(/\s/g, '').toUpperCase()
  return [listed ?? '', withoutMarks(listed ?? '')]
    .map((form) => form.replace(/\s/g, '').toUpperCase())
    .some(
      (whole) =>
        part.length >= 2 &&
        part.length < whole.length &&
        (whole.startsWith(part) || whole.endsWith(part)),
    )
}

function matchSet(printed: string, { set, number }: CandidateCard): number {
  const code = printed.trim().toUpperCase()
  const isOwn =
    printedCodes(set.code ?? '').includes(code) ||
    // Reprints in other sets keep the number of the original, including its code.
    (code !== '' && number?.toUpperCase().startsWith(code) === true) ||
    isAbbreviation(printed.trim(), set.name)
  return isOwn ? 1 : sharedTokens(printed, set.name)
}

/** Returns the codes that may be printed: CRZ for "CRZ:GG" (a gallery), ELD for "PELD" (promos). */
function printedCodes(code: string): string[] {
  const parts = code.toUpperCase().split(/[:\s]+/)
  const parents = parts.flatMap((part) => (/^P\w{3,}$/.test(part) ? [part.slice(1)] : []))
  return [code.toUpperCase().trim(), ...parts, ...parents]
}

/** Returns true if a code abbreviates a name. Catalog codes differ ("SV08" for SSP, Surging Sparks). */
function isAbbreviation(code: string, name: string): boolean {
  if (!/^[A-Z]{3,4}$/.test(code)) return false
  return new RegExp(`\\b${[...code].join('.*')}`).test(cleanName(name).toUpperCase())
}

/** Stamps that distinguish cards or printings. */
const STAMPS: readonly [name: string, words: RegExp][] = [
  ['1st edition', /\b(1st|first)\s+ed(ition|\.)/i],
  ['prerelease', /\bpre-?\s?release\b/i],
  ['staff', /\bstaff\b/i],
  ['stamped', /\bstamp(ed)?\b/i],
]

/** Returns the stamps named in a text. */
function findStamps(text: string): string {
  return STAMPS.flatMap(([name, words]) => (words.test(text) ? [name] : [])).join(', ')
}

function matchesEdition(stamp: string | null, { name, printings }: CandidateCard): boolean {
  // An undecided stamp excludes nothing.
  if (stamp === 'unclear') return true
  const shown = findStamps(stamp ?? '')
  if (shown === findStamps(name)) return true
  // A card in the catalog may have both editions as printings.
  return shown !== '' && printings.some((printing) => findStamps(printing) === shown)
}

/** Returns the only printing that fits the photo; null if none or several do. */
export function suggestPrinting(
  { stamp, finish }: Pick<PrintReading, 'stamp' | 'finish'>,
  printings: readonly string[],
): string | null {
  const stamped = findStamps(stamp ?? '')
  const fitting = printings
    .filter((printing) => stamp === 'unclear' || findStamps(printing) === stamped)
    .filter((printing) => finish === '' || isFoil(printing))
  const [only] = printings.length === 1 ? printings : fitting.length === 1 ? fitting : []
  return only ?? null
}
