import type { Db } from '../db.ts'

/** The id of a printing's name; a name that was never seen gets the next one. */
export function openPrintingIds(db: Db): (name: string) => number {
  const rows = db.prepare<[], { id: number; name: string }>('SELECT id, name FROM printings')
  const add = db.prepare<[string]>('INSERT INTO printings (name) VALUES (?)')
  const ids = new Map(rows.all().map((row) => [row.name, row.id]))
  return (name) => {
    const known = ids.get(name)
    if (known !== undefined) return known
    const id = Number(add.run(name).lastInsertRowid)
    ids.set(name, id)
    return id
  }
}
