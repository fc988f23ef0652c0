import type { Db } from '../db.ts'

/** Names of cards by id; a card that is not there is left out. */
export function openCardNames(db: Db): (ids: readonly number[]) => Map<number, string> {
  // One JSON text: a publication asks for tens of thousands, and rows come over value by value.
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
