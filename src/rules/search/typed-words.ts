// Splits texts into words. Names, set names and queries are split in the same way, so that they match regardless of
// case, accents and punctuation.
import { UNDIVIDED } from '../catalog/names.ts'

/** Text between two spaces. `Lim-Dûl's` is one typed word with two parts. */
export type TypedWord = {
  /** Lower case without accents: `lim-dul's`. */
  text: string
  /** As written between hyphens, slashes and similar signs: `lim`, `dul's`. */
  pieces: readonly string[]
  /** `lim` and `duls`. */
  parts: readonly WordPart[]
  /** All parts joined, `limduls`; undefined if no card can be found by it. */
  squashed: string | undefined
}

export type WordPart = {
  raw: string
  /** Without the leading zeros of a number: `004` is 4. */
  plain: string
}

/** Splits a text into words; an empty list if it has no letter and no digit. */
export function splitIntoWords(text: string): TypedWord[] {
  return (foldText(text).match(COMPOUND) ?? []).map(parseWord)
}

/** Lists the forms by which a word is found: its parts, initials and stems. */
export function listWordForms({ parts, pieces }: TypedWord): Set<string> {
  const forms = new Set<string>()
  for (const { raw, plain } of parts) forms.add(raw).add(plain)
  for (const piece of pieces) {
    if (isInitials(piece)) for (const letter of piece.split('.')) forms.add(letter)
    if (piece.includes("'")) for (const word of piece.split('.')) addStems(forms, word)
  }
  return forms
}

/** Converts to lower case, removes Latin, Greek and Cyrillic accents, and unifies apostrophes and hyphens. */
export function foldText(text: string): string {
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

// Letters and digits, with single signs between them.
const COMPOUND = /[\p{L}\p{M}\p{N}]+(?:['./:_-][\p{L}\p{M}\p{N}]+)*/gu

function parseWord(text: string): TypedWord {
  if (/^[a-z0-9]+$/.test(text)) {
    const part = { raw: text, plain: withoutZeros(text) }
    return { text, pieces: [text], parts: [part], squashed: undefined }
  }
  const pieces = text.split(/[/:_-]/)
  const parts = pieces.flatMap(splitPiece).map((raw) => ({ raw, plain: withoutZeros(raw) }))
  return { text, pieces, parts, squashed: squash(parts) }
}

/** `u.s.s` is one word, `vol.2` is two, and so are letters of two scripts (`テツノイワオex`). */
function splitPiece(piece: string): string[] {
  const words = isInitials(piece) ? [piece.replaceAll('.', '')] : piece.split('.')
  return words.flatMap((word) => word.replaceAll("'", '').split(SCRIPT_CHANGE))
}

function isInitials(piece: string): boolean {
  return piece.includes('.') && /^\p{L}(?:\.\p{L})+$/u.test(piece)
}

const EASTERN = '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}ー]'
const SCRIPT_CHANGE = new RegExp(`(?<=${EASTERN})(?=[a-z0-9])|(?<=[a-z0-9])(?=${EASTERN})`, 'u')

function withoutZeros(word: string): string {
  return word.startsWith('0') && isDigits(word) ? word.replace(/^0+(?=[0-9])/, '') : word
}

function isDigits(word: string): boolean {
  return /^[0-9]+$/.test(word)
}

function squash(parts: readonly WordPart[]): string | undefined {
  // Nobody types the number 139/195 as 139195.
  if (parts.length === 1 || parts.every(({ raw }) => isDigits(raw))) return undefined
  return parts.map(({ raw }) => raw).join('')
}

/** `dul's` is also found by `dul`, and `d'avenant` by `avenant`. */
function addStems(forms: Set<string>, word: string): void {
  const [first = '', ...more] = word.split("'")
  forms.add(first)
  for (const stem of more) if (stem !== 's') forms.add(stem)
}
