import type { RowPage, RowWindow } from '../rows.ts'
import type { LedgerEngine } from './engine/operation.ts'
import type { AccountRow } from './schema/accounts.ts'
import type { CardReferenceRow } from './schema/photos.ts'

/** A reference with the address and the roles of the account that gave it. */
export type GivenReference = CardReferenceRow &
  Pick<AccountRow, 'email' | 'is_operator' | 'is_admitted'>

/** Restricts references to those of a card, and of an account; null for all. */
export type ReferenceFilter = { card_id: number | null; account_id: number | null }

/** Fingerprints of photos whose card a person has named. Feedback on identifications adds them. */
export type CardReferenceStore = {
  /** Returns a number that grows with each change of the references, and of the accounts that count as staff. */
  getVersion(): Promise<number>
  /** Lists references after an id, with those of all accounts. */
  listAfter(id: string, limit: number): Promise<GivenReference[]>
  /** Lists references, newest first. */
  list(filter: ReferenceFilter, page: RowWindow): Promise<RowPage<GivenReference>>
  /** Lists references of a card: of operators and admitted accounts first, then the newest. */
  listOfCard(card_id: number, limit: number): Promise<GivenReference[]>
  /**
   * Deletes a reference, whose identification never becomes one again.
   *
   * @param account_id account that must have given it; null for any
   * @returns the deleted reference; undefined if it is not found
   */
  delete(id: string, account_id: number | null): Promise<GivenReference | undefined>
  /**
   * Deletes references of an account like `delete`.
   *
   * @param limit maximum number of references
   * @returns their number
   */
  deleteOfAccount(account_id: number, limit: number): Promise<number>
}

export function openCardReferenceStore(engine: LedgerEngine): CardReferenceStore {
  const { query, transact } = engine
  const version = engine.prepare<[], { version: number }>('SELECT version FROM reference_version')
  const given = `SELECT card_references.id, account_id, card_id, fingerprint, card_references.created_at,
      email, is_operator, is_admitted FROM card_references JOIN accounts ON accounts.id = account_id`
  const after = engine.prepare<[string, number], GivenReference>(
    `${given} WHERE card_references.id > ? ORDER BY card_references.id LIMIT ?`,
  )
  const ofCard = engine.prepare<[number, number], GivenReference>(
    `${given} WHERE card_id = ?
      ORDER BY is_operator DESC, is_admitted DESC, card_references.created_at DESC, card_references.id LIMIT ?`,
  )
  // A statement for each filter, so that each finds its rows by an index.
  const pagesOf = (isWanted: string) => ({
    rows: engine.prepare<[ReferenceFilter & RowWindow], GivenReference>(
      `${given} WHERE ${isWanted}
        ORDER BY card_references.created_at DESC, card_references.id LIMIT @limit OFFSET @offset`,
    ),
    total: engine.prepare<[ReferenceFilter], { total: number }>(
      `SELECT count(*) AS total FROM card_references WHERE ${isWanted}`,
    ),
  })
  const pages = {
    all: pagesOf('TRUE'),
    ofAccount: pagesOf('account_id = @account_id'),
    ofCard: pagesOf('card_id = @card_id'),
    ofBoth: pagesOf('account_id = @account_id AND card_id = @card_id'),
  }
  const pagesFor = ({ account_id, card_id }: ReferenceFilter) => {
    if (account_id === null) return card_id === null ? pages.all : pages.ofCard
    return card_id === null ? pages.ofAccount : pages.ofBoth
  }
  const find = engine.prepare<[{ id: string; account_id: number | null }], GivenReference>(
    `${given} WHERE card_references.id = @id AND account_id = coalesce(@account_id, account_id)`,
  )
  const idsOf = engine.prepare<[number, number], { id: string }>(
    'SELECT id FROM card_references WHERE account_id = ? ORDER BY id LIMIT ?',
  )
  const remove = engine.prepare<[string]>('DELETE FROM card_references WHERE id = ?')
  const forget = engine.prepare<[string]>(
    'UPDATE identifications SET fingerprint = NULL WHERE id = ?',
  )

  return {
    getVersion: async () => (await query(version.get()))?.version ?? 0,
    listAfter: (id, limit) => query(after.all(id, limit)),
    async list(filter, page) {
      const { rows, total } = pagesFor(filter)
      return {
        rows: await query(rows.all({ ...filter, ...page })),
        total: (await query(total.get(filter)))?.total ?? 0,
      }
    },
    listOfCard: (card_id, limit) => query(ofCard.all(card_id, limit)),
    deleteOfAccount: (account_id, limit) =>
      transact(function* () {
        const found = yield* idsOf.all(account_id, limit)
        for (const { id } of found) {
          yield* remove.run(id)
          yield* forget.run(id)
        }
        return found.length
      }),
    delete: (id, account_id) =>
      transact(function* () {
        const found = yield* find.get({ id, account_id })
        if (found === undefined) return undefined
        yield* remove.run(id)
        yield* forget.run(id)
        return found
      }),
  }
}
