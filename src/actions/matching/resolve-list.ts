import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { type ListEntry, parseList } from '#rules/matching/parse-list.ts'
import { LINE_LENGTH_MAX, parseListLine } from '#rules/matching/parse-list-line.ts'
import { parseQuantity } from '#rules/matching/parse-quantity.ts'
import { detectEncoding } from '#rules/primitives/csv-dialect.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { findGame } from '../catalog/find-game.ts'
import { type ResolvedRow, type RowSearch, resolveSearches } from './resolve-collection.ts'

export type ListOptions = {
  /** Slug of the game of all lines; without one, all games are searched. */
  game?: string | undefined
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
  { game, rowsMax = Number.POSITIVE_INFINITY }: ListOptions = {},
): AsyncGenerator<ResolvedRow> {
  const slug = findGame(deps, game)?.slug
  const entries = typeof list === 'string' ? await readList(list, { rowsMax }) : list
  yield* resolveSearches(deps, entries, (entry) => searchFor(entry, slug))
}

/**
 * Reads the lines with cards of a list. Yields to the event loop.
 *
 * @throws ServiceError VALIDATION_ERROR without any, TOO_MANY_ITEMS
 */
export async function readList(
  list: string,
  { rowsMax = Number.POSITIVE_INFINITY }: Pick<ListOptions, 'rowsMax'> = {},
): Promise<ListEntry[]> {
  const entries: ListEntry[] = []
  let lines = 0
  for (const entry of parseList(list)) {
    if (++lines % LINES_A_TURN === 0) await nextTurn()
    if (entry === undefined) continue
    entries.push(entry)
    if (entries.length <= rowsMax) continue
    throw new ServiceError(
      'TOO_MANY_ITEMS',
      `Send at most ${rowsMax} lines with cards in one request. The list has more: split it.`,
    )
  }
  if (entries.length > 0) return entries
  throw new ServiceError(
    'VALIDATION_ERROR',
    'The list has no line with a card. Send one card a line, such as "4 Absol ROS 40".',
  )
}

/** Decodes a list from UTF-8, UTF-16 or Windows-1252. */
export function decodeList(bytes: Uint8Array): string {
  return new TextDecoder(detectEncoding(bytes)).decode(bytes)
}

/** A thousand short lines take some milliseconds. */
const LINES_A_TURN = 500

function searchFor({ row, section, text }: ListEntry, game: string | undefined): RowSearch {
  // A long line is not resolved, and only its beginning is returned.
  const isTooLong = text.length > LINE_LENGTH_MAX
  const name = text.slice(0, LINE_LENGTH_MAX)
  const quantity = String(parseListLine(name).quantity)
  const unknown = { game: null, set_code: null, set_name: null, number: null, printing: null }
  return {
    input: { row, name, ...unknown, quantity, product_id: null },
    section,
    quantity: parseQuantity(quantity),
    queries: isTooLong ? [] : [{ name, game }],
    misses: isTooLong ? ['line_too_long'] : [],
    notes: [],
  }
}
