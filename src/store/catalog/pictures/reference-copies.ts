// References in copies of the picture index, for photo workers. On a server they come from the ledger.
import type { LearnedReference } from '#rules/photos/picture-index/learned-references.ts'
import type { Db } from '../../db.ts'

/** The references in use, and their version in the ledger. */
export type StoredReferences = { version: number; references: readonly LearnedReference[] }

/** Adds the references to a copy of the index. The caller provides the transaction. */
export function writeReferences(db: Db, { version, references }: StoredReferences): void {
  db.exec(
    'CREATE TABLE reference_copies (card_id INTEGER, game_id INTEGER, giver INTEGER, vector BLOB, hash BLOB)',
  )
  const add = db.prepare<[number, number, number, Buffer, Buffer]>(
    'INSERT INTO reference_copies VALUES (?, ?, ?, ?, ?)',
  )
  for (const { card_id, game_id, giver, vector, hash } of references) {
    add.run(card_id, game_id, giver, Buffer.from(vector), Buffer.from(hash))
  }
  db.pragma(`user_version = ${version}`)
}

/** The references of a copy of the index. */
export type ReferenceCopy = {
  getVersion(): number
  listReferences(): LearnedReference[]
}

/** Opens the references of a copy of the index; none in a catalog, which does not have the table. */
export function openReferenceCopy(db: Db): ReferenceCopy {
  const isCopy = db
    .prepare<[], number>("SELECT 1 FROM sqlite_schema WHERE name = 'reference_copies'")
    .pluck()
  if (isCopy.get() === undefined) return { getVersion: () => 0, listReferences: () => [] }
  const version = db.prepare<[], number>('PRAGMA user_version').pluck()
  const rows = db.prepare<[], StoredRow>(
    'SELECT card_id, game_id, giver, vector, hash FROM reference_copies',
  )
  return {
    getVersion: () => version.get() ?? 0,
    listReferences: () =>
      rows.all().map(({ card_id, game_id, giver, vector, hash }) => ({
        card_id,
        game_id,
        giver,
        vector: new Int8Array(vector),
        hash: new Uint8Array(hash),
      })),
  }
}

type StoredRow = Pick<LearnedReference, 'card_id' | 'game_id' | 'giver'> & {
  vector: Buffer
  hash: Buffer
}
