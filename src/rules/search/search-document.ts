// Builds the stored search text of a card and its context. Words are marked with private characters, which queries
// cannot contain, because they are reduced to letters, marks and digits.
import { withoutMarks } from '../catalog/number-forms.ts'
import { listWordForms, splitIntoWords, type TypedWord } from './typed-words.ts'

/** Fields of a card from which its search text is built. */
export type SearchableCard = { name: string; number: string | null }

// The index treats private characters as letters.
const NAME_EDGE = '\ue000'
const NAME_GAP = '\ue001'
const TOTAL = '\ue002'
const NUMBER = '\ue003'
const NUMBER_PART = '\ue004'
const NAME_LENGTH = '\ue005'
const TITLE_END = '\ue009'
const JOINED = '\ue008'
// Represents the slash of a number, because the index splits words at a real one.
const OF = '\ue007'
const TAG_FIRST = 0xf0000
const TAGS = 0xfffe

/** Marks promos, which are listed after ordinary cards. */
export const PROMO = '\ue006'
/** Marks jumbo cards and code cards, which are listed last. */
export const ODDITY = '\ue00a'

/**
 * Builds the document of a card: its name as one word, the words of the name and their alternative
 * forms, and the collector number.
 */
export function buildSearchText({ name, number }: SearchableCard): string {
  const words = splitIntoWords(name)
  const tokens = new Set<string>(nameTokens(name, number))
  for (const word of words) for (const form of listWordForms(word)) tokens.add(form)
  for (const { squashed } of words) if (squashed !== undefined) tokens.add(joinedWord(squashed))
  for (const sign of name.match(SPOKEN_SIGN) ?? []) {
    for (const word of SPOKEN_SIGNS.get(sign) ?? []) tokens.add(word)
  }
  for (const token of numberTokens(number ?? '')) tokens.add(token)
  if (ODD.test(name)) tokens.add(ODDITY)
  return [...tokens].join(' ')
}

/** Lists the words of a context, such as the name of a set, a rarity or a printing. */
export function listContextWords(text: string): Set<string> {
  const words = new Set<string>()
  // The rarities `SuperRare` and `super_rare` consist of two words.
  const spaced = text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
  for (const word of splitIntoWords(spaced === text ? text : `${text} ${spaced}`)) {
    // The 01 of the code `OP-01` is not a useful search word.
    const isCode = word.squashed !== undefined && /\p{N}/u.test(word.squashed)
    for (const form of listWordForms(word)) if (!isCode || !/^\p{N}+$/u.test(form)) words.add(form)
    if (word.squashed !== undefined) words.add(word.squashed)
    // The code `SV03` is also typed as `sv3`.
    words.add(canonicalNumber(word.text))
  }
  return words
}

/** Returns the marks of a set or a rarity by its name. */
export function listMarks(name: string): string[] {
  return [...(PROMOTIONAL.test(name) ? [PROMO] : []), ...(ODD.test(name) ? [ODDITY] : [])]
}

/** Texts from which the marks of a card are derived. */
export type CardLabels = { name: string; rarity: string | null; set_name: string }

/** Rates a card by its marks: 0 for ordinary cards, 1 for promos, 2 for jumbo and code cards. */
export function rateStanding({ name, rarity, set_name }: CardLabels): 0 | 1 | 2 {
  const marks = [rarity ?? '', set_name].flatMap(listMarks)
  if (ODD.test(name) || marks.includes(ODDITY)) return 2
  return marks.includes(PROMO) ? 1 : 0
}

const PROMOTIONAL = /\bpromo(?:s|tion|tional)?\b/i
const ODD = /\bjumbo\b|\boversized?\b|\bcode card\b/i

/** Returns the token of a whole name. "and" is omitted, because it may be written as "&". */
export function wholeName(words: readonly TypedWord[]): string {
  return NAME_EDGE + listNameParts(words).join(NAME_GAP) + NAME_EDGE
}

/** Returns the token of names that consist of these words and an addition in brackets. */
export function titleOf(words: readonly TypedWord[]): string {
  return NAME_EDGE + listNameParts(words).join(NAME_GAP) + TITLE_END
}

/** Returns the beginning of the tokens of names that begin with these words. */
export function nameBeginning(words: readonly TypedWord[], { isFinished = true } = {}): string {
  return NAME_EDGE + listNameParts(words).join(NAME_GAP) + (isFinished ? NAME_GAP : '')
}

/** Lists the parts of a name that count towards its length. */
export function listNameParts(words: readonly TypedWord[]): string[] {
  return words.flatMap(({ parts }) => parts.map(({ raw }) => raw)).filter((raw) => raw !== 'and')
}

/** Returns the token of a word's joined parts: the `limduls` of `Lim-Dûl's`. */
export function joinedWord(squashed: string): string {
  return JOINED + squashed
}

/** Returns the token of names with this many parts. */
export function nameLength(parts: number): string {
  return NAME_LENGTH + parts
}

/** Tokens of a number in a query. */
export type NumberTokens = {
  /** Exactly this number; with a total, also this number on cards without a total. */
  exact: string[]
  /** A part of a longer number, such as the 016 of `OP01-016`, or its version with another art. */
  part: string
  /** The number of cards in the set, like the 195 of `139/195`. */
  total: string
  /** The beginning of longer numbers; with a total, its end may be missing. */
  beginning: string
}

/** Returns the tokens by which a written number is found; undefined if it has no letter or digit. */
export function queryNumber(written: string): NumberTokens | undefined {
  const { own, total } = splitNumber(written)
  const number = canonicalNumber(own)
  if (number === '') return undefined
  const size = total === undefined ? undefined : canonicalNumber(total)
  return {
    exact:
      size === undefined ? [NUMBER + number] : [NUMBER + number + OF + size, NUMBER + number + OF],
    part: NUMBER_PART + number,
    total: TOTAL + number,
    beginning: NUMBER + (size === undefined ? number : number + OF + size),
  }
}

/** Returns the token of a number regardless of its total: `4` for `4/102`. */
export function ownNumber(written: string): string {
  return NUMBER + canonicalNumber(splitNumber(written).own)
}

/**
 * Returns a number without punctuation and without leading zeros, in lower case: `4` for 004,
 * `tg5` for TG05, `op1001` for OP01-001.
 */
export function canonicalNumber(number: string): string {
  const bare = number.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  return bare.replace(/^(\p{L}*)0+(?=\p{N})/u, '$1')
}

/**
 * Encodes a tag as a word that only documents can contain.
 *
 * @param index from 0
 */
export function encodeTag(index: number): string {
  // Uses a single character if possible: the prefix index stores each prefix of a word, so a tag on every card would
  // be stored many times.
  const rest = Math.floor(index / TAGS)
  return (rest === 0 ? '' : encodeTag(rest - 1)) + String.fromCodePoint(TAG_FIRST + (index % TAGS))
}

// Symbols that collectors say or type as words.
const SPOKEN_SIGNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['&', ['and']],
  ['δ', ['delta']],
  ['★', ['star']],
  ['☆', ['star']],
  ['◇', ['prism', 'star']],
  ['♀', ['f', 'female']],
  ['♂', ['m', 'male']],
])
const SPOKEN_SIGN = /[&δ★☆◇♀♂]/g

/**
 * Returns the tokens of a whole name, also with the parts of its words joined. The marketplace's additions in
 * brackets only describe the card, like its set and rarity: neither "pikachu" nor "pikachu jungle" is exactly the
 * name "Pikachu (Jungle)".
 */
function nameTokens(name: string, number: string | null): string[] {
  const bare = withoutNumber(name, number)
  const words = splitIntoWords(bare)
  const parts = listNameParts(words)
  if (parts.length === 0) return []
  const title = splitIntoWords(withoutNumber(/^[^([]*/.exec(bare)?.[0] ?? '', number))
  if (/[([]/.test(bare))
    return [nameBeginning(words), ...(title.length > 0 ? [titleOf(title)] : [])]
  const joined = words.map(
    ({ parts, squashed }) => squashed ?? parts.map(({ raw }) => raw).join(NAME_GAP),
  )
  const whole = NAME_EDGE + joined.join(NAME_GAP) + NAME_EDGE
  return [...new Set([wholeName(words), whole]), nameLength(parts.length)]
}

/** Replaces the signs in a query by words: `Nidoran♀` is also `nidoran female`. */
export function spellSigns(q: string): string {
  return q.replace(/[★☆◇♀♂]/g, (sign) => ` ${SPOKEN_SIGNS.get(sign)?.at(-1) ?? ''} `)
}

/** Removes a collector number that the marketplace added to a name: `Cindle ex - 199/165`, `Cindle (6)`. */
function withoutNumber(name: string, number: string | null): string {
  if (number === null) return name
  const added = /^(.+?) (?:- ([^ ()[\]]*\d[^ ()[\]]*)|\((\w*\d\w*)\))$/u.exec(name.trim())
  const [, own = name, behind, bracketed = ''] = added ?? []
  const isOwn =
    behind === undefined
      ? canonicalNumber(bracketed) === canonicalNumber(splitNumber(number).own)
      : canonicalNumber(behind) === canonicalNumber(number)
  return isOwn ? own : name
}

function numberTokens(number: string): string[] {
  const { own, total } = splitNumber(number)
  const whole = canonicalNumber(own)
  if (whole === '') return []
  const size = total === undefined ? '' : canonicalNumber(total)
  const parts = listNumberParts(own).filter((part) => part !== whole)
  return [
    NUMBER + whole,
    NUMBER + whole + OF + size,
    ...parts.map((part) => NUMBER_PART + part),
    ...(size === '' ? [] : [TOTAL + size]),
  ]
}

/**
 * Lists the parts by which a number is found inexactly: the code and the digits of `WTR058`, both sides of
 * `OP01-016`, and a number without its mark for another art.
 */
function listNumberParts(own: string): string[] {
  const sides = own.split(/[^\p{L}\p{N}]+/u)
  const runs = sides.length > 1 ? sides : (own.match(/\p{N}+|\p{L}{2,}/gu) ?? [])
  // Marketplaces list LOB-EN001 also as LOB-001, without the letters of the language.
  const international = own.replace(/^(\p{L}+-)\p{Lu}{1,2}(?=\d+$)/u, '$1')
  const all = [...runs, withoutMarks(own), international].map(canonicalNumber)
  return [...new Set(all)].filter((part) => part !== '')
}

function splitNumber(number: string): { own: string; total: string | undefined } {
  const [, own, total] = /^\s*([^/\s]*\d[^/\s]*)\/([^/]+)$/u.exec(number) ?? []
  return { own: own ?? number, total }
}
