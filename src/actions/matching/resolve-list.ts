import type { Deps } from '#deps.ts'
import type { ListEntry } from '#rules/matching/parse-list.ts'
import { LINE_LENGTH_MAX, parseListLine } from '#rules/matching/parse-list-line.ts'
import { parseQuantity } from '#rules/matching/quantity-columns.ts'
import { findGame } from '../catalog/find-game.ts'
import { readList } from './parse-collection.ts'
import { type MatchOptions, resolveSearches } from './resolve-collection.ts'
import type { ResolvedRow, RowSearch } from './resolved-row.ts'

/** Without the game of all lines, all games are searched. */
export type ListOptions = MatchOptions & {
  /** Maximum number of lines with cards. */
  rowsMax?: number
}

/**
 * Finds the card and the value of each line of a pasted list, in order. Yields to the event loop.
 *
 * @param list text of the list, or the entries that `readList` found in it
 * @throws ServiceError INVALID_GAME, and those of `readList`
 */
export async function* resolveList(
  deps: Pick<Deps, 'catalog'>,
  list: string | readonly ListEntry[],
  { game, prefer, rowsMax = Number.POSITIVE_INFINITY }: ListOptions = {},
): AsyncGenerator<ResolvedRow> {
  const slug = findGame(deps, game)?.slug
  const entries = typeof list === 'string' ? await readList(list, { rowsMax }) : list
  yield* resolveSearches(deps, entries, {
    searchFor: (entry) => searchFor(entry, slug),
    prefer,
  })
}

function searchFor({ row, section, text }: ListEntry, game: string | undefined): RowSearch {
  // A long line is not resolved, and only its beginning is returned.
  const isTooLong = text.length > LINE_LENGTH_MAX
  const name = text.slice(0, LINE_LENGTH_MAX)
  const quantity = String(parseListLine(name).quantity)
  const unknown = { game: null, set_code: null, set_name: null, number: null, printing: null }
  return {
    input: {
      row,
      name,
      ...unknown,
      quantity,
      product_id: null,
      cardmarket_id: null,
      left_out: null,
    },
    section,
    game,
    quantity: parseQuantity(quantity),
    query: isTooLong ? undefined : { name, game },
    ...(isTooLong && { miss: 'line_too_long' }),
    notes: [],
  }
}
