import { normalizeName } from '../catalog/trigrams.ts'
import { type HoldingColumns, parseHoldingHeader } from '../collections/holding-columns.ts'
import { parseCollectionHeader } from './collection-columns.ts'

/** A column of a file, and what it was used for. */
export type ColumnUse = {
  header: string
  /** A field such as `name`; `unknown_quantity` for one that looks like a quantity; null if it was not used. */
  use: string | null
}

/** Columns after these are not listed: real files have thirty. */
const COLUMNS_MAX = 100
const HEADER_CHARACTERS_MAX = 60

/**
 * Lists what the columns of a file are used for when its cards are found.
 *
 * @throws ServiceError VALIDATION_ERROR as `parseCollectionHeader`
 */
export function listColumnUses(header: readonly string[]): ColumnUse[] {
  return header.length === 0 ? [] : createList(header, listCardUses(header))
}

/** Like `listColumnUses`, with the facts about copies that an import keeps. */
export function listImportUses(header: readonly string[]): ColumnUse[] {
  if (header.length === 0) return []
  const uses = listCardUses(header)
  for (const [index, use] of listHoldingUses(parseHoldingHeader(header))) {
    if (!uses.has(index)) uses.set(index, use)
  }
  return createList(header, uses)
}

function createList(header: readonly string[], uses: ReadonlyMap<number, string>): ColumnUse[] {
  return header.slice(0, COLUMNS_MAX).map((name, index) => ({
    header: [...name.trim()].slice(0, HEADER_CHARACTERS_MAX).join(''),
    use: uses.get(index) ?? null,
  }))
}

function listCardUses(header: readonly string[]): Map<number, string> {
  const { fields, counts, flags, conditions, ownership } = parseCollectionHeader(header)
  const uses = new Map<number, string>()
  for (const [field, indexes] of fields) for (const index of indexes) uses.set(index, field)
  for (const { index } of counts.counts) uses.set(index, 'quantity')
  for (const { index } of flags) uses.set(index, 'printing')
  for (const index of conditions) uses.set(index, 'condition')
  for (const { index } of ownership) uses.set(index, 'ownership')
  for (const index of counts.unknown) {
    if (!TRADED.test(normalizeName(header[index] ?? ''))) uses.set(index, 'unknown_quantity')
  }
  return uses
}

/** Copies that are offered or wanted are not additional ones. */
const TRADED = /trade|wish|want|addto/

function listHoldingUses({ indexes }: HoldingColumns): [number, string][] {
  return [...indexes].flatMap(([field, columns]) =>
    columns.map((index): [number, string] => [index, field]),
  )
}
