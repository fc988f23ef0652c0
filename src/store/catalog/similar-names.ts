// Selects candidates for a misspelled name by the parts that its errors leave intact.
import { reverseName } from '#rules/catalog/trigrams.ts'
import type { Db } from '../db.ts'

/** Bounds for names with these lengths and one of three combinations of beginning and end. */
export type SimilarNameParameters = { lengths: string } & Record<
  `${Part}_${'head' | 'tail'}${'' | '_end'}`,
  string
>

const PARTS = ['a', 'b', 'c'] as const

type Part = (typeof PARTS)[number]

/** Selects names that agree in one part, from an index that contains all compared columns. */
function alikeSql(part: Part): string {
  const index = part === 'a' ? 'card_names_by_beginning' : 'card_names_by_end'
  return `SELECT place, name FROM card_names INDEXED BY ${index}
           WHERE length(name) IN (SELECT value FROM json_each(+@lengths))
             AND name >= +@${part}_head AND name < +@${part}_head_end
             AND backwards >= +@${part}_tail AND backwards < +@${part}_tail_end`
}

/** Selects names that agree in any part, with their places. */
export const SIMILAR_NAMES_SQL = PARTS.map(alikeSql).join(' UNION ')

/**
 * Returns the parts in which a name must agree. One error leaves the first half intact, or it is in the first or the
 * second quarter. Transposed letters may be on both sides of the middle, so the halves omit one letter.
 */
export function similarNameParameters(name: string, faults: 1 | 2): SimilarNameParameters {
  // Splits into code points, as SQLite counts them.
  const letters = [...name]
  const ends = [...reverseName(name)]
  const { length } = letters
  const [half, quarter] = [Math.floor(length / 2), Math.floor(length / 4)]
  const head = (count: number) => letters.slice(0, count).join('')
  const tail = (count: number) => ends.slice(0, count).join('')
  const afterHalf = length - half - 1
  const [b, c] = faults === 1 ? [length - quarter - 1, afterHalf] : [afterHalf, quarter]
  const parts: Record<Part, { head?: string; tail?: string }> = {
    a: { head: head(half) },
    b: { tail: tail(b) },
    c: { head: head(quarter), tail: tail(c) },
  }
  const lengths = Array.from({ length: 2 * faults + 1 }, (_, at) => length - faults + at)
  const bounds = Object.entries(parts).flatMap(([part, { head = '', tail = '' }]) => [
    [`${part}_head`, head],
    [`${part}_head_end`, head + LAST_CHARACTER],
    [`${part}_tail`, tail],
    [`${part}_tail_end`, tail + LAST_CHARACTER],
  ])
  return { lengths: JSON.stringify(lengths), ...Object.fromEntries(bounds) }
}

/** Sorts after every character of a name. */
export const LAST_CHARACTER = '\u{10ffff}'

/** Prepares the names of cards by id; ids that are not in the catalog are omitted. */
export function openCardNames(db: Db): (ids: readonly number[]) => Map<number, string> {
  // Returns one JSON text, because a publication reads tens of thousands, and rows cross the driver value by value.
  const names = db
    .prepare<[string], string>(
      `SELECT json_group_array(json_array(id, name)) FROM cards
        WHERE id IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
  return (ids) => {
    const rows: [id: number, name: string][] = JSON.parse(names.get(JSON.stringify(ids)) ?? '[]')
    return new Map(rows)
  }
}
