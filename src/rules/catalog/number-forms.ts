// The forms in which a catalog may list the number that is printed on a card.
import { numberKey } from './names.ts'

/**
 * Best first, each once. Forms whose keys (numberKey) are equal count as one, so leading zeros are
 * not tried. A catalog lists the number as printed, or without the set's total ("4/102" as "4"), or
 * without the code before it ("SVP 044" as "044"), or with a mark of its own for another printing.
 */
export function numberForms(printed: string): string[] {
  const plain = numberSpellings(printed)
  const bare = plain.flatMap((form) => withoutTotal(form) ?? [])
  const marked = [...plain, ...bare].flatMap(withMarks)
  return onePerKey([...plain, ...bare, ...marked])
}

/** As it stands, and where a code stands apart before it: joined to it, and without it. */
export function numberSpellings(number: string): string[] {
  const [, code, rest] = /^\s*(\p{L}+)\s+([0-9].*)$/u.exec(number) ?? []
  return code === undefined || rest === undefined ? [number] : [number, code + rest, rest]
}

/**
 * A listed number without what the catalog added to tell printings apart, which no card shows:
 * OP07-080_p1 is another art of OP07-080, _r1 a reprint, Magic's 128s and 153p the stamped ones of a
 * prerelease and of a promo pack, 8★ the foil, 94sb of a sideboard, and behind 101/078 may stand its
 * rarity.
 */
export function withoutMarks(listed: string): string {
  return listed.trim().replace(/(?<=[0-9])(?:_[a-z][0-9]+|s?[★†]|sb?|p| [A-Z]{1,3})$/, '')
}

/**
 * Whether a number that somebody wrote may be a listed one: leading zeros make no difference, and the
 * total behind the slash counts only where both have it ("4" is "004/102", "4/102" is not "4/110").
 */
export function isSameNumber(written: string, listed: string): boolean {
  const full = (number: string) => numberSpellings(number).map(numberKey)
  const own = (number: string) => numberSpellings(number).map((one) => numberKey(ownPart(one)))
  const haveBoth = withoutTotal(written) !== undefined && withoutTotal(listed) !== undefined
  const [mine, theirs] = haveBoth ? [full(written), full(listed)] : [own(written), own(listed)]
  return mine.some((key) => theirs.includes(key))
}

function ownPart(form: string): string {
  return withoutTotal(form) ?? form
}

function withoutTotal(form: string): string | undefined {
  // "SAO/S20-E001" is one number, and its first part none.
  return /^([^/\s]*[0-9][^/\s]*)\/[^/]+$/.exec(form)?.[1]
}

/** Alternate arts and reprints of numbers with a set's code before, up to as many as there are. */
const CODED_MARKS = ['_p1', '_p2', '_p3', '_p4', '_p5', '_p6', '_p7', '_p8', '_p9', '_r1', '_r2']
const PLAIN_MARKS = ['s', 'p', '★', 's★', '†']

function withMarks(form: string): string[] {
  const marks = /^[A-Z]+[0-9]*-[0-9]+$/.test(form)
    ? CODED_MARKS
    : /^[0-9]+$/.test(form)
      ? PLAIN_MARKS
      : []
  return marks.map((mark) => form + mark)
}

function onePerKey(forms: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const form of forms) {
    const key = numberKey(form)
    if (/[\p{L}\p{N}]/u.test(form) && !byKey.has(key)) byKey.set(key, form)
  }
  return [...byKey.values()]
}
