// Parses the collector line of a card: number, set code and language.
import { numberShape } from '../catalog/number-forms.ts'
import { lookalikes } from './number-lookalikes.ts'

/** Fields of a collector line; empty if not printed. */
export type CollectorLine = {
  number: string
  set: string
  language: string
  /** Language code printed beside the set or the number; empty if the number contains it. */
  languageCode: string
  /** True if the number may count something else, such as "No. 25" of a creature. */
  isTentative?: boolean
}

/**
 * Returns the number, set code and language in a line of text. Undefined without a number and a set code,
 * or with several numbers.
 *
 * @param isNumberLine true if the line looks like a collector line
 * @param knownShapes shapes of the numbers in the catalog (number-shapes.ts)
 */
export function parseCollectorLine(
  text: string,
  isNumberLine: boolean,
  knownShapes: ReadonlySet<string>,
): CollectorLine | undefined {
  const tokens = tokenize(text)
  const parsed = tokens.map(
    (token) =>
      parseFormat(token) ??
      (isNumberLine ? parseSmallSet(token) : undefined) ??
      parseKnownShape(token, knownShapes),
  )
  const last = tokens.length - 1
  // Years follow a copyright sign; on old cards, the number is at the end of the same line.
  const isCopyright = /[©®™]|\(c\)/i.test(text)
  const numbers = [...parsed.entries()].filter(
    ([index, found]) =>
      found !== undefined && (!isCopyright || (index >= last - 1 && !isYears(found))),
  )
  const [[index, found] = [-1, undefined], ...others] = numbers
  if (others.length > 0) return undefined
  const pair = codeWithLanguage(text)
  const adjacent = found && codeNextTo(tokens, index, isNumberLine)
  const plain =
    found === undefined && !isCopyright ? parsePlainNumber(tokens, isNumberLine) : undefined
  const announced = (found ?? plain) ? '' : announcedNumber(text)
  const fields = {
    number: found?.number ?? plain?.number ?? announced,
    set:
      found?.set || adjacent?.set || plain?.set || pair.set || codeWithRarity(text, isNumberLine),
    ...languageOf([found, adjacent, plain, pair]),
    isTentative: announced !== '',
  }
  return fields.number === '' && fields.set === '' ? undefined : fields
}

/** Returns the language of the first part that has one. */
function languageOf(parts: readonly (SetAndLanguage | undefined)[]) {
  const part = parts.find((one) => one !== undefined && one.language !== '')
  return { language: part?.language ?? '', languageCode: part?.languageCode ?? '' }
}

function tokenize(text: string): string[] {
  return text
    .replace(/\s*\/\s*/g, '/')
    .split(/[\s•★☆·|_—–]+/)
    .map((token) => token.replace(/^[.,:;("']+|[.,:;)"']+$/g, ''))
    .filter(Boolean)
}

/** Number formats that do not occur in other text, by game. Named groups are set code, number and region. */
const FORMATS: readonly RegExp[] = [
  // Most games: 4/102, 004/102a. Small totals need leading zeros, because they may be power and toughness.
  /^0*[1-9][0-9]{0,2}[a-z]?\/(?:2[1-9]|[3-9][0-9]|[0-9]{3})$/,
  /^0[0-9]{1,2}[a-z]?\/[0-9]{2,3}$/,
  // Subsets of Pokémon: TG12/TG30, SV94/SV94, S2/S4.
  /^([A-Z]{1,4})[0-9]{1,3}\/\1[0-9]{1,3}$/,
  // Pokémon: Unown of several sets, and Shining and Rotom cards.
  /^[A-Z!?]\/28$/,
  /^(?:SH|RT)[1-9][0-9]?$/,
  // Promos of Pokémon and Lorcana: 067/SV-P, 024/P, 12/P1, 1/D23.
  /^[0-9]{1,3}\/(?:[A-Z]{1,3}-P|P[0-9]?|C[0-9]|D[0-9]{2})$/,
  // Digimon, One Piece, Dragon Ball, Gundam, hololive, old Yu-Gi-Oh: OP01-001, P-001, BT1-001, LOB-001.
  /^(?<set>h?[A-Z]{1,4}[0-9]{0,2})-[0-9]{3}[a-z]?$/,
  // Yu-Gi-Oh: LOB-EN001, LOB-E001, YS15-ENF01, RATE-ENSE1.
  /^(?<set>(?=[0-9]*[A-Z])[A-Z0-9]{2,4})-(?<region>[A-Z]{2})(?:[0-9]{3}|[A-Z][0-9]{2}|[A-Z]{2}[0-9])$/,
  /^(?<set>(?=[0-9]*[A-Z])[A-Z0-9]{2,4})-(?<region>[EFGISPKJA])[0-9]{3}$/,
  // Flesh and Blood: WTR001, U-WTR001, 1HP222; also SVP193 of Pokémon.
  /^(?:U-)?(?<set>(?!ATK|DEF|LVL|MAX|POW|VOL|TOP|PSA|BGS|CGC|SGC|TAG|ACE)[A-Z]{3})[0-9]{3}$/,
  /^(?<set>[0-9]HP)[0-9]{3}$/,
  // Promos of Pokémon. XY1 to XY12 and similar are codes of Japanese sets.
  /^(?:SWSH[0-9]{3}|HGSS[0-9]{2})$/,
  /^(?:XY|BW|SM|DP)(?:0[1-9]|1[3-9]|[2-9][0-9]|[0-9]{3})[a-z]?$/,
  // Riftbound: OGN-001/298, with separate code and number.
  /^(?<set>[A-Z]{3})-(?<number>[0-9]{3}[a-z]?\/[0-9]{3})$/,
  // Weiß Schwarz, Vanguard, Union Arena, Final Fantasy: SAO/S20-E001, D-BT01/001EN, UE01BT/AOT-1-001, 1-001H.
  /^[A-Z0-9]{2,4}\/[A-Z]{1,3}[0-9]{2,3}-[A-Z]{0,2}[0-9]{2,3}[A-Z]?$/,
  /^(?:[A-Z]-)?[A-Z]{1,3}[0-9]{2}\/[A-Z]{0,3}[0-9]{2,3}EN$/,
  /^[A-Z]{2}[0-9]{0,2}[A-Z]{2}\/[A-Z]{2,4}-[0-9]-[0-9]{2,3}$/,
  /^[0-9]{1,2}-[0-9]{3}[CRHLSB]$/,
]

function parseFormat(token: string): CollectorLine | undefined {
  for (const format of FORMATS) {
    const match = format.exec(token)
    // No card has the number 0.
    if (match === null || /^0+(?:\/|$)/.test(token)) continue
    const { set = '', number = token, region = '' } = match.groups ?? {}
    const code = set.length > 1 ? set : ''
    return { number, set: code, language: REGIONS.get(region) ?? '', languageCode: '' }
  }
  return undefined
}

/**
 * Parses a number in a set of 16 to 20 cards, such as 2/17 of the POP series. Outside a collector line, it may be
 * power and toughness.
 */
function parseSmallSet(token: string): CollectorLine | undefined {
  const [, number, total] = /^([1-9][0-9]?)\/(1[6-9]|20)$/.exec(token) ?? []
  // Creatures of that size have equal power and toughness.
  if (number === undefined || Number(number) >= Number(total)) return undefined
  return { number: token, set: '', language: '', languageCode: '' }
}

/** Values, levels and graders that have the shape of a number. */
const NO_NUMBER = /^(?:ATK|DEF|HP|LV|LVL|MAX|POW|VOL|TOP|PSA|BGS|CGC|SGC|TAG|ACE)[^A-Z]/

/** Accepts a number in which letters or digits were mistaken for lookalikes, such as O and 0. */
function parseKnownShape(token: string, listed: ReadonlySet<string>): CollectorLine | undefined {
  // A number of digits is never mistaken for letters.
  if (NO_NUMBER.test(token) || !/[A-Z].*[0-9]|[0-9].*[A-Z]/.test(token)) return undefined
  if (!lookalikes(token).some((other) => listed.has(numberShape(other)))) return undefined
  return { number: token, set: '', language: '', languageCode: '' }
}

/** Returns true if a number consists of two years, as in "©1995/96". */
function isYears({ number }: CollectorLine): boolean {
  return /^(?:9[0-9]|[0-2][0-9])\/(?:9[0-9]|[0-2][0-9])$/.test(number)
}

/** Language codes printed after a set code. */
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

/** Returns the language whose code is a word of a listed number, as in "NAJB DE 72/408"; empty without one. */
export function languageOfNumber(listed: string | null): string {
  const codes = (listed ?? '').split(/\s+/).map((word) => LANGUAGES.get(word))
  return codes.find((language) => language !== undefined) ?? ''
}

/** Region codes within numbers of Yu-Gi-Oh. */
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

/** Rarities and words in capitals that are not set codes. */
const NO_CODE =
  /^(?:[CURMSLTPN]|AR|SR|UR|HR|RR|RRR|SAR|CHR|CSR|SSR|SEC|UC|SP|ACE|MUR|BWR|HP|LV|NO|PROMO|PR|ART|ILLUS|ILL|BY|TM|INC)$/

function isCode(token: string | undefined): token is string {
  if (token === undefined || LANGUAGES.has(token) || NO_CODE.test(token)) return false
  return /^(?=[0-9]*[A-Z])[A-Z0-9]{2,5}[a-z]?$/.test(token) && parseFormat(token) === undefined
}

type SetAndLanguage = Omit<CollectorLine, 'number'>
const NO_SET: SetAndLanguage = { set: '', language: '', languageCode: '' }

/**
 * Parses "SVI EN 012/198", "MKM 123/286" and "115/204 EN". Elsewhere, a word in capitals may be the name of the
 * artist.
 */
function codeNextTo(tokens: readonly string[], index: number, isNumber: boolean): SetAndLanguage {
  const before = languageNamed(tokens[index - 1])
  const code = tokens[before.language === '' ? index - 1 : index - 2]
  const isAtStart = isNumber && index === 1 && /^[A-Z0-9]{3,4}$/.test(tokens[0] ?? '')
  const isSet = isCode(code) && (before.language !== '' || isAtStart)
  const behind = languageNamed(isNumber ? tokens[index + 1] : undefined)
  return { set: isSet ? code : '', ...(before.language === '' ? behind : before) }
}

/** Returns the language of a code; empty for other tokens. */
function languageNamed(token = ''): Omit<SetAndLanguage, 'set'> {
  const language = LANGUAGES.get(token) ?? ''
  return { language, languageCode: language === '' ? '' : token }
}

/** Parses "MKM • EN". The symbol rules out the name of an artist. */
function codeWithLanguage(text: string): SetAndLanguage {
  for (const [, code, mark = ''] of text.matchAll(
    /(?<![^\s•★·])([A-Za-z0-9]+)\s*[•★·]\s*([A-Z]{2})(?![\w.'-])/g,
  )) {
    const language = LANGUAGES.get(mark)
    if (language !== undefined && isCode(code)) return { set: code, language, languageCode: mark }
  }
  return NO_SET
}

/**
 * Parses "No. 10" or "#10", alone or before a code and a rarity, and "#10" behind a name. Longer lines describe a
 * creature: "No. 25 Mouse".
 */
function announcedNumber(text: string): string {
  const [, alone = ''] =
    /^\W*?(?:[Nn][Oo]?[.,:]?|#)\s*([0-9]{1,4})(?:[\s•★☆·]+[A-Z0-9]{1,5}){0,2}\W*$/.exec(text) ?? []
  const [, behind = ''] = NUMBER_BEHIND.exec(text) ?? []
  return [alone, behind].find(isPlainNumber) ?? ''
}

/** A number at the end of a line, behind a name. */
export const NUMBER_BEHIND = /\s#\s?([0-9]{1,4})\s*$/

/** Parses "NLB • U" of a collector line. */
function codeWithRarity(text: string, isNumberLine: boolean): string {
  const [, code] = /(?:^|\s)([A-Z0-9]{3,5})\s*[•★·]\s*[CURMSLTB]\W*$/.exec(text) ?? []
  return isNumberLine && isCode(code) ? code : ''
}

/** Parses a number without a total: only after a code and a language, a rarity, or with leading zeros. */
function parsePlainNumber(tokens: readonly string[], isNumber: boolean): CollectorLine | undefined {
  const [first = '', second = '', third = ''] = tokens
  const named = languageNamed(second)
  if (named.language !== '' && isCode(first)) {
    return isPlainNumber(third) ? { number: third, set: first, ...named } : undefined
  }
  if (!isNumber) return undefined
  // Magic: "R 0123".
  if (/^[CURMSLTPB]$/.test(first) && /^[0-9]{4}$/.test(second) && isPlainNumber(second)) {
    return { number: second, ...NO_SET }
  }
  // Promos of Pokémon: "SVP 044".
  if (isCode(first) && first.length >= 3 && /^0[0-9]{2}$/.test(second) && isPlainNumber(second)) {
    return { ...NO_SET, number: second, set: first }
  }
  const isAlone = tokens.length === 1 && /^0[0-9]{2,3}$/.test(first) && isPlainNumber(first)
  return isAlone ? { number: first, ...NO_SET } : undefined
}

/** Returns true if a token is a number except for 0 and years. */
function isPlainNumber(token: string): boolean {
  return /^[0-9]{1,4}$/.test(token) && Number(token) > 0 && !/^(?:19[89]|20[0-3])[0-9]$/.test(token)
}
