import { numberKey } from '../../catalog/names.ts'
import { normalizeName } from '../../catalog/trigrams.ts'

/** Parts of a name, of a product or of a card. */
export type NameParts = {
  /** Title without case, accents and punctuation. */
  key: string
  /** Normalized names of the attacks in brackets. */
  attacks: readonly string[]
  /** Version: 2 in "(V.2)"; null without one. */
  version: number | null
  /** Collector number in parentheses or after a hyphen; null without one. */
  number: string | null
  /** Normalized further additions in parentheses, such as a color or an art. */
  labels: readonly string[]
}

/** Parses the name of a card: "Bidoof - 73/123", "Pounce (Red)", "Unown [A]". */
export function parseCardName(name: string): NameParts {
  return parseParts(name, [])
}

/** Parses the name of a product: "Weedle [Multiply] (V.2)", "Monkey.D.Luffy (OP01-003)". */
export function parseProductName(name: string): NameParts {
  // A name may contain brackets itself; the attacks are in the last ones.
  const [, title = name, list = '', rest = ''] = ATTACKS.exec(name) ?? []
  return parseParts(title + rest, list.split('|').map(normalizeTitle).filter(Boolean))
}

const ATTACKS = /^(.*\S)\s*\[([^\]]{2,})\](.*)$/

function parseParts(name: string, attacks: readonly string[]): NameParts {
  const labels: string[] = []
  let number: string | null = null
  let version: number | null = null
  const title = name
    .replace(VERSION, (_, digits: string) => {
      version = Number(digits)
      return ' '
    })
    .replace(/\(([^()]*)\)|\[([^[\]]*)\]/g, (_, round: string = '', square: string = '') => {
      const text = (round || square).trim()
      if (NUMBER.test(text)) number = text
      else labels.push(normalizeTitle(text))
      return ' '
    })
    .replace(/\s-\s([\w-]*\d[\w/-]*)\s*$/, (_, text: string) => {
      number ??= text
      return ' '
    })
  const key = normalizeTitle(title)
  // A name that consists only of additions: "(Untitled)".
  if (key === '') {
    return { key: normalizeTitle(name), attacks, version: null, number: null, labels: [] }
  }
  return { key, attacks, version, number, labels: labels.filter(Boolean) }
}

/** Normalizes a title. Symbols that distinguish cards become letters. */
export function normalizeTitle(text: string): string {
  const spelled = text
    .replace(/&/g, ' and ')
    .replace(/♂/g, ' m ')
    .replace(/♀/g, ' f ')
    .replace(/\+/g, ' plus ')
  return /[\p{L}\p{N}]/u.test(spelled) ? normalizeName(spelled) : text.trim()
}

const VERSION = /\s*\(?\bV\.?\s?(\d{1,2})\b\)?\s*$/i

const NUMBER = /^(?=.*\d)[\p{L}\d]{0,6}[-\s]?[\p{L}\d]*\d[\p{L}\d]*(?:[/_][\p{L}\d]+)*$/u

/** Position of a card in its set: the letters of its number, and its digits as a number. */
export type NumberPosition = { series: string; value: number }

/** Parses `139/195`, `SWSH172` and `OP13-089_p1`; undefined without digits. */
export function parsePosition(number: string | null): NumberPosition | undefined {
  const own = (number ?? '').split('/')[0] ?? ''
  const [, series = '', digits, mark] = /^(.*?)(\d+)(?:_[a-z](\d+))?\D*$/i.exec(own.trim()) ?? []
  if (digits === undefined) return undefined
  // An alternate art comes between its number and the next one.
  return { series: series.toUpperCase(), value: Number(digits) + Number(mark ?? 0) / 100 }
}

/** Returns the order of a set's cards. */
export function compareNumbers(
  a: { number: string | null; id: number },
  b: { number: string | null; id: number },
): number {
  const [first, second] = [numberKey(a.number), numberKey(b.number)]
  if (first !== second) return first < second ? -1 : 1
  return a.id - b.id
}
