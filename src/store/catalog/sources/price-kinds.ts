import type { PriceKind } from '#rules/pricing/price-key.ts'
import type { Db } from '../../db.ts'
import { openPrintingStore } from '../printings.ts'
import type { PriceKindRow } from '../schema/pricing.ts'

/** Kinds of prices of further sources, by number. There are some hundred. */
export type PriceKindStore = {
  /** Returns the number of a kind; undefined if it has none yet. */
  findId(kind: PriceKind): number | undefined
  /** Returns the number of a kind, and adds the kind if it is new. */
  getOrCreateId(kind: PriceKind): number
  /** Returns the kind of a number. */
  get(id: number): PriceKind
}

export function openPriceKindStore(db: Db): PriceKindStore {
  const printings = openPrintingStore(db)
  const list = db.prepare<[], PriceKindRow>(
    'SELECT id, printing_id, source, currency, condition, grade FROM price_kinds',
  )
  const add = db.prepare<[Omit<PriceKindRow, 'id'>]>(
    `INSERT INTO price_kinds (printing_id, source, currency, condition, grade)
     VALUES (@printing_id, @source, @currency, @condition, @grade)`,
  )
  const kinds = new Map<number, PriceKind>()
  const ids = new Map<string, number>()

  function remember(id: number, kind: PriceKind): void {
    kinds.set(id, kind)
    ids.set(keyOf(kind), id)
  }

  /** Reads kinds that another process, or a rolled back transaction, has changed. */
  function load(): void {
    kinds.clear()
    ids.clear()
    for (const { id, printing_id, ...kind } of list.all()) {
      remember(id, { printing: printings.getName(printing_id), ...kind })
    }
  }

  function findId(kind: PriceKind): number | undefined {
    const known = ids.get(keyOf(kind))
    if (known !== undefined) return known
    load()
    return ids.get(keyOf(kind))
  }

  return {
    findId,
    getOrCreateId(kind) {
      const known = findId(kind)
      if (known !== undefined) return known
      const { printing, source, currency, condition, grade } = kind
      const printing_id = printings.getOrCreateId(printing)
      const id = Number(
        add.run({ printing_id, source, currency, condition, grade }).lastInsertRowid,
      )
      remember(id, kind)
      return id
    },
    get(id) {
      if (!kinds.has(id)) load()
      const kind = kinds.get(id)
      if (kind === undefined) throw new Error(`price kind ${id} not found`)
      return kind
    },
  }
}

function keyOf({ printing, source, currency, condition, grade }: PriceKind): string {
  return JSON.stringify([source, currency, printing, condition, grade])
}
