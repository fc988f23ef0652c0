import type { LedgerEngine } from '../engine/operation.ts'
import type { ListItemRow, ListRow } from '../schema/collections.ts'
import { hasCard, type ItemCard } from './list-items.ts'

type CopiesRow = Pick<
  ListItemRow,
  'card_id' | 'printing' | 'condition' | 'grade' | 'language' | 'quantity'
> & { collection_id: string }

/** Copies of a card in one collection that are alike, and their number. */
export type OwnedCopies = CopiesRow & Pick<ItemCard, 'card_id'>

/** Items of the collections of an account, not of its wish lists and scan sessions. */
export type OwnedCopyStore = {
  /** Lists the copies of at most OWNED_IDS_MAX cards, in any order. @param limit maximum number of rows */
  list(account_id: number, cards: readonly number[], limit: number): Promise<OwnedCopies[]>
  /** Lists the ids of collections, ascending. @param after last id of the part before; empty for the first part */
  listCollections(account_id: number, after: string, limit: number): Promise<string[]>
  /** Lists the different cards of a collection, ascending. @param after last card of the part before, or 0 */
  listCards(collection_id: string, after: number, limit: number): Promise<number[]>
}

/** Maximum number of cards in one query. */
export const OWNED_IDS_MAX = 100

export function openOwnedCopyStore(engine: LedgerEngine): OwnedCopyStore {
  const ids = Array.from({ length: OWNED_IDS_MAX }, (_, at) => `id_${at}`)
  const copies = engine.prepare<[Record<string, number | null>], CopiesRow>(
    `SELECT card_id, list_id AS collection_id, printing, condition, grade, language,
            CAST(sum(quantity) AS BIGINT) AS quantity
       FROM list_items INDEXED BY list_items_by_card
      WHERE card_id IN (${ids.map((name) => `@${name}`).join(', ')})
        AND list_id IN (SELECT lists.id FROM lists
              WHERE account_id = @account_id AND kind = 'owned' AND deleted_at IS NULL)
      GROUP BY card_id, list_id, printing, condition, grade, language
      LIMIT @limit`,
  )

  const lists = engine.prepare<[{ account_id: number; after: string; limit: number }], Identified>(
    `SELECT id FROM lists
      WHERE account_id = @account_id AND kind = 'owned' AND deleted_at IS NULL AND id > @after
      ORDER BY id LIMIT @limit`,
  )
  const cardsOfList = engine.prepare<[{ list_id: string; after: number; limit: number }], HeldCard>(
    `SELECT DISTINCT card_id FROM list_items INDEXED BY list_items_by_card
      WHERE list_id = @list_id AND card_id > @after ORDER BY card_id LIMIT @limit`,
  )

  return {
    async list(account_id, cards, limit) {
      const wanted = Object.fromEntries(ids.map((name, at) => [name, cards[at] ?? null]))
      const rows = await engine.query(copies.all({ ...wanted, account_id, limit }))
      return rows.filter(hasCard)
    },
    async listCollections(account_id, after, limit) {
      const rows = await engine.query(lists.all({ account_id, after, limit }))
      return rows.map(({ id }) => id)
    },
    async listCards(list_id, after, limit) {
      const rows = await engine.query(cardsOfList.all({ list_id, after, limit }))
      return rows.filter(hasCard).map(({ card_id }) => card_id)
    },
  }
}

type Identified = Pick<ListRow, 'id'>

type HeldCard = Pick<ListItemRow, 'card_id'>
