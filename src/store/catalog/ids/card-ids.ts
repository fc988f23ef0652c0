import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import type { Db } from '../../db.ts'
import type { CardIdRow } from '../schema/catalog.ts'

/** Id of a card elsewhere; `printing` null: of the card as a whole. */
export type CardIdRecord = Pick<CardIdRow, 'source' | 'id' | 'printing'>

/** Queries for the ids that other systems know cards by. */
export type CardIdStore = {
  /** Returns the card with an id of a source; undefined if none has it. */
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
