// Parses a line of a list as collectors and apps write it: `4x Absol (ROS) 40/108 *F*`.
import { FINISHES } from './finishes.ts'
import { type ListSection, takeSectionMark } from './parse-list.ts'
import { type TrailingWords, takeTrailingWords } from './trailing-words.ts'

/** A line of a list, before the catalog decides which of its readings is a card. */
export type ListLine = {
  /** Part of the list that the line itself names, as in `SB: 2 Absol`. */
  section: ListSection | undefined
  /**
   * Texts that may be a card's name as a whole, which takes precedence over all readings: with and without the
   * quantity.
   */
  wholes: readonly { name: string; quantity: number }[]
  quantity: number
  /** Finish that an app marks, such as `*F*`; undefined without a mark. */
  printing: string | undefined
  /**
   * Lists readings of the name without quantity and marks: as written, then with one more suffix removed each time.
   * Every line has at least one; that of an empty line is empty.
   */
  listReadings(): NameReading[]
}

/** Lines written by apps have about a hundred UTF-16 units; lines longer than this are not parsed. */
export const LINE_LENGTH_MAX = 1_000

/** Parses a line. A long line is treated as a name. */
export function parseListLine(written: string): ListLine {
  if (written.length > LINE_LENGTH_MAX) {
    const wholes = [{ name: written, quantity: 1 }]
    const listReadings = () => parseListName(written)
    return { section: undefined, wholes, quantity: 1, printing: undefined, listReadings }
  }
  const spaced = written.replace(/\s+/g, ' ').trim()
  const { section, rest: marked } = takeSectionMark(spaced)
  const line = marked.replace(BULLET, '')
  const { quantity, rest } = takeQuantity(line)
  const { text, printing } = takeMarks(rest)
  const { first, last } = withLoneX(line, text)
  const texts = [...first, text, ...last]
  const wholes = [{ name: line, quantity: 1 }]
  for (const name of [...first, rest, text, ...last]) {
    if (wholes.every((one) => one.name !== name)) wholes.push({ name, quantity })
  }
  return {
    section,
    wholes,
    quantity,
    printing,
    listReadings: () => texts.flatMap(listReadings),
  }
}

/**
 * Returns the name with an x that stands alone behind the quantity: `2 X Speed` means two cards "X Speed" rather than
 * "Speed", and `2 x Speed` the opposite.
 */
function withLoneX(line: string, text: string): { first: string[]; last: string[] } {
  const [, x] = /^\d{1,7} (x) /i.exec(line) ?? []
  const named = x === undefined ? [] : [`${x} ${text}`]
  return x === 'X' ? { first: named, last: [] } : { first: [], last: named }
}

/** Lists the readings of a text, then those without the words behind its card. */
function listReadings(text: string): NameReading[] {
  const readings = parseListName(withSuffixesLast(text))
  const tail = takeTrailingWords(text)
  if (tail === undefined) return readings
  const { trailing } = tail
  const shorter = parseListName(withSuffixesLast(tail.text))
  return [...readings, ...shorter.map(({ name, suffixes }) => ({ name, suffixes, trailing }))]
}

/** `* 4 Absol` and `- 4 Absol`: a bullet precedes a quantity. */
const BULLET = /^[*•·▪–-] (?=[(x×]?\d)/i

/** Splits `4 Absol`, `4x Absol`, `x4 Absol`, `(4) Absol`, `[4x] Absol`, `4xOP01-016` or `Absol x4`. */
function takeQuantity(line: string): { quantity: number; rest: string } {
  // Most names have no digit, and the patterns take longer than this test.
  if (!/\d/.test(line)) return { quantity: 1, rest: line }
  for (const pattern of QUANTITIES) {
    const match = pattern.exec(line)
    const [first = '', second = ''] = match?.slice(1) ?? []
    if (match === null) continue
    const [digits, rest] = pattern === TRAILING_QUANTITY ? [second, first] : [first, second]
    return { quantity: Number(digits), rest }
  }
  return { quantity: 1, rest: line }
}

const TRAILING_QUANTITY = /^(.*\S) \(?[x×] ?(\d{1,7})\)?$/i
const QUANTITIES = [
  /^(\d{1,7}) ?[x×] (.+)$/i,
  /^(\d{1,7})(?:x| ?×)(?=[\p{L}\p{N}([])(.+)$/iu,
  /^[x×] ?(\d{1,7}) (.+)$/i,
  /^[([](\d{1,3}) ?[x×]?[)\]] ?(.+)$/i,
  /^(\d{1,7}) (?:[-–:*] )?(.+)$/,
  TRAILING_QUANTITY,
]

/** Removes tags (`#ramp`, `^Have,#37d67a^`) and marks of the finish. */
function takeMarks(rest: string): { text: string; printing: string | undefined } {
  if (!MARKS.test(rest)) return { text: rest.trim(), printing: undefined }
  let printing: string | undefined
  const take = (mark: string) => {
    const letters = mark.replace(/[^a-z]/gi, '').toLowerCase()
    printing ??= FINISHES.get(letters) ?? STARS.get(letters)
    return ''
  }
  const text = rest.replace(TAGS, '').replace(COLORS, '').replace(STARRED, take)
  return { text: text.replace(FINISH, take).trim(), printing }
}

/** Marks between stars that name cards of Lorcana. */
const STARS: ReadonlyMap<string, string> = new Map([
  ['p', 'Promo'],
  ['ep', 'Epic'],
])

/** Characters of which every tag and mark has one. */
const MARKS = /[#^*([\d]/

/** `#234` is a number, `#ramp` and `# !Commander` are not. */
const TAGS = / #(?!\d).*$/
const COLORS = / ?\^[^^]*\^/g

/** `*F*`, `*f-etch*`, `*CMDR*`. */
const STARRED = / ?\*[a-z][a-z-]{0,9}\*/gi

/** `(F)`, `[Foil]`, and `PH` after a number. */
const FINISH =
  / ?(?:[([](?:f|fe|rh|foil|etched|etched foil|holo|reverse|reverse holo|nonfoil|non-foil)[)\]]|(?<=\d) ph)$/i

/**
 * Moves a set or number in front of the name behind it: `[CMR#472] Sol Ring`, `OP01-016 Nami`, and `Sol
 * Ring|CMR|472`. Spells out the energies of Pokémon TCG Live: `Basic {R} Energy`.
 */
function withSuffixesLast(text: string): string {
  const [name = '', ...fields] = text.split('|').map((field) => field.replace(/[[\]]/g, '').trim())
  const unpiped =
    fields.length === 0
      ? text
      : [name, ...fields.filter((field) => field !== '').map((field) => `[${field}]`)].join(' ')
  return unpiped
    .replace(ENERGY, (_, letter: string) => ENERGIES.get(letter.toUpperCase()) ?? letter)
    .replace(/^[[(<]([^[\]()<>]+)[\])>] ?(\S.*)$/, '$2 [$1]')
    .replace(/^((?:[A-Z]{1,4}\d{1,2}|P)-\d{2,4}(?:_\w+)?) ([^\s([{<].*)$/i, '$2 $1')
}

const ENERGY = /\{([grwlpfdmyc])\}(?= Energy)/i
const ENERGIES: ReadonlyMap<string, string> = new Map([
  ['G', 'Grass'],
  ['R', 'Fire'],
  ['W', 'Water'],
  ['L', 'Lightning'],
  ['P', 'Psychic'],
  ['F', 'Fighting'],
  ['D', 'Darkness'],
  ['M', 'Metal'],
  ['Y', 'Fairy'],
  ['C', 'Colorless'],
])

// Parses card names from lists. People add the collector number, the set code or the printing after
// the name: `Fire // Ice (128) [APC]`.

/** A name, and the text found after it. */
export type NameReading = {
  name: string
  /** Texts removed from the end, the last one first, without their brackets. */
  suffixes: readonly string[]
  /** Words behind the card, if the reading is without them. */
  trailing?: TrailingWords
}

/** Lists the readings of a written name: as written, then with one more suffix removed each time. */
export function parseListName(written: string): NameReading[] {
  const readings: NameReading[] = [{ name: written.trim(), suffixes: [] }]
  for (let last = readings[0]; last !== undefined && last.suffixes.length < MARKS_MAX; ) {
    const { name, suffixes } = last
    const [, rest, mark] = BRACKETS.exec(name) ?? NUMBER.exec(name) ?? []
    if (rest === undefined || mark === undefined || mark.trim() === '') break
    last = { name: rest, suffixes: [...suffixes, mark.trim()] }
    readings.push(last)
  }
  return readings
}

/** Maximum number of suffixes. */
const MARKS_MAX = 4

/** `Charizard (Prerelease)`, `Lightning Bolt [M10]`, `Lightning Bolt <retro>`, `Charizard (Base Set (Shadowless))`. */
const BRACKETS = /^(.*\S)\s*[([{<]([^()[\]{}<>]*(?:\([^()[\]{}<>]*\))?)[)\]}>]$/u

/** `Charizard 4/102`, `Pikachu - SM197`, `Island #234`, `Roronoa Zoro OP01-001_p1`, `Absol 12abc`. */
const NUMBER =
  /^(.*?\S)\s+(?:[-–—]\s+)?#?((?:\p{L}{1,5}\d{0,3}-?)?\d+\p{L}?[★*†]?(?:\/\p{L}{0,5}\d+)?|\p{L}{0,5}\d{0,3}-?\d[\p{L}\d]{0,8}(?:_\p{L}\d{1,2})?)$/u
