import type { MigrationKind } from '#rules/catalog/catalog-records.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import { type Db, inTransaction } from '../../db.ts'
import type { RowPage, RowWindow } from '../../rows.ts'
import { openVersionWriter } from '../publication.ts'
import type { CardIdRow, CardMigrationRow } from '../schema/catalog.ts'

/** Id of a card in another system; `printing` is null if the id means the card as a whole. */
export type CardIdRecord = Pick<CardIdRow, 'source' | 'id' | 'printing'>

/** Queries for the ids of cards in other systems. */
export type CardIdStore = {
  /** Returns the card with an id of a source; undefined if no card has it. */
  findCard(source: string, id: string): number | undefined
  /** Returns the ids of each card: the mirror's first, then by source and id. */
  listByCards(cardIds: readonly number[]): Map<number, CardIdRecord[]>
}

export function openCardIdStore(db: Db): CardIdStore {
  const exists = db.prepare<[number], number>('SELECT id FROM cards WHERE id = ?').pluck()
  const find = db
    .prepare<[{ source: string; id: string }], number>(
      `SELECT card_id FROM (
         SELECT card_id FROM card_ids WHERE source = @source AND id = @id
         UNION ALL
         SELECT card_id FROM source_products
          WHERE source = @source AND id = CAST(@id AS INTEGER) AND CAST(id AS TEXT) = @id
       ) JOIN cards ON cards.id = card_id WHERE card_id IS NOT NULL`,
    )
    .pluck()
  const list = db.prepare<[string], CardIdRow>(
    `WITH wanted AS (SELECT value AS card FROM json_each(+?))
     SELECT source, id, card_id, printing FROM (
       SELECT source, id, card_id, printing FROM wanted CROSS JOIN card_ids ON card_id = card
       UNION ALL
       SELECT source, CAST(id AS TEXT), card_id, printing
         FROM wanted CROSS JOIN source_products ON card_id = card WHERE missing_since IS NULL)
      WHERE card_id IS NOT NULL ORDER BY source, length(id), id`,
  )
  return {
    findCard(source, id) {
      if (source !== MIRROR_KIND.source) return find.get({ source, id })
      return /^[1-9]\d{0,15}$/.test(id) ? exists.get(Number(id)) : undefined
    },
    listByCards(cardIds) {
      const known = Map.groupBy(list.all(JSON.stringify(cardIds)), ({ card_id }) => card_id)
      return new Map(
        cardIds.map((card_id) => {
          const own: CardIdRecord = {
            source: MIRROR_KIND.source,
            id: String(card_id),
            printing: null,
          }
          const others = known.get(card_id) ?? []
          return [card_id, [own, ...others.map(({ card_id: _, ...record }) => record)]]
        }),
      )
    },
  }
}

/** An id to store. */
export type NewCardId = Pick<CardIdRow, 'id' | 'card_id' | 'printing'>

/** Writes the ids of an operator's systems, in one transaction with a new version of the catalog. */
export type CardIdWriter = {
  /** Replaces all ids of a source. @returns the ids whose card is not in the catalog, which are skipped */
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

/** A change of a card, as the API returns it. */
export type CardMigrationRecord = Omit<CardMigrationRow, 'created_at'> & {
  /** ISO 8601. */
  created_at: string
}

type CardMigrationFilter = {
  kind: MigrationKind | undefined
  /** Only changes after this time, in epoch milliseconds. */
  since: number | undefined
}

/** Queries for cards that were removed, restored, moved or merged. */
export type CardMigrationStore = {
  /** Returns one page of the changes, newest first. */
  list(filter: CardMigrationFilter, window: RowWindow): RowPage<CardMigrationRecord>
}

export function openCardMigrationStore(db: Db): CardMigrationStore {
  const where = 'FROM card_migrations WHERE kind = ifnull(+@kind, kind) AND created_at > +@since'
  const list = db.prepare<[Question & RowWindow], CardMigrationRow>(
    `SELECT id, kind, card_id, card_name, new_card_id, old_set_id, new_set_id, created_at ${where}
      ORDER BY id DESC LIMIT +@limit OFFSET +@offset`,
  )
  const count = db.prepare<[Question], number>(`SELECT count(*) ${where}`).pluck()
  return {
    list({ kind, since }, window) {
      const question = { kind: kind ?? null, since: since ?? Number.MIN_SAFE_INTEGER }
      const rows = list.all({ ...question, ...window }).map((row) => {
        return { ...row, created_at: new Date(row.created_at).toISOString() }
      })
      return { rows, total: count.get(question) ?? 0 }
    },
  }
}

type Question = { kind: MigrationKind | null; since: number }
