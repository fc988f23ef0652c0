import { type AuditContext, openAuditWriter } from '../audit.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'

/** Prepares the confirmation of an account's address. The caller provides the transaction. */
export function prepareConfirmation(engine: LedgerEngine) {
  return engine.prepare<[at: number, account_id: number]>(
    'UPDATE accounts SET email_confirmed_at = coalesce(email_confirmed_at, ?) WHERE id = ?',
  )
}

/**
 * Prepares the removal of links that are older than the first confirmation of the address: a stranger may have made
 * them who registered it. The caller provides the transaction, and confirms the address afterwards.
 *
 * @returns a function that returns the number of removed links
 */
export function prepareUnlinkUnproven(
  engine: LedgerEngine,
): (account_id: number, context: AuditContext) => LedgerOperation<number> {
  const write = openAuditWriter(engine)
  const remove = engine.prepare<[{ id: number }]>(
    `DELETE FROM identities WHERE account_id = @id AND NOT EXISTS
       (SELECT 1 FROM accounts WHERE id = @id AND email_confirmed_at <= linked_at)`,
  )
  return function* (account_id, { now, address }) {
    const removed = yield* remove.run({ id: account_id })
    const detail = 'linked before the address was confirmed'
    if (removed > 0) {
      yield* write({ at: now, event: 'provider_unlinked', account_id, address, detail })
    }
    return removed
  }
}
