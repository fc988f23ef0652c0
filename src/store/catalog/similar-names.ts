// Which names may be a misspelt one: what of a name a fault leaves as it was.
import { reverseName } from '#rules/catalog/trigrams.ts'

/** Names of these lengths that begin and end like one of three. */
export type SimilarNameParameters = { lengths: string } & Record<
  `${Part}_${'head' | 'tail'}${'' | '_end'}`,
  string
>

const PARTS = ['a', 'b', 'c'] as const

type Part = (typeof PARTS)[number]

/**
 * The names that are alike in one part: `a` is looked for by how it begins, the others by how they
 * end, in an index that has all that is compared.
 */
function alikeSql(part: Part): string {
  const index = part === 'a' ? 'card_names_by_beginning' : 'card_names_by_end'
  return `SELECT place, name FROM card_names INDEXED BY ${index}
           WHERE length(name) IN (SELECT value FROM json_each(+@lengths))
             AND name >= +@${part}_head AND name < +@${part}_head_end
             AND backwards >= +@${part}_tail AND backwards < +@${part}_tail_end`
}

/** The names that are alike in any part, with their places. */
export const SIMILAR_NAMES_SQL = PARTS.map(alikeSql).join(' UNION ')

/**
 * What a name with so many faults must be alike in. One fault leaves the first half, or it is in the
 * first quarter, or in the second one. Two letters that are swapped may stand on both sides of the
 * middle, so the halves leave one between them.
 */
export function similarNameParameters(name: string, faults: 1 | 2): SimilarNameParameters {
  // Whole characters, as SQLite counts them: some take two places of a string.
  const letters = [...name]
  const ends = [...reverseName(name)]
  const { length } = letters
  const [half, quarter] = [Math.floor(length / 2), Math.floor(length / 4)]
  const head = (count: number) => letters.slice(0, count).join('')
  const tail = (count: number) => ends.slice(0, count).join('')
  const afterHalf = length - half - 1
  const parts: Record<Part, { head?: string; tail?: string }> =
    faults === 1
      ? {
          a: { head: head(half) },
          b: { tail: tail(length - quarter - 1) },
          c: { head: head(quarter), tail: tail(afterHalf) },
        }
      : {
          a: { head: head(half) },
          b: { tail: tail(afterHalf) },
          c: { head: head(quarter), tail: tail(quarter) },
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

/** Comes behind every character that a name has. */
export const LAST_CHARACTER = '\u{10ffff}'
