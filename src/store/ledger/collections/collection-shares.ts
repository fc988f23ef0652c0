import type { LedgerEngine } from '../engine/operation.ts'
import type { CollectionShareRow, ListRow } from '../schema/collections.ts'
import type { ListKey } from './lists.ts'

/** The part of a collection that its link shows. */
export type SharedCollection = Pick<
  ListRow,
  'id' | 'account_id' | 'kind' | 'name' | 'items' | 'updated_at'
> & { shared_at: number }

/** Token of a link: its hash finds the link, and its encrypted form is for the owner. */
type LinkToken = { token_hash: Uint8Array; sealed_token: Uint8Array }

type StoredLink = Pick<CollectionShareRow, 'sealed_token' | 'created_at'>

/** Links that show a collection to everybody who has them. */
export type CollectionShareStore = {
  /** Creates the link to a collection and ends its previous one; false if the account has no such collection. */
  create(key: ListKey, token: LinkToken, now: Date): Promise<boolean>
  /** Returns the link to a collection; undefined if the account has no such collection, or if it is not shared. */
  get(key: ListKey): Promise<StoredLink | undefined>
  /** Ends the link to a collection; false if it had none. */
  delete(key: ListKey): Promise<boolean>
  /** Returns the collection of a link; undefined if the link is unknown or has ended. */
  getByToken(token_hash: Uint8Array): Promise<SharedCollection | undefined>
}

export function openCollectionShareStore(engine: LedgerEngine): CollectionShareStore {
  const { query, transact } = engine
  const owned = engine.prepare<[ListKey], { id: string }>(
    `SELECT id FROM lists WHERE id = @id AND account_id = @account_id AND deleted_at IS NULL
        AND kind IN ('owned', 'wish')`,
  )
  const put = engine.prepare<[string, Uint8Array, Uint8Array, number]>(
    `INSERT INTO collection_shares (collection_id, token_hash, sealed_token, created_at)
     VALUES (?, ?, ?, ?)
     ON CONFLICT (collection_id) DO UPDATE SET token_hash = excluded.token_hash,
       sealed_token = excluded.sealed_token, created_at = excluded.created_at`,
  )
  const stored = engine.prepare<[ListKey], StoredLink>(
    `SELECT sealed_token, collection_shares.created_at
       FROM collection_shares JOIN lists ON lists.id = collection_id
      WHERE lists.id = @id AND account_id = @account_id AND deleted_at IS NULL`,
  )
  const remove = engine.prepare<[ListKey]>(
    `DELETE FROM collection_shares WHERE collection_id IN
       (SELECT id FROM lists WHERE id = @id AND account_id = @account_id)`,
  )
  const find = engine.prepare<[Uint8Array], SharedCollection>(
    `SELECT id, account_id, kind, name, items, updated_at, collection_shares.created_at AS shared_at
       FROM collection_shares JOIN lists ON id = collection_id
      WHERE token_hash = ? AND deleted_at IS NULL`,
  )
  return {
    create: (key, { token_hash, sealed_token }, now) =>
      transact(function* () {
        const collection = yield* owned.get(key)
        if (collection === undefined) return false
        yield* put.run(collection.id, token_hash, sealed_token, now.getTime())
        return true
      }),
    get: (key) => query(stored.get(key)),
    delete: async (key) => (await query(remove.run(key))) > 0,
    getByToken: (token_hash) => query(find.get(token_hash)),
  }
}
