import { findMigrationKind, type MigrationKind } from '#rules/catalog/catalog-records.ts'
import type { Db } from '../../db.ts'

/** Records which cards of a set are removed, restored, moved or merged while a publication writes the set. */
export type MigrationRecorder = {
  /** Returns the cards among `ids` that are missing or in another set; call it before they are written. */
  findChanged(setId: number, ids: readonly number[]): ChangedCard[]
  /** Records cards that were missing or elsewhere, after they are written. */
  addListed(setId: number, before: readonly ChangedCard[], now: Date): void
  /** Records a card that the mirror no longer lists, after all cards of its set are written or marked as missing. */
  addRemoved(cardId: number, now: Date): void
}

/** Former state of a written card. */
export type ChangedCard = { id: number; set_id: number; is_missing: boolean }

export function openMigrationRecorder(db: Db): MigrationRecorder {
  // Returns one JSON text per set, which is usually empty.
  const changed = db
    .prepare<[string, number], string>(
      `SELECT json_group_array(json_array(cards.id, set_id, missing_since IS NOT NULL))
         FROM json_each(?) AS wanted CROSS JOIN cards ON cards.id = wanted.value
        WHERE missing_since IS NOT NULL OR set_id <> ?`,
    )
    .pluck()
  const replacement = db
    .prepare<[number], number>(
      `SELECT other.id FROM cards AS gone
         JOIN cards AS other ON other.set_id = gone.set_id AND other.name = gone.name
              AND other.number IS gone.number
        WHERE gone.id = ? AND other.id <> gone.id AND other.missing_since IS NULL
        ORDER BY other.id DESC LIMIT 1`,
    )
    .pluck()
  const add = db.prepare<[NewMigration]>(
    `INSERT INTO card_migrations (kind, card_id, card_name, new_card_id, old_set_id, new_set_id, created_at)
     SELECT @kind, id, name, @new_card_id, @old_set_id, @new_set_id, @created_at
       FROM cards WHERE id = @card_id`,
  )
  // A card that one set lost and another one gained was moved, regardless of the order in which the sets are written.
  const withdraw = db.prepare<[number, number]>(
    `DELETE FROM card_migrations
      WHERE card_id = ? AND created_at = ? AND kind IN ('removed', 'merged')`,
  )

  function put(kind: MigrationKind, card_id: number, now: Date, more: Partial<NewMigration>): void {
    const none = { new_card_id: null, old_set_id: null, new_set_id: null }
    add.run({ ...none, ...more, kind, card_id, created_at: now.getTime() })
  }

  return {
    findChanged(setId, ids) {
      const found: [id: number, set_id: number, is_missing: 0 | 1][] = JSON.parse(
        changed.get(JSON.stringify(ids), setId) ?? '[]',
      )
      return found.map(([id, set_id, is_missing]) => ({ id, set_id, is_missing: is_missing === 1 }))
    },
    addListed(setId, before, now) {
      for (const card of before) {
        const kind = findMigrationKind(card, setId)
        if (kind === undefined) continue
        withdraw.run(card.id, now.getTime())
        const sets = kind === 'moved' ? { old_set_id: card.set_id, new_set_id: setId } : {}
        put(kind, card.id, now, sets)
      }
    },
    addRemoved(cardId, now) {
      const new_card_id = replacement.get(cardId)
      if (new_card_id === undefined) put('removed', cardId, now, {})
      else put('merged', cardId, now, { new_card_id })
    },
  }
}

type NewMigration = {
  kind: MigrationKind
  card_id: number
  new_card_id: number | null
  old_set_id: number | null
  new_set_id: number | null
  created_at: number
}
