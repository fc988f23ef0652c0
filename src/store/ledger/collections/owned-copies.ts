import type { LedgerEngine } from '../engine/operation.ts'
import type { ListItemRow } from '../schema/collections.ts'

/** Copies of a card in one collection that are alike, and their number. */
export type OwnedCopies = Pick<ListItemRow, 'printing' | 'condition' | 'grade' | 'quantity'> & {
  card_id: number
  collection_id: string
}

/** Items of the collections of an account, not of its wish lists and scan sessions. */
export type OwnedCopyStore = {
  /** Lists the copies of at most OWNED_IDS_MAX cards, and of the cards of a set. */
  list(account_id: number, of: CopyFilter): Promise<OwnedCopies[]>
}

export type CopyFilter = { ids: readonly number[]; set: { id: number; game: string } | undefined }

/** Maximum number of cards in one query. */
export const OWNED_IDS_MAX = 100

export function openOwnedCopyStore(engine: LedgerEngine): OwnedCopyStore {
  const ids = Array.from({ length: OWNED_IDS_MAX }, (_, at) => `id_${at}`)
  // Each part reads an index of its own. An item of both is one row, because it has its id.
  const select = (index: string, condition: string) =>
    `SELECT id, card_id, list_id, printing, condition, grade, quantity
       FROM list_items INDEXED BY ${index}
      WHERE ${condition} AND list_id IN (SELECT lists.id FROM lists
        WHERE account_id = @account_id AND kind = 'owned' AND deleted_at IS NULL)`
  const copies = engine.prepare<[Record<string, string | number | null>], OwnedCopies>(
    `SELECT card_id, list_id AS collection_id, printing, condition, grade,
            CAST(sum(quantity) AS BIGINT) AS quantity
       FROM (${select('list_items_by_set', 'game = @game AND set_id = @set_id')}
             UNION ${select('list_items_by_card', `card_id IN (${ids.map((name) => `@${name}`).join(', ')})`)}) AS items
      GROUP BY card_id, list_id, printing, condition, grade
      ORDER BY card_id, list_id, printing, condition, grade`,
  )

  return {
    list(account_id, { ids: cards, set }) {
      const wanted = Object.fromEntries(ids.map((name, at) => [name, cards[at] ?? null]))
      const ofSet = { game: set?.game ?? null, set_id: set?.id ?? null }
      return engine.query(copies.all({ ...wanted, ...ofSet, account_id }))
    },
  }
}
