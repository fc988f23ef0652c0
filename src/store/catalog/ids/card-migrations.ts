import type { MigrationKind } from '#rules/catalog/card-migration.ts'
import type { Db } from '../../db.ts'
import type { RowPage, RowWindow } from '../../rows.ts'
import type { CardMigrationRow } from '../schema/catalog.ts'

/** A change of a card, as the API returns it. */
export type CardMigrationRecord = Omit<CardMigrationRow, 'created_at'> & {
  /** ISO 8601. */
  created_at: string
}

export type CardMigrationFilter = {
  kind: MigrationKind | undefined
  /** Only changes after this time, in epoch milliseconds. */
  since: number | undefined
}

/** Queries for cards that were removed, restored, moved or merged. */
export type CardMigrationStore = {
  /** Returns one page of them, newest first. */
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
