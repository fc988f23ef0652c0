import { type Db, inTransaction } from '../../db.ts'
import type { CardIdRow } from '../schema/catalog.ts'
import { openVersionWriter } from '../versions.ts'

/** An id to be stored. */
export type NewCardId = Pick<CardIdRow, 'id' | 'card_id' | 'printing'>

/** Writes the ids of an operator's systems, in one transaction and a new version of the catalog. */
export type CardIdWriter = {
  /** Replaces all ids of a source. @returns the ids of cards that the catalog does not have, which are left out */
  replace(source: string, ids: readonly NewCardId[], now: Date): string[]
}

export function openCardIdWriter(db: Db): CardIdWriter {
  const versions = openVersionWriter(db)
  const clear = db.prepare<[string]>('DELETE FROM card_ids WHERE source = ?')
  const put = db.prepare<[CardIdRow]>(
    `INSERT INTO card_ids (source, id, card_id, printing)
     SELECT @source, @id, id, @printing FROM cards WHERE id = @card_id
     ON CONFLICT DO UPDATE SET card_id = excluded.card_id, printing = excluded.printing`,
  )
  return {
    replace: (source, ids, now) =>
      inTransaction(db, () => {
        clear.run(source)
        const unknown = ids.filter((one) => put.run({ source, ...one }).changes === 0)
        versions.put(versions.next(), now, '')
        return unknown.map(({ id }) => id)
      }),
  }
}
