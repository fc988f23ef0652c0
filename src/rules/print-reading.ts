// What the printed lines of a card or a slab say, as far as they were surely read: a wrong number
// drops the right card, and one that was not read drops none.
import { numberKey } from './names.ts'
import type { PrintedLine, Script } from './printed-line.ts'
import { type PhotoKind, type PhotoQuality, type PrintReading, UNREAD } from './reading.ts'
import { THRESHOLDS } from './thresholds.ts'

/** How sure a line must be that decides: numbers, codes, marks and grades. */
const SURE_MIN = 0.9
/** Titles are long, and their words are compared, not their letters. */
const TITLE_SURE_MIN = 0.8
const LEGIBLE_MIN = 0.5

/** Numbers are up to this high; power and toughness, hit points and costs are larger. */
const NUMBER_MM_MAX = 3
/** The edges of a card, where numbers stand, in shares of its height. */
const HEAD_BOTTOM = 0.14
const FOOT_TOP = 0.82
/** What ends above this is on the label of a slab. */
const LABEL_BOTTOM_MAX = 0.02

type Seen = { kind: PhotoKind | undefined; quality: PhotoQuality | undefined }

/** What can be said of a photo's print; empty, and for stamps `unclear`, where it cannot be told. */
export function printReadingOf(lines: readonly PrintedLine[], seen: Seen): PrintReading {
  // Backs and boxes have print, too, but none that is a card's.
  if (seen.kind !== 'raw' && seen.kind !== 'graded slab') return UNREAD
  const onCard = lines.filter((line) => !isOnLabel(line))
  const label = seen.kind === 'graded slab' ? lines.filter(isOnLabel).filter(isSure) : []
  const small = onCard.filter((line) => isSure(line) && isSmallPrint(line, seen.quality))
  const own = numberIn(small)
  const number = own?.number ?? (isDense(seen.quality) ? labelNumber(label) : '')
  const set = own?.set || onlyOne(small.flatMap(codeAlone))
  const name = cardName(onCard) || labelName(label)
  return {
    ...UNREAD,
    name,
    number,
    set,
    language: languageOf(onCard, small),
    stamp: stampOf(onCard.filter(isSure), label),
    grade: gradeOf(label),
    readable: { name: name !== '', number: number !== '', set: set !== '' },
  }
}

function isOnLabel({ box }: PrintedLine): boolean {
  return box.bottom <= LABEL_BOTTOM_MAX
}

function isSure({ sure, legible, script }: PrintedLine): boolean {
  return sure >= SURE_MIN && legible >= LEGIBLE_MIN && script === 'latin'
}

/** Print like a number's, and not that of rules. */
function isSmallPrint(line: PrintedLine, quality: PhotoQuality | undefined): boolean {
  const isPlaced =
    line.kind === 'number' || (line.kind === 'other' && (isAtEdge(line) || isAlone(line)))
  return isPlaced && isDense(quality) && line.heightPx / quality.px_per_mm <= NUMBER_MM_MAX
}

/** The photo shows enough of small print: below that, even sure readings err. */
function isDense(quality: PhotoQuality | undefined): quality is PhotoQuality {
  return quality !== undefined && quality.px_per_mm >= THRESHOLDS.quality.pxPerMmMin
}

/** One word with a number's separators in it: rules have none, but numbers stand under pictures, too. */
function isAlone({ text }: PrintedLine): boolean {
  return /^[^\s]*[0-9A-Z][-/][0-9A-Z][^\s]*$/.test(text)
}

function isAtEdge({ box }: PrintedLine): boolean {
  return box.top >= FOOT_TOP || box.bottom <= HEAD_BOTTOM
}

/** The one thing that all say; empty where they disagree or say nothing. */
function onlyOne(all: readonly string[]): string {
  const [one = '', ...others] = new Set(all)
  return others.length === 0 ? one : ''
}

// Numbers, and what stands with them

/** What a line of small print says; empty where it does not. */
type Mark = { number: string; set: string; language: string }

/** The number that stands out. Two different ones that are equally good are none. */
function numberIn(lines: readonly PrintedLine[]): Mark | undefined {
  const found = lines.flatMap((line) => {
    const mark = lineMark(line)
    const rank = mark === undefined ? 0 : rankOf(line, mark)
    return mark === undefined || rank === 0 ? [] : [{ mark, rank }]
  })
  const most = Math.max(...found.map(({ rank }) => rank))
  const best = found.filter(({ rank }) => rank === most).map(({ mark }) => mark)
  const keys = new Set(best.map(({ number }) => numberKey(number)))
  return keys.size === 1 ? (best.find(({ set }) => set !== '') ?? best[0]) : undefined
}

/** The code of a line without a number: that of another number is another card's. */
function codeAlone(line: PrintedLine): string | [] {
  const mark = lineMark(line)
  return mark === undefined || mark.number !== '' ? [] : mark.set
}

/** How good a number is by where it stands; 0 for none that counts. */
function rankOf(line: PrintedLine, { number }: Mark): number {
  if (number === '') return 0
  // A plain one is a number only where a number is looked for.
  const isPlain = /^[0-9]+$/.test(number)
  if (line.kind !== 'number') return isPlain ? 0 : isAtEdge(line) ? 2 : 1
  return 3 + (isPlain ? 0 : 2) + (isAtEdge(line) ? 1 : 0)
}

function lineMark({ text, kind }: PrintedLine): Mark | undefined {
  return markIn(text, kind === 'number')
}

/**
 * The number, the set's code and the language mark in a line of print, whatever else it holds.
 *
 * @param isNumber the line looks like one of a number
 */
function markIn(text: string, isNumber: boolean): Mark | undefined {
  const tokens = tokensOf(text)
  const shapes = tokens.map(shapeOf)
  const last = tokens.length - 1
  // Years stand behind a copyright sign; the number of old cards ends the same line.
  const isCopyright = /[©®™]|\(c\)/i.test(text)
  const strong = [...shapes.entries()].filter(
    ([at, shape]) => shape !== undefined && (!isCopyright || (at >= last - 1 && !isYears(shape))),
  )
  const [[at, shape] = [-1, undefined], ...others] = strong
  if (others.length > 0) return undefined
  const marked = markedCode(text)
  const beside = shape === undefined ? undefined : codeBeside(tokens, at, isNumber)
  const plain = shape === undefined && !isCopyright ? plainNumber(tokens, isNumber) : undefined
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

function shapeOf(token: string): Mark | undefined {
  for (const shape of SHAPES) {
    const match = shape.exec(token)
    // No card has the number 0.
    if (match === null || /^0+(?:\/|$)/.test(token)) continue
    const { set = '', number = token, region = '' } = match.groups ?? {}
    return { number, set: set.length > 1 ? set : '', language: REGIONS.get(region) ?? '' }
  }
  return undefined
}

/** Two years of a century, as in "©1995/96". */
function isYears({ number }: Mark): boolean {
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

type Beside = Omit<Mark, 'number'>

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
function plainNumber(tokens: readonly string[], isNumber: boolean): Mark | undefined {
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

// Names

/** What stands at the head of cards above or beside their name. */
const HEADER =
  /^(?:basic|stage\s*[0-9]|trainer|supporter|item|stadium|energy|tool|pok[eé]mon(?:\s+tool)?|vmax|vstar|mega|event|leader|character|evolves from\b.*|put onto\b.*|[^\p{L}]*)$/iu

function cardName(lines: readonly PrintedLine[]): string {
  const title = titleLine(lines)
  if (title === undefined || title.sure < TITLE_SURE_MIN || title.legible < LEGIBLE_MIN) return ''
  return title.script === 'latin' ? cleanTitle(title.text) : ''
}

/**
 * The line of the title, whether it was read or not: a title that is too blurred must not make the
 * name of an attack the card's.
 */
function titleLine(lines: readonly PrintedLine[]): PrintedLine | undefined {
  const named = lines.filter(
    ({ kind, text }) => kind === 'name' && (text === '' || !HEADER.test(text)),
  )
  const atHead = named.filter(({ box }) => box.top < HEAD_BOTTOM)
  const [tallest, next] = (atHead.length > 0 ? atHead : named).toSorted(
    (one, other) => other.heightPx - one.heightPx,
  )
  if (tallest === undefined || next === undefined || next.heightPx < 0.85 * tallest.heightPx) {
    return tallest
  }
  if (atHead.length === 0) return undefined
  return next.box.top < tallest.box.top ? next : tallest
}

/** Without hit points, level, stage and signs. */
function cleanTitle(text: string): string {
  const name = text
    .replace(/[™®©★☆•_=]/g, ' ')
    .replace(/\bHP\s*[0-9]{2,3}\b|\b[0-9]{2,3}\s*HP\b/, ' ')
    .replace(/\bL[Vv]\.?\s*[0-9]+/, ' ')
    .replace(/^\s*(?:BASIC|STAGE\s*[0-9])\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    // Hit points whose letters were too small to be read.
    .replace(/(?<=\p{L}) (?:[3-9]0|[1-3][0-9]0)$/u, '')
    .replace(/^[^\p{L}\p{N}]+$|[\s:;*]+$/gu, '')
  return /\p{L}.*\p{L}/u.test(name) ? name : ''
}

// Languages

/** So many lines of a script make a language; one foreign word does not. */
const SCRIPT_LINES_MIN = 3

const LANGUAGE_OF_SCRIPT: Record<Exclude<Script, 'latin'>, string> = {
  japanese: 'Japanese',
  korean: 'Korean',
  chinese: 'Chinese',
  cyrillic: 'Russian',
}

function languageOf(lines: readonly PrintedLine[], small: readonly PrintedLine[]): string {
  const marks = small.flatMap((line) => lineMark(line)?.language || [])
  const scripts = lines
    .filter(({ legible }) => legible >= LEGIBLE_MIN)
    .flatMap(({ script }) => (script === 'latin' ? [] : LANGUAGE_OF_SCRIPT[script]))
  return onlyOne([...marks, ...(mainOf(scripts) ?? [])])
}

/** The language of nearly all lines in other scripts than Latin, where there are enough. */
function mainOf(languages: readonly string[]): string[] | undefined {
  const counts = Map.groupBy(languages, (language) => language)
  const main = [...counts.values()].find((same) => 4 * same.length >= 3 * languages.length)
  return main !== undefined && main.length >= SCRIPT_LINES_MIN ? main : undefined
}

// Stamps

/** Marks of an edition, as the words by which titles and printings are told apart (print-match.ts). */
const STAMPS: readonly [name: string, words: string][] = [
  ['1st Edition', String.raw`(?:1st|first)\s+ed(?:ition|\.)|edition\s+1|1\s+edition`],
  ['Limited Edition', String.raw`limited\s+edition`],
  ['Prerelease', String.raw`pre-?\s?release`],
  ['Staff', 'staff'],
]

/** On a card, a stamp is a line of nothing else: the word is also in names and in rules. */
function stampOf(onCard: readonly PrintedLine[], label: readonly PrintedLine[]): string {
  const seen = STAMPS.filter(([, words]) => {
    const alone = new RegExp(`^\\W*(?:${words})\\W*$`, 'i')
    const within = new RegExp(`(?:^|\\s)(?:${words})(?=\\s|$)`, 'i')
    return (
      onCard.some(({ kind, text }) => kind === 'other' && alone.test(text)) ||
      label.some(({ kind, text }) => kind !== 'name' && within.test(text))
    )
  })
  return seen.map(([name]) => name).join(' ') || 'unclear'
}

// Labels of slabs

const GRADERS: readonly [grader: string, words: RegExp][] = [
  ['PSA', /^PSA\b/],
  ['BGS', /^(?:BGS|BECKETT)\b/],
  ['CGC', /^CGC(?: TRADING)?(?: CARDS)?\b/],
  ['SGC', /^SGC\b/],
  // Words of names and rules, too: these stand alone.
  ['TAG', /^TAG(?: GRADING)?(?= [0-9]|$)/],
  ['ACE', /^ACE(?: GRADING)?(?= [0-9]|$)/],
]

/** The words for the grades, in capitals, with spaces for hyphens and slashes. */
const TIERS: ReadonlyMap<string, readonly number[]> = new Map([
  ...tiers([9.5, 10], 'GEM MINT'),
  ...tiers([10], 'GEM MT', 'PRISTINE', 'PERFECT', 'BLACK LABEL'),
  ...tiers([9.5], 'MINT+', 'MINT +'),
  ...tiers([9], 'MINT', 'MT'),
  ...tiers([8.5], 'NM MT+', 'NM MINT+'),
  ...tiers([8], 'NM MT', 'NM MINT'),
  ...tiers([7.5], 'NEAR MINT+', 'NM+'),
  ...tiers([7], 'NEAR MINT', 'NM'),
  ...tiers([6.5], 'EX NM+', 'EX MT+'),
  ...tiers([6], 'EX MT', 'EX NM'),
  ...tiers([5.5], 'EX+', 'EXCELLENT+'),
  ...tiers([5], 'EX', 'EXCELLENT'),
  ...tiers([4.5], 'VG EX+'),
  ...tiers([4], 'VG EX'),
  ...tiers([3.5], 'VG+', 'VERY GOOD+'),
  ...tiers([3], 'VG', 'VERY GOOD'),
  ...tiers([2.5], 'GOOD+', 'GD+'),
  ...tiers([2], 'GOOD', 'GD'),
  ...tiers([1.5], 'FAIR', 'FR'),
  ...tiers([1], 'POOR', 'PR'),
])

function tiers(grades: readonly number[], ...words: string[]): [string, readonly number[]][] {
  return words.map((word) => [word, grades])
}

/** What a line of a label says of the grade, where it says nothing else. */
type GradeLine = {
  grader: string
  grade: number | undefined
  /** The grades that its words may stand for; undefined without words. */
  allowed: readonly number[] | undefined
  heightPx: number
}

function gradeOf(label: readonly PrintedLine[]): string {
  // Authentic cards have no grade.
  if (label.some(({ text }) => /\bAUTH(?:ENTIC)?\b|\bALTERED\b/i.test(text))) return ''
  const lines = label.flatMap((line) => gradeLine(line) ?? [])
  const grader = onlyOne(lines.flatMap((line) => line.grader || []))
  const spoken = lines.flatMap(({ allowed }) => (allowed === undefined ? [] : [allowed]))
  const grade = onlyOne(gradesIn(lines, label).map(String))
  const isSpoken = spoken.every((allowed) => allowed.includes(Number(grade)))
  return grader !== '' && grade !== '' && isSpoken ? `${grader} ${grade}` : ''
}

/** Grades that stand with the grader or with words; else those alone, among which the tallest count. */
function gradesIn(lines: readonly GradeLine[], label: readonly PrintedLine[]): number[] {
  const graded = lines.filter(({ grade }) => grade !== undefined)
  const isAlone = ({ grader, allowed }: GradeLine) => grader === '' && allowed === undefined
  const told = graded.filter((line) => !isAlone(line))
  const alone = graded.filter(isAlone)
  // Without words for it on the label, a small number is as likely the card's.
  const hasWords = lines.some(({ allowed }) => allowed !== undefined)
  const heights = (hasWords ? alone : label).map(({ heightPx }) => heightPx)
  const tall = alone.filter(({ heightPx }) => heightPx >= 0.9 * Math.max(...heights))
  return (told.length > 0 ? told : tall).flatMap(({ grade }) => grade ?? [])
}

function gradeLine({ text, heightPx }: PrintedLine): GradeLine | undefined {
  const said = text
    .toUpperCase()
    .replace(/(?<=[A-Z])[-/](?=[A-Z])/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const [grader = '', words = /^$/] = GRADERS.find(([, of]) => of.test(said)) ?? []
  const tokens = said.replace(words, '').split(' ').filter(Boolean)
  const [number, ...numbers] = tokens.filter((token) => /[0-9]/.test(token))
  const rest = tokens.filter((token) => !/[0-9]/.test(token)).join(' ')
  const allowed = TIERS.get(rest)
  const isOfGrade =
    numbers.length === 0 && isGrade(number) && (rest === '' || allowed !== undefined)
  if (isOfGrade)
    return { grader, grade: number === undefined ? undefined : Number(number), allowed, heightPx }
  return grader === '' ? undefined : { grader, grade: undefined, allowed: undefined, heightPx }
}

/** Or nothing: words alone are of a grade, too. */
function isGrade(number: string | undefined): boolean {
  return number === undefined || /^(?:10(?:\.0)?|[1-9](?:\.[05])?)$/.test(number)
}

/** Labels write "#4", or the number as the card has it. */
function labelNumber(label: readonly PrintedLine[]): string {
  return onlyOne(
    label.flatMap(({ text }) => {
      const [, number] =
        /#\s?([A-Z]{0,4}[0-9]{1,3}(?:\/[A-Z]{0,4}[0-9]{1,3})?)(?![^\s,])/.exec(text) ?? []
      return number ?? (markIn(text.replace(/#/g, ' '), false)?.number || [])
    }),
  )
}

/** In capitals, and with what the grader adds to it. */
function labelName(label: readonly PrintedLine[]): string {
  const names = label.filter((line) => line.kind === 'name' && gradeLine(line) === undefined)
  return onlyOne(
    names
      .filter(({ text }) => !/\b(?:19|20)[0-9]{2}\b/.test(text))
      .map(({ text }) =>
        cleanTitle(text.replace(/^FA\//, '').replace(/[-\s](?:HOLO|REV\.?\s?FOIL)$/, '')),
      ),
  )
}
