import { loginNamePrefix } from '#rules/accounts/rate-limit.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { AccessVersion } from '../keys.ts'
import type { AccountRow } from '../schema/accounts.ts'
import { PERSONAL_TABLES } from './personal-tables.ts'

/** Identifies a deleted account, because another account may have the same number after a restore. */
export type DeletedAccount = Pick<AccountRow, 'id' | 'created_at'>

/** Deletion of accounts. */
export type AccountDeletionStore = {
  /**
   * Deletes the data of an account outside the books, and hides its lists, which their `purge` deletes. A repeated
   * call deletes data that a running request has added since.
   *
   * @returns true if the account exists
   */
  erase(account: DeletedAccount, now: Date): Promise<boolean>
  /** Lists accounts that were deleted at a time or later. */
  listSince(time: Date): Promise<DeletedAccount[]>
  /** Returns the accounts that exist and are not deleted. */
  findPresent(accounts: readonly DeletedAccount[]): Promise<DeletedAccount[]>
}

export function openAccountDeletionStore(
  engine: LedgerEngine,
  access: AccessVersion,
): AccountDeletionStore {
  const { query, transact } = engine
  const find = engine.prepare<[number, number], Pick<AccountRow, 'id' | 'email' | 'deleted_at'>>(
    'SELECT id, email, deleted_at FROM accounts WHERE id = ? AND created_at = ?',
  )
  const since = engine.prepare<[number], DeletedAccount>(
    'SELECT id, created_at FROM accounts WHERE deleted_at >= ? ORDER BY id',
  )
  const eraseRows = prepareErasure(engine)
  const closeBooks = prepareClosing(engine)
  const bury = engine.prepare<[{ id: number; name: string; at: number }]>(
    `UPDATE accounts SET email = @name, email_skeleton = '', password_hash = '', tier = 'free',
       granted_tier = 'free', is_operator = 0, deleted_at = coalesce(deleted_at, @at) WHERE id = @id`,
  )

  return {
    async erase({ id, created_at }, now) {
      const isFound = await transact(
        function* () {
          const account = yield* find.get(id, created_at)
          if (account === undefined) return false
          const at = now.getTime()
          yield* eraseRows({ id, email: account.email, at })
          yield* closeBooks(id, at)
          yield* bury.run({ id, name: deletedName(id), at })
          return true
        },
        { account: id, isDurable: true },
      )
      access.forget()
      return isFound
    },
    listSince: (time) => query(since.all(time.getTime())),
    async findPresent(accounts) {
      const present: DeletedAccount[] = []
      for (const account of accounts) {
        const found = await query(find.get(account.id, account.created_at))
        if (found !== undefined && found.deleted_at === null) present.push(account)
      }
      return present
    },
  }
}

/** Returns the text that replaces the e-mail address of a deleted account, which is not a valid address. */
function deletedName(id: number): string {
  return `deleted account ${id}`
}

/** Prepares the deletion of an account's rows. The caller provides the transaction. */
function prepareErasure(engine: LedgerEngine) {
  const erased = PERSONAL_TABLES.filter(({ fate }) => fate === 'erased')
  // Rows that belong to the account through another table are deleted first; the others in the reverse order of the
  // schema, in which tables come after those that they refer to.
  const [direct, indirect] = [true, false].map((isDirect) =>
    erased.filter(({ owner }) => owner.startsWith('account_id') === isDirect).reverse(),
  )
  const removals = [...(indirect ?? []), ...(direct ?? [])].map(({ name, owner }) =>
    engine.prepare<[number]>(`DELETE FROM ${name} WHERE ${owner}`),
  )
  const unshare = engine.prepare<[number]>(
    `DELETE FROM collection_shares WHERE collection_id IN
       (SELECT id FROM lists WHERE account_id = ?)`,
  )
  const hide = engine.prepare<[number, number]>(
    "UPDATE lists SET name = '', deleted_at = coalesce(deleted_at, ?) WHERE account_id = ?",
  )
  // The operator's record of a used invitation stays, but without the address.
  const forgetInvitation = engine.prepare<[number]>(
    'UPDATE invitations SET email = NULL, account_id = NULL WHERE account_id = ?',
  )
  const withdraw = engine.prepare<[string]>('DELETE FROM invitations WHERE email = ?')
  // The names of limits contain the hash of the address.
  const forgetAttempts = engine.prepare<[number, string]>(
    'DELETE FROM attempts WHERE substr(name, 1, ?) = ?',
  )

  return function* ({ id, email, at }: { id: number; email: string; at: number }) {
    for (const removal of removals) yield* removal.run(id)
    yield* unshare.run(id)
    yield* hide.run(at, id)
    yield* forgetInvitation.run(id)
    yield* withdraw.run(email)
    const prefix = loginNamePrefix(email)
    yield* forgetAttempts.run(prefix.length, prefix)
  }
}

/** Prepares ending an account's orders. The caller provides the transaction. */
function prepareClosing(engine: LedgerEngine) {
  const endCheckouts = engine.prepare<[number, number]>(
    "UPDATE checkouts SET state = 'ended', closed_at = ? WHERE account_id = ? AND state = 'open'",
  )
  // The URL of the payment page leads to the customer's data.
  const forgetPages = engine.prepare<[number]>(
    'UPDATE checkouts SET url = NULL WHERE account_id = ?',
  )
  const endSubscriptions = engine.prepare<[number]>(
    `UPDATE subscriptions SET status = 'canceled', tier = 'free', next_plan = NULL,
       changes_at = NULL WHERE account_id = ?`,
  )
  return function* (id: number, at: number): LedgerOperation<void> {
    yield* endCheckouts.run(at, id)
    yield* forgetPages.run(id)
    yield* endSubscriptions.run(id)
  }
}
