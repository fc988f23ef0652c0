// Finds the name of a card among its lines. A text that the catalog lists as a name is one wherever it stands, unless
// something speaks for another line: place, size and the number that was read.
import type { CandidateCard } from './candidate-card.ts'
import { spanConfidence } from './span-confidence.ts'
import { splitColumns } from './split-columns.ts'
import { LEGIBLE_MIN, type PrintedLine } from './text-line.ts'
import { matchNumbers } from './text-match.ts'

/** Words of the frame, which are no part of names. */
const FRAME =
  'basic|trainer|supporter|item|stadium|energy|tool|pok[eé]mon|event|leader|character|hp'
/** Texts in the header of cards above or beside the name: words of the frame, and those that are part of some names. */
const HEADER = new RegExp(
  String.raw`^(?:${FRAME}|stage\s*[0-9]|pok[eé]mon\s+tool|vmax|vstar|mega|atk|def|lvl?|evolves from\b.*|put onto\b.*|[^\p{L}]*)$`,
  'iu',
)

/** Returns the cards with exactly this printed name. */
export type NameLookup<Card extends ListedCard = ListedCard> = (name: string) => readonly Card[]
export type ListedCard = Pick<CandidateCard, 'number' | 'game'>

/** Minimum confidence of a name that the catalog lists, and of another one. */
export type NameLimits = { listed: number; other: number }

/**
 * Returns the name; empty if it was not read with confidence.
 *
 * @param lines lines of the card, without those of a label
 * @param number number that was read, or empty
 */
export function readCardName(
  lines: readonly PrintedLine[],
  number: string,
  limits: NameLimits,
  namesakes: NameLookup,
): string {
  return listedName(lines, number, limits.listed, namesakes) || otherName(lines, limits.other)
}

type NamedLine = { line: PrintedLine; name: string; cards: readonly ListedCard[] }

/** Minimum length of a name outside of the header: shorter words are on many cards. */
const NAME_LETTERS_MIN = 3

/** Games that print the name of every card in its header. Elsewhere, another card's name is an attack or a rule. */
const NAMED_IN_HEADER: ReadonlySet<string> = new Set([
  'magic',
  'pokemon',
  'pokemon-japan',
  'yugioh',
  'flesh-and-blood',
])

function listedName(
  lines: readonly PrintedLine[],
  number: string,
  confidenceMin: number,
  namesakes: NameLookup,
): string {
  const named = lines.flatMap((line) => findListed(line, confidenceMin, namesakes))
  const others = lines.filter((line) => !named.some((one) => one.line === line))
  const title = upperOfTallest(named.filter(({ line }) => isInHeader(line)))
  const isNumbered = ({ cards }: NamedLine) => hasNumber(cards, number)
  if (title !== undefined && !isBelowTitle(title, lines)) {
    const numbered = named.filter((one) => isNumbered(one) && isTall(one, others))
    return isNumbered(title) ? title.name : soleName(numbered) || title.name
  }
  const elsewhere = named.filter(
    (one) =>
      !isInHeader(one.line) &&
      isTall(one, others) &&
      !isBelowTitle(one, lines) &&
      (number === '' ? isNamedAnywhere(one) : isNumbered(one)),
  )
  return soleName(tallestOf(elsewhere))
}

/** Returns the name that a line, a column of it, or the part beside words of the frame states. */
function findListed(
  line: PrintedLine,
  confidenceMin: number,
  namesakes: NameLookup,
): NamedLine | [] {
  const { text, legibility, script, confidence, ctc } = line
  if (legibility < LEGIBLE_MIN || script !== 'latin' || HEADER.test(text)) return []
  const columns = splitColumns(line)
  const parts = [text, ...(columns.length > 1 ? columns : []), ...withoutFrame(text)]
  for (const part of new Set(parts)) {
    const name = cleanTitle(part)
    const isWhole = part === text
    if (name.length < NAME_LETTERS_MIN || HEADER.test(name)) continue
    // Symbols within the name were removed, so it is found only in the whole line.
    const sureness = Math.max(isWhole ? confidence : 0, spanConfidence(ctc, name))
    if (sureness < confidenceMin) continue
    const cards = namesakes(name)
    if (cards.length > 0) return { line, name, cards }
  }
  return []
}

/** Returns the names of the catalog, in lower case, that lines about as tall as the tallest of them state. */
export function listPrintedNames(
  lines: readonly PrintedLine[],
  confidenceMin: number,
  namesakes: NameLookup,
): string[] {
  const named = lines.flatMap((line) => findListed(line, confidenceMin, namesakes))
  const most = Math.max(...named.map(({ line }) => line.heightPx))
  const tall = named.filter(({ line }) => line.heightPx >= AS_TALL * most)
  return [...new Set(tall.map(({ name }) => name.toLowerCase()))]
}

/** Words of the frame beside a name. */
const FRAME_WORD = new RegExp(`^(?:${FRAME}|stage[0-9]?)$`, 'iu')
/**
 * Symbols of a cost behind it, as they are read (`&Q`), and levels: `LV.13`, `w.1s` or `m1.50`. Not the V, X or M of a
 * name, nor what may be a misread `ex` or `GX` (`e×`, `e2`, `G:`): that is the name of another card.
 */
const COST_OR_LEVEL =
  /^(?!.*[Xx×])(?:(?![VMe])\p{L}|[^\p{L}]+|(?![eEG])(?=.*[^\p{L}])[^VMvm]{1,3}|[LIWw1]+[Vv.]+[\p{L}\p{N}]{0,2}|[LIWwmn1][Vv1]?\.?[0-9]{1,3}\p{Ll}?\.?)$/u

/** Returns a line without words of the frame at its end, at its beginning, and at both. */
function withoutFrame(text: string): string[] {
  const words = text.trim().split(/\s+/)
  const start = words.findIndex((word) => !FRAME_WORD.test(word))
  const isBehind = (word: string) => FRAME_WORD.test(word) || COST_OR_LEVEL.test(word)
  const end = words.findLastIndex((word) => !isBehind(word)) + 1
  if (start < 0) return []
  const parts = [words.slice(0, end), words.slice(start), words.slice(start, end)]
  return parts.map((part) => part.join(' '))
}

/** Bottom of the region of titles: some games print a banner with the type of the card above the name. */
const TITLES_BOTTOM = 0.2

function isInHeader({ box }: PrintedLine): boolean {
  return box.top < TITLES_BOTTOM
}

/** Returns true if a card has the number; false if none was read. */
function hasNumber(cards: readonly ListedCard[], number: string): boolean {
  return (
    number !== '' &&
    cards.some((card) => ['exact', 'partial'].includes(matchNumbers(number, card.number)))
  )
}

/** Returns true if a card of the name is of a game that may print names anywhere. */
function isNamedAnywhere({ cards }: NamedLine): boolean {
  return cards.some(({ game }) => !NAMED_IN_HEADER.has(game.slug))
}

/** Minimum height of a line compared with another one that must not be taller. */
const AS_TALL = 0.8

/** Returns true if another line looks like the title, which was not read: it is tall and in the header. */
function isBelowTitle({ line, name }: NamedLine, lines: readonly PrintedLine[]): boolean {
  return lines.some(
    (other) =>
      other !== line &&
      isInHeader(other) &&
      isLong(other) &&
      !HEADER.test(other.text || 'unread') &&
      cleanTitle(other.text) !== name &&
      other.heightPx * (isInHeader(line) ? AS_TALL : 1) >
        line.heightPx * (isInHeader(line) ? 1 : AS_TALL),
  )
}

/** Minimum ratio of width to height of a title; costs and hit points are shorter. The card is 63 by 88 mm. */
const TITLE_LENGTH_MIN = 2.5
const CARD_RATIO = 63 / 88

function isLong({ box }: PrintedLine): boolean {
  return (box.right - box.left) * CARD_RATIO >= TITLE_LENGTH_MIN * (box.bottom - box.top)
}

/** Minimum height of a name outside of the header, compared with the words of the card. */
const TALLER = 1.15

/** Returns true if a line is in the header, or taller than most lines with words in lower case. */
function isTall({ line }: NamedLine, others: readonly PrintedLine[]): boolean {
  if (isInHeader(line)) return true
  const heights = others
    .filter(({ text }) => /\p{Ll}{3}/u.test(text))
    .map(({ heightPx }) => heightPx)
    .toSorted((one, other) => one - other)
  return line.heightPx >= TALLER * (heights[heights.length >> 1] ?? 0)
}

/** Returns the upper of the tallest lines. */
function upperOfTallest(named: readonly NamedLine[]): NamedLine | undefined {
  return tallestOf(named).toSorted((one, other) => one.line.box.top - other.line.box.top)[0]
}

/** Returns the tallest line, and those of about its height. */
function tallestOf(named: readonly NamedLine[]): NamedLine[] {
  const most = Math.max(...named.map(({ line }) => line.heightPx))
  return named.filter(({ line }) => line.heightPx * TALLER > most)
}

/** Returns the name if all lines state the same one; otherwise an empty string. */
function soleName(named: readonly NamedLine[]): string {
  const [first, ...others] = named
  const isSame = others.every(({ name }) => name.toLowerCase() === first?.name.toLowerCase())
  return first !== undefined && isSame ? first.name : ''
}

/** Returns the name of a card that the catalog lacks: the title at high confidence. */
function otherName(lines: readonly PrintedLine[], confidenceMin: number): string {
  const title = titleLine(lines)
  if (title === undefined || title.legibility < LEGIBLE_MIN || title.script !== 'latin') return ''
  const name = cleanTitle(title.text)
  // The beginning of a name that begins in lower case is hidden.
  if (/^\p{Ll}/u.test(name)) return ''
  const confidence = Math.max(title.confidence, spanConfidence(title.ctc, name))
  return confidence >= confidenceMin ? name : ''
}

/**
 * Returns the title line at any confidence. Otherwise, the name of an attack could be returned if the title is
 * blurred.
 */
function titleLine(lines: readonly PrintedLine[]): PrintedLine | undefined {
  const named = lines.filter(
    ({ kind, text }) => kind === 'name' && (text === '' || !HEADER.test(text)),
  )
  const atHead = named.filter(isInHeader)
  const [tallest, next] = (atHead.length > 0 ? atHead : named).toSorted(
    (one, other) => other.heightPx - one.heightPx,
  )
  if (tallest === undefined || next === undefined || next.heightPx < 0.85 * tallest.heightPx) {
    return tallest
  }
  if (atHead.length === 0) return undefined
  return next.box.top < tallest.box.top ? next : tallest
}

/** Removes hit points, level, stage and symbols. */
export function cleanTitle(text: string): string {
  const name = text
    .replace(/[™®©★☆•_=]/g, ' ')
    .replace(/\bHP\s*[0-9]{2,3}\b|\b[0-9]{2,3}\s*HP\b/, ' ')
    .replace(/\bL[Vv]\.?\s*[0-9]+/, ' ')
    .replace(/^\s*(?:BASIC|STAGE\s*[0-9])\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    // Hit points whose letters were too small to read.
    .replace(/(?<=\p{L}) (?:[3-9]0|[1-3][0-9]0)$/u, '')
    .replace(/^[^\p{L}\p{N}]+$|[\s:;*]+$/gu, '')
  return /\p{L}.*\p{L}/u.test(name) ? name : ''
}
