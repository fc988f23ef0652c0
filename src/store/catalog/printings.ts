import type { Db } from '../db.ts'

/** Names and ids of printings, cached in memory. */
export type PrintingStore = {
  /** Returns the id of a name; undefined if no printing has it. */
  findId(printing: string): number | undefined
  /** Returns the id of a name, and adds the name if it is new. */
  getOrCreateId(printing: string): number
  /** Returns the name of an id. */
  getName(id: number): string
}

export function openPrintingStore(db: Db): PrintingStore {
  const find = db.prepare<[string], number>('SELECT id FROM printings WHERE name = ?').pluck()
  const add = db.prepare<[string]>('INSERT INTO printings (name) VALUES (?)')
  const name = db.prepare<[number], string>('SELECT name FROM printings WHERE id = ?').pluck()
  const ids = new Map<string, number>()
  const names = new Map<number, string>()

  function remember(id: number, of: string): void {
    ids.set(of, id)
    names.set(id, of)
  }

  function findId(printing: string): number | undefined {
    const known = ids.get(printing)
    if (known !== undefined) return known
    const id = find.get(printing)
    if (id !== undefined) remember(id, printing)
    return id
  }

  return {
    findId: findId,
    getOrCreateId(printing) {
      const known = findId(printing)
      if (known !== undefined) return known
      const id = Number(add.run(printing).lastInsertRowid)
      remember(id, printing)
      return id
    },
    getName(id) {
      const known = names.get(id)
      if (known !== undefined) return known
      const found = name.get(id)
      if (found === undefined) throw new Error(`printing ${id} not found`)
      remember(id, found)
      return found
    },
  }
}
