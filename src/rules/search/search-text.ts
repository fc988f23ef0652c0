// Which words a card is found by, and what was typed as an expression of SQLite's full-text search.
// Both go through the same taking apart, so that they meet whatever the punctuation.

/** What of a card its search text is made of. */
export type SearchableCard = { name: string; number: string | null; abbreviation: string | null }

/** What was typed: one word or more, in their order. */
export type SearchQuery = {
  words: readonly TypedWord[]
  /** Whether the last word is typed to its end; else it fits whatever begins with it. */
  isFinished: boolean
}

/** What stood between two spaces. `Lim-Dûl's` is one such word, and has two parts. */
export type TypedWord = {
  /** In lower case and without accents: `lim-dul's`. */
  text: string
  /** `lim` and `duls`. */
  parts: readonly WordPart[]
  /** All in one, `limduls`; undefined where that is nothing that a card could be found by. */
  squashed: string | undefined
}

export type WordPart = {
  raw: string
  /** Without the zeros before a number: `004` is 4. */
  plain: string
  /** It may say how many cards the set has, as the 195 of `139/195` does. */
  mayBeTotal: boolean
}

/** The tags that a card must have (of each list one), and those that it must not have. */
export type TagFilter = { with: readonly (readonly string[])[]; without: readonly string[] }

/**
 * The words that a card is found by, as its document in the index: the whole name as one word, the
 * name's words, other ways to write them, the collector number and the code of the set.
 */
export function buildSearchText({ name, number, abbreviation }: SearchableCard): string {
  const compounds = compoundsIn(name)
  const words = new Set<string>()
  if (compounds.length > 0) words.add(startOfName(compounds) + NAME_EDGE)
  for (const compound of compounds) addForms(words, compound)
  for (const sign of name.match(SPOKEN_SIGN) ?? []) {
    for (const word of SPOKEN_SIGNS.get(sign) ?? []) words.add(word)
  }
  for (const compound of compoundsIn(abbreviation ?? '')) addForms(words, compound)
  for (const compound of compoundsIn(number ?? '')) addNumber(words, compound)
  return [...words].join(' ')
}

/** The words of a text that is no card's: the name of a set, of a rarity. */
export function buildPlainSearchText(text: string): string {
  const words = new Set<string>()
  for (const compound of compoundsIn(text)) addForms(words, compound)
  return [...words].join(' ')
}

/** What was typed, taken apart; undefined when there is no letter and no digit in it. */
export function parseQuery(q: string): SearchQuery | undefined {
  const words = compoundsIn(q)
  if (words.length === 0) return undefined
  const numbers = words.filter(({ text }) => isNumber(text))
  if (numbers.length > 1) {
    // Without a slash between them, either may be the total.
    for (const wordPart of numbers.flatMap(({ parts }) => parts)) wordPart.mayBeTotal = true
  }
  return { words, isFinished: false }
}

/** The full-text expression of everything that fits. */
export function matchExpression(query: SearchQuery): string {
  const { words, isFinished } = query
  const last = words.length - 1
  if (isFinished) return wholeWordExpression(query)
  return and(words.map((word, at) => (at === last ? begunWord(word) : wholeWord(word))))
}

/** The full-text expression of what has every word just as it was typed. */
export function wholeWordExpression({ words }: SearchQuery): string {
  return and(words.map(wholeWord))
}

/**
 * The full-text expressions of the tiers of relevance, best first: the name is this; it goes on with
 * other words; it goes on with the rest of the last word; every word is there as it was typed; the
 * last word is only begun. They share no card, and together they are all that fit.
 */
export function relevanceExpressions(query: SearchQuery): string[] {
  const start = startOfName(query.words)
  const exact = quoted(start + NAME_EDGE)
  const continued = begins(start + NAME_GAP)
  const starting = begins(start)
  const whole = wholeWordExpression(query)
  if (query.isFinished) return [exact, continued, not(whole, or([exact, continued]))]
  // A name with the number 40 does not come before the card with the number 4.
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
 * The full-text expression of what has the tags, and fits where a match is given.
 *
 * @param match undefined: everything that has the tags, of which there must be one
 */
export function taggedExpression(match: string | undefined, tags: TagFilter): string {
  const needed = tags.with.map((oneOf) => or(oneOf.map(quoted)))
  const found = and(match === undefined ? needed : [match, ...needed])
  return tags.without.length === 0 ? found : not(found, or(tags.without.map(quoted)))
}

/**
 * The tag with this number, a word that a document has beside its own.
 *
 * @param index from 0
 */
export function encodeTag(index: number): string {
  // One character, where there are enough of them: the index of beginnings keeps each beginning of
  // a word, and a tag on every card would be kept many times.
  const rest = Math.floor(index / TAGS)
  return (rest === 0 ? '' : encodeTag(rest - 1)) + String.fromCodePoint(TAG_FIRST + (index % TAGS))
}

// Only letters, marks and numbers are taken from what is typed, and these are none of them: nobody
// can type a tag. The index takes them for letters like every other.
const NAME_EDGE = '\ue000'
const NAME_GAP = '\ue001'
const TOTAL = '\ue002'
const TAG_FIRST = 0xf0000
const TAGS = 0xfffe

// Signs that collectors say or type as words.
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
  /** As written between hyphens, slashes and the like: `lim`, `dul's`. */
  pieces: readonly string[]
  parts: readonly WordPart[]
  squashed: string | undefined
}

// Letters and digits, with single signs between them.
const COMPOUND = /[\p{L}\p{M}\p{N}]+(?:['./:_-][\p{L}\p{M}\p{N}]+)*/gu

function compoundsIn(text: string): Compound[] {
  return (fold(text).match(COMPOUND) ?? []).map(compoundOf)
}

/** Lower case, without the accents of Latin, Greek and Cyrillic, one kind of apostrophe and hyphen. */
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

// Letters that Unicode does not take apart into a plain one and an accent.
const UNDIVIDED: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
  ['ı', 'i'],
])

function compoundOf(text: string): Compound {
  if (/^[a-z0-9]+$/.test(text)) {
    const part = { raw: text, plain: withoutZeros(text), mayBeTotal: false }
    return { text, pieces: [text], parts: [part], squashed: undefined }
  }
  const pieces = text.split(/[/:_-]/)
  const parts = text.split('/').flatMap((side, at) =>
    side
      .split(/[:_-]/)
      .flatMap(wordsIn)
      .map((raw) => ({ raw, plain: withoutZeros(raw), mayBeTotal: at > 0 && /[0-9]/.test(raw) })),
  )
  return { text, pieces, parts, squashed: squash(parts) }
}

/** `u.s.s` is one word, `vol.2` is two, and so are letters of two scripts (`テツノイワオex`). */
function wordsIn(piece: string): string[] {
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
  // Nobody types the number 139/195 as 139195.
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

/** `dul's` is also found by `dul`, `d'avenant` also by `avenant`. */
function addStems(words: Set<string>, word: string): void {
  const [first = '', ...more] = word.split("'")
  words.add(first)
  for (const stem of more) if (stem !== 's') words.add(stem)
}

/**
 * The forms of a collector number. What stands behind the slash says how many cards the set has: it
 * is no number of this card, and fits only beside another number.
 */
function addNumber(words: Set<string>, { text }: Compound): void {
  const [own = '', ...behind] = text.split('/')
  const compound = compoundOf(own)
  addForms(words, compound)
  // `wtr058` is also `wtr 58`, but the 13 of `op13-089` is no number of the card.
  if (compound.parts.length === 1) addRuns(words, own)
  for (const piece of behind) {
    const forms = new Set<string>()
    addForms(forms, compoundOf(piece))
    for (const form of forms) words.add(/[0-9]/.test(form) ? TOTAL + form : form)
  }
}

function addRuns(words: Set<string>, code: string): void {
  const runs = code.match(/[0-9]+|[^0-9]+/g) ?? []
  words.add(runs.map(withoutZeros).join(''))
  for (const run of runs) {
    // The letter of `18a` alone would be found by anything that is typed.
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
  const inParts = and(
    parts.map((wordPart, at) => (at === last ? begunPart(wordPart) : wholePart(wordPart))),
  )
  return squashed === undefined ? inParts : or([begins(squashed), inParts])
}

function wholePart(wordPart: WordPart): string {
  return or(
    marksOf(wordPart).flatMap((mark) => [
      quoted(mark + wordPart.raw),
      quoted(mark + wordPart.plain),
    ]),
  )
}

function begunPart(wordPart: WordPart): string {
  const { raw, plain } = wordPart
  return or(
    marksOf(wordPart).flatMap((mark) => {
      const longer = begins(mark + raw)
      return plain === raw ? [longer] : [longer, quoted(mark + plain)]
    }),
  )
}

function marksOf({ mayBeTotal }: WordPart): string[] {
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

/** In quotes everything is text, a quote too when it is doubled. */
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}
