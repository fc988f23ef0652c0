// What small print says of a card: its number, its set's code and its language.
import { numberShape } from '../catalog/number-shapes.ts'

/** What a line of small print says; empty where it does not. */
export type CollectorLine = { number: string; set: string; language: string }

/**
 * The number, the set's code and the language mark in a line of print, whatever else it holds.
 *
 * @param isNumberLine the line looks like one of a number
 * @param knownShapes shapes that the catalog's numbers have (number-shapes.ts)
 */
export function parseCollectorLine(
  text: string,
  isNumberLine: boolean,
  knownShapes: ReadonlySet<string>,
): CollectorLine | undefined {
  const tokens = tokensOf(text)
  const marks = tokens.map((token) => shapeOf(token) ?? listedShape(token, knownShapes))
  const last = tokens.length - 1
  // Years stand behind a copyright sign; the number of old cards ends the same line.
  const isCopyright = /[©®™]|\(c\)/i.test(text)
  const strong = [...marks.entries()].filter(
    ([at, shape]) => shape !== undefined && (!isCopyright || (at >= last - 1 && !isYears(shape))),
  )
  const [[at, shape] = [-1, undefined], ...others] = strong
  if (others.length > 0) return undefined
  const marked = markedCode(text)
  const beside = shape === undefined ? undefined : codeBeside(tokens, at, isNumberLine)
  const plain = shape === undefined && !isCopyright ? plainNumber(tokens, isNumberLine) : undefined
  const mark = {
    number: shape?.number ?? plain?.number ?? '',
    set: shape?.set || beside?.set || plain?.set || marked.set,
    language: shape?.language || beside?.language || plain?.language || marked.language,
  }
  return mark.number === '' && mark.set === '' ? undefined : mark
}

function tokensOf(text: string): string[] {
  return text
    .replace(/\s*\/\s*/g, '/')
    .split(/[\s•★☆·|—–]+/)
    .map((token) => token.replace(/^[.,:;("']+|[.,:;)"']+$/g, ''))
    .filter(Boolean)
}

/** The forms that no other print has, by game; what is named in it is of the set and its language. */
const SHAPES: readonly RegExp[] = [
  // Most games: 4/102, 004/102a; one of few cards needs its zeros, or it might be power and toughness.
  /^0*[1-9][0-9]{0,2}[a-z]?\/(?:2[1-9]|[3-9][0-9]|[0-9]{3})$/,
  /^0[0-9]{1,2}[a-z]?\/[0-9]{2,3}$/,
  // Subsets of Pokémon: TG12/TG30, SV94/SV94, S2/S4.
  /^([A-Z]{1,4})[0-9]{1,3}\/\1[0-9]{1,3}$/,
  // Promos of Pokémon and Lorcana: 067/SV-P, 024/P, 12/P1, 1/D23.
  /^[0-9]{1,3}\/(?:[A-Z]{1,3}-P|P[0-9]?|C[0-9]|D[0-9]{2})$/,
  // One Piece, Digimon, Dragon Ball, Gundam, hololive, old Yu-Gi-Oh: OP01-001, P-001, BT1-001, LOB-001.
  /^(?<set>h?[A-Z]{1,4}[0-9]{0,2})-[0-9]{3}[a-z]?$/,
  // Yu-Gi-Oh: LOB-EN001, LOB-E001, YS15-ENF01, RATE-ENSE1.
  /^(?<set>(?=[0-9]*[A-Z])[A-Z0-9]{2,4})-(?<region>[A-Z]{2})(?:[0-9]{3}|[A-Z][0-9]{2}|[A-Z]{2}[0-9])$/,
  /^(?<set>(?=[0-9]*[A-Z])[A-Z0-9]{2,4})-(?<region>[EFGISPKJA])[0-9]{3}$/,
  // Flesh and Blood: WTR001, U-WTR001, 1HP222; Pokémon's SVP193 is of the same form.
  /^(?:U-)?(?<set>(?!ATK|DEF|LVL|MAX|POW|VOL|TOP|PSA|BGS|CGC|SGC|TAG|ACE)[A-Z]{3})[0-9]{3}$/,
  /^(?<set>[0-9]HP)[0-9]{3}$/,
  // Promos of Pokémon. XY1 to XY12 and the like are codes of Japanese sets.
  /^(?:SWSH[0-9]{3}|HGSS[0-9]{2})$/,
  /^(?:XY|BW|SM|DP)(?:0[1-9]|1[3-9]|[2-9][0-9]|[0-9]{3})[a-z]?$/,
  // Riftbound's OGN-001/298: its code and its number are two things.
  /^(?<set>[A-Z]{3})-(?<number>[0-9]{3}[a-z]?\/[0-9]{3})$/,
  // Weiß Schwarz, Vanguard, Union Arena, Final Fantasy: SAO/S20-E001, D-BT01/001EN, UE01BT/AOT-1-001, 1-001H.
  /^[A-Z0-9]{2,4}\/[A-Z]{1,3}[0-9]{2,3}-[A-Z]{0,2}[0-9]{2,3}[A-Z]?$/,
  /^(?:[A-Z]-)?[A-Z]{1,3}[0-9]{2}\/[A-Z]{0,3}[0-9]{2,3}EN$/,
  /^[A-Z]{2}[0-9]{0,2}[A-Z]{2}\/[A-Z]{2,4}-[0-9]-[0-9]{2,3}$/,
  /^[0-9]{1,2}-[0-9]{3}[CRHLSB]$/,
]

function shapeOf(token: string): CollectorLine | undefined {
  for (const shape of SHAPES) {
    const match = shape.exec(token)
    // No card has the number 0.
    if (match === null || /^0+(?:\/|$)/.test(token)) continue
    const { set = '', number = token, region = '' } = match.groups ?? {}
    return { number, set: set.length > 1 ? set : '', language: REGIONS.get(region) ?? '' }
  }
  return undefined
}

/** Of the shape of some numbers, but a value, a level or a grader. */
const NO_NUMBER = /^(?:ATK|DEF|HP|LV|LVL|MAX|POW|VOL|TOP|PSA|BGS|CGC|SGC|TAG|ACE)[^A-Z]/

function listedShape(token: string, listed: ReadonlySet<string>): CollectorLine | undefined {
  if (NO_NUMBER.test(token) || !listed.has(numberShape(token))) return undefined
  return { number: token, set: '', language: '' }
}

/** Two years of a century, as in "©1995/96". */
function isYears({ number }: CollectorLine): boolean {
  return /^(?:9[0-9]|[0-2][0-9])\/(?:9[0-9]|[0-2][0-9])$/.test(number)
}

/** As cards print them behind a set's code. */
const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['EN', 'English'],
  ['DE', 'German'],
  ['FR', 'French'],
  ['IT', 'Italian'],
  ['ES', 'Spanish'],
  ['SP', 'Spanish'],
  ['PT', 'Portuguese'],
  ['JP', 'Japanese'],
  ['JA', 'Japanese'],
  ['KO', 'Korean'],
  ['KR', 'Korean'],
  ['RU', 'Russian'],
  ['CS', 'Chinese'],
  ['CT', 'Chinese'],
  ['SC', 'Chinese'],
  ['TC', 'Chinese'],
])

/** As numbers of Yu-Gi-Oh have them inside. */
const REGIONS: ReadonlyMap<string, string> = new Map([
  ...LANGUAGES,
  ['AE', 'English'],
  ['E', 'English'],
  ['F', 'French'],
  ['G', 'German'],
  ['I', 'Italian'],
  ['S', 'Spanish'],
  ['P', 'Portuguese'],
  ['K', 'Korean'],
  ['J', 'Japanese'],
])

/** Capitals that stand where a code might: rarities and words. */
const NO_CODE =
  /^(?:[CURMSLTPN]|AR|SR|UR|HR|RR|RRR|SAR|CHR|CSR|SSR|SEC|UC|SP|ACE|MUR|BWR|HP|LV|NO|PROMO|PR|ART|ILLUS|ILL|BY|TM|INC)$/

function isCode(token: string | undefined): token is string {
  if (token === undefined || LANGUAGES.has(token) || NO_CODE.test(token)) return false
  return /^(?=[0-9]*[A-Z])[A-Z0-9]{2,5}[a-z]?$/.test(token) && shapeOf(token) === undefined
}

type Beside = Omit<CollectorLine, 'number'>

/**
 * "SVI EN 012/198", "MKM 123/286", "115/204 EN". A word in capitals that is not first in a line of a
 * number may as well be the artist's name.
 */
function codeBeside(tokens: readonly string[], at: number, isNumber: boolean): Beside {
  const before = LANGUAGES.get(tokens[at - 1] ?? '') ?? ''
  const code = tokens[before === '' ? at - 1 : at - 2]
  const isAtStart = isNumber && at === 1 && /^[A-Z0-9]{3,4}$/.test(tokens[0] ?? '')
  const isSet = isCode(code) && (before !== '' || isAtStart)
  const behind = isNumber ? (LANGUAGES.get(tokens[at + 1] ?? '') ?? '') : ''
  return { set: isSet ? code : '', language: before || behind }
}

/** "MKM • EN": with the sign between them, no artist is called so. */
function markedCode(text: string): Beside {
  for (const [, code, mark = ''] of text.matchAll(
    /(?<![^\s•★·])([A-Za-z0-9]+)\s*[•★·]\s*([A-Z]{2})(?![\w.'-])/g,
  )) {
    const language = LANGUAGES.get(mark)
    if (language !== undefined && isCode(code)) return { set: code, language }
  }
  return { set: '', language: '' }
}

/** A number without a total: only with a code and a language, a rarity or leading zeros before it. */
function plainNumber(tokens: readonly string[], isNumber: boolean): CollectorLine | undefined {
  const [first = '', second = '', third = ''] = tokens
  const language = LANGUAGES.get(second) ?? ''
  const none = { set: '', language: '' }
  if (language !== '' && isCode(first)) {
    return isPlainNumber(third) ? { number: third, set: first, language } : undefined
  }
  if (!isNumber) return undefined
  // Magic: "R 0123".
  if (/^[CURMSLTPB]$/.test(first) && /^[0-9]{4}$/.test(second) && isPlainNumber(second)) {
    return { number: second, ...none }
  }
  // Promos of Pokémon: "SVP 044".
  if (isCode(first) && first.length >= 3 && /^0[0-9]{2}$/.test(second) && isPlainNumber(second)) {
    return { number: second, set: first, language: '' }
  }
  const isAlone = tokens.length === 1 && /^0[0-9]{2,3}$/.test(first) && isPlainNumber(first)
  return isAlone ? { number: first, ...none } : undefined
}

/** Of digits, neither nothing nor a year. */
function isPlainNumber(token: string): boolean {
  return /^[0-9]{1,4}$/.test(token) && Number(token) > 0 && !/^(?:19[89]|20[0-3])[0-9]$/.test(token)
}
