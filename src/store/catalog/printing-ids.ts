import type { Db } from '../db.ts'

/** The id of a printing's name; a name that was never seen gets the next one. */
export function openPrintingIds(db: Db): (name: string) => number {
  const find = db.prepare<[string], number>('SELECT id FROM printings WHERE name = ?').pluck()
  const add = db.prepare<[string]>('INSERT INTO printings (name) VALUES (?)')
  const ids = new Map<string, number>()
  return (name) => {
    const known = ids.get(name)
    if (known !== undefined) return known
    const id = find.get(name) ?? Number(add.run(name).lastInsertRowid)
    ids.set(name, id)
    return id
  }
}
