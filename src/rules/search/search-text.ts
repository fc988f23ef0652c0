// Builds the search text of cards, and the SQLite full-text expressions of queries. Both are split
// in the same way, so they match regardless of punctuation.
import { UNDIVIDED } from '../catalog/names.ts'

/** Fields of a card that its search text is built from. */
export type SearchableCard = { name: string; number: string | null; abbreviation: string | null }

/** A query: one or more words in order. */
export type SearchQuery = {
  words: readonly TypedWord[]
  /** True if the last word is complete; otherwise it matches any word that begins with it. */
  isFinished: boolean
}

/** Text between two spaces. `Lim-Dûl's` is one typed word with two parts. */
export type TypedWord = {
  /** Lower case without accents: `lim-dul's`. */
  text: string
  /** `lim` and `duls`. */
  parts: readonly WordPart[]
  /** All parts joined, `limduls`; undefined if no card can be found by that. */
  squashed: string | undefined
}

export type WordPart = {
  raw: string
  /** Without the leading zeros of a number: `004` is 4. */
  plain: string
  /** May be the number of cards in the set, like the 195 of `139/195`. */
  mayBeTotal: boolean
}

/** Tags that a card must have (one of each list), and tags that it must not have. */
export type TagFilter = { with: readonly (readonly string[])[]; without: readonly string[] }

/**
 * Builds the document of a card in the index: the whole name as one word, its words, their
 * alternative forms, the collector number and the set code.
 */
export function buildSearchText({ name, number, abbreviation }: SearchableCard): string {
  const compounds = parseCompounds(name)
  const words = new Set<string>()
  if (compounds.length > 0) words.add(startOfName(compounds) + NAME_EDGE)
  for (const compound of compounds) addForms(words, compound)
  for (const sign of name.match(SPOKEN_SIGN) ?? []) {
    for (const word of SPOKEN_SIGNS.get(sign) ?? []) words.add(word)
  }
  for (const compound of parseCompounds(abbreviation ?? '')) addForms(words, compound)
  for (const compound of parseCompounds(number ?? '')) addNumber(words, compound)
  return [...words].join(' ')
}

/** Builds the words of other texts, such as the name of a set or a rarity. */
export function buildPlainSearchText(text: string): string {
  const words = new Set<string>()
  for (const compound of parseCompounds(text)) addForms(words, compound)
  return [...words].join(' ')
}

/** Parses a query; undefined if it has no letter and no digit. */
export function parseQuery(q: string): SearchQuery | undefined {
  const words = parseCompounds(q)
  if (words.length === 0) return undefined
  const numbers = words.filter(({ text }) => isNumber(text))
  if (numbers.length > 1) {
    // Without a slash between them, any of them may be the total.
    for (const part of numbers.flatMap(({ parts }) => parts)) part.mayBeTotal = true
  }
  return { words, isFinished: false }
}

/** Returns the full-text expression of all matches. */
export function matchExpression(query: SearchQuery): string {
  const { words, isFinished } = query
  const last = words.length - 1
  if (isFinished) return wholeWordExpression(query)
  return and(words.map((word, at) => (at === last ? begunWord(word) : wholeWord(word))))
}

/** Returns the full-text expression of documents that have every word exactly as typed. */
export function wholeWordExpression({ words }: SearchQuery): string {
  return and(words.map(wholeWord))
}

/**
 * Returns one full-text expression per relevance tier, best first. The name equals the query; it
 * continues with other words; it completes the last word. Then all words occur as typed; then the
 * last word is a prefix. The tiers are disjoint, and together they are all matches.
 */
export function relevanceExpressions(query: SearchQuery): string[] {
  const start = startOfName(query.words)
  const exact = quoted(start + NAME_EDGE)
  const continued = begins(start + NAME_GAP)
  const starting = begins(start)
  const whole = wholeWordExpression(query)
  if (query.isFinished) return [exact, continued, not(whole, or([exact, continued]))]
  // A name with the number 40 must not precede the card with the number 4.
  const endsInNumber = /[0-9]$/.test(start)
  const named = endsInNumber ? or([exact, continued]) : starting
  return [
    exact,
    continued,
    ...(endsInNumber ? [] : [not(starting, or([exact, continued]))]),
    not(whole, named),
    not(matchExpression(query), or([whole, named])),
  ]
}

/**
 * Returns the full-text expression of documents with the tags that also match the expression.
 *
 * @param match undefined if the tags alone decide; then there must be one
 */
export function taggedExpression(match: string | undefined, tags: TagFilter): string {
  const needed = tags.with.map((oneOf) => or(oneOf.map(quoted)))
  const found = and(match === undefined ? needed : [match, ...needed])
  return tags.without.length === 0 ? found : not(found, or(tags.without.map(quoted)))
}

/**
 * Encodes a tag as a word that only documents can contain.
 *
 * @param index from 0
 */
export function encodeTag(index: number): string {
  // A single character while they last: the prefix index stores each prefix of a word, and a tag on
  // every card would be stored many times.
  const rest = Math.floor(index / TAGS)
  return (rest === 0 ? '' : encodeTag(rest - 1)) + String.fromCodePoint(TAG_FIRST + (index % TAGS))
}

// Queries are reduced to letters, marks and numbers, and these characters are different, so a
// query cannot contain a tag. The index treats them as letters.
const NAME_EDGE = '\ue000'
const NAME_GAP = '\ue001'
const TOTAL = '\ue002'
const TAG_FIRST = 0xf0000
const TAGS = 0xfffe

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

type Compound = {
  text: string
  /** As written between hyphens, slashes and similar signs: `lim`, `dul's`. */
  pieces: readonly string[]
  parts: readonly WordPart[]
  squashed: string | undefined
}

// Letters and digits, with single signs between them.
const COMPOUND = /[\p{L}\p{M}\p{N}]+(?:['./:_-][\p{L}\p{M}\p{N}]+)*/gu

function parseCompounds(text: string): Compound[] {
  return (fold(text).match(COMPOUND) ?? []).map(parseCompound)
}

/** Lower-cases, removes Latin, Greek and Cyrillic accents, unifies apostrophes and hyphens. */
function fold(text: string): string {
  if (/^[ -_a-~]*$/.test(text)) return text.toLowerCase()
  return text
    .replace(/[™℠®©]/g, ' ')
    .replace(/[’‘‛ʼʻ`´′ʹ]/g, "'")
    .replace(/[\p{Pd}−]/gu, '-')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[øđðłßæœþı]/g, (letter) => UNDIVIDED.get(letter) ?? letter)
}

function parseCompound(text: string): Compound {
  if (/^[a-z0-9]+$/.test(text)) {
    const part = { raw: text, plain: withoutZeros(text), mayBeTotal: false }
    return { text, pieces: [text], parts: [part], squashed: undefined }
  }
  const pieces = text.split(/[/:_-]/)
  const parts = text.split('/').flatMap((side, at) =>
    side
      .split(/[:_-]/)
      .flatMap(splitWords)
      .map((raw) => ({ raw, plain: withoutZeros(raw), mayBeTotal: at > 0 && /[0-9]/.test(raw) })),
  )
  return { text, pieces, parts, squashed: squash(parts) }
}

/** `u.s.s` is one word, `vol.2` is two, and so are letters of two scripts (`テツノイワオex`). */
function splitWords(piece: string): string[] {
  const words = isInitials(piece) ? [piece.replaceAll('.', '')] : piece.split('.')
  return words.flatMap((word) => word.replaceAll("'", '').split(SCRIPT_CHANGE))
}

function isInitials(piece: string): boolean {
  return piece.includes('.') && /^\p{L}(?:\.\p{L})+$/u.test(piece)
}

const EASTERN = '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}ー]'
const SCRIPT_CHANGE = new RegExp(`(?<=${EASTERN})(?=[a-z0-9])|(?<=[a-z0-9])(?=${EASTERN})`, 'u')

function withoutZeros(word: string): string {
  return word.startsWith('0') && isNumber(word) ? word.replace(/^0+(?=[0-9])/, '') : word
}

function isNumber(word: string): boolean {
  return /^[0-9]+$/.test(word)
}

function squash(parts: readonly WordPart[]): string | undefined {
  // No user types the number 139/195 as 139195.
  if (parts.length === 1 || parts.every(({ raw }) => isNumber(raw))) return undefined
  return parts.map(({ raw }) => raw).join('')
}

function startOfName(words: readonly { parts: readonly WordPart[] }[]): string {
  return NAME_EDGE + words.flatMap(({ parts }) => parts.map(({ raw }) => raw)).join(NAME_GAP)
}

function addForms(words: Set<string>, { parts, pieces, squashed }: Compound): void {
  for (const { raw, plain } of parts) words.add(raw).add(plain)
  if (squashed !== undefined) words.add(squashed)
  for (const piece of pieces) {
    if (isInitials(piece)) for (const letter of piece.split('.')) words.add(letter)
    if (piece.includes("'")) for (const word of piece.split('.')) addStems(words, word)
  }
}

/** `dul's` is also found by `dul`, and `d'avenant` by `avenant`. */
function addStems(words: Set<string>, word: string): void {
  const [first = '', ...more] = word.split("'")
  words.add(first)
  for (const stem of more) if (stem !== 's') words.add(stem)
}

/**
 * Adds the forms of a collector number. The part after the slash is the size of the set, not a
 * number of this card. It matches only together with another number.
 */
function addNumber(words: Set<string>, { text }: Compound): void {
  const [own = '', ...behind] = text.split('/')
  const compound = parseCompound(own)
  addForms(words, compound)
  // `wtr058` is also `wtr 58`, but the 13 of `op13-089` is not a number of the card.
  if (compound.parts.length === 1) addRuns(words, own)
  for (const piece of behind) {
    const forms = new Set<string>()
    addForms(forms, parseCompound(piece))
    for (const form of forms) words.add(/[0-9]/.test(form) ? TOTAL + form : form)
  }
}

function addRuns(words: Set<string>, code: string): void {
  const runs = code.match(/[0-9]+|[^0-9]+/g) ?? []
  words.add(runs.map(withoutZeros).join(''))
  for (const run of runs) {
    // Any query would find the letter of `18a` on its own.
    if (isNumber(run)) words.add(run).add(withoutZeros(run))
    else if (run.length > 1) words.add(run)
  }
}

function wholeWord({ parts, squashed }: TypedWord): string {
  const inParts = and(parts.map(wholePart))
  return squashed === undefined ? inParts : or([quoted(squashed), inParts])
}

function begunWord({ parts, squashed }: TypedWord): string {
  const last = parts.length - 1
  const inParts = and(parts.map((part, at) => (at === last ? begunPart(part) : wholePart(part))))
  return squashed === undefined ? inParts : or([begins(squashed), inParts])
}

function wholePart(part: WordPart): string {
  return or(
    possibleMarks(part).flatMap((mark) => [quoted(mark + part.raw), quoted(mark + part.plain)]),
  )
}

function begunPart(part: WordPart): string {
  const { raw, plain } = part
  return or(
    possibleMarks(part).flatMap((mark) => {
      const longer = begins(mark + raw)
      return plain === raw ? [longer] : [longer, quoted(mark + plain)]
    }),
  )
}

function possibleMarks({ mayBeTotal }: WordPart): string[] {
  return mayBeTotal ? ['', TOTAL] : ['']
}

function and(matches: readonly string[]): string {
  return joined(matches, ' AND ')
}

function or(matches: readonly string[]): string {
  return joined(matches, ' OR ')
}

function joined(matches: readonly string[], operator: string): string {
  const once = [...new Set(matches)]
  return once.length === 1 ? once.join() : `(${once.join(operator)})`
}

function not(match: string, without: string): string {
  return `(${match} NOT ${without})`
}

function begins(word: string): string {
  return `${quoted(word)} *`
}

/** Quotes make everything text; a quote inside is doubled. */
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}
