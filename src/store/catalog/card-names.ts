import type { Db } from '../db.ts'

/** Prepares the names of cards by id; ids that are not in the catalog are left out. */
export function openCardNames(db: Db): (ids: readonly number[]) => Map<number, string> {
  // Returns one JSON text: a publication reads tens of thousands, and rows cross the driver value
  // by value.
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
