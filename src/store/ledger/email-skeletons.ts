import { emailSkeleton, isInternational } from '#rules/accounts/email-address.ts'
import { type Db, inTransaction } from '../db.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { AccountRow } from './schema/accounts.ts'

/** Computes the skeletons of accounts that an older version created. */
export function addMissingSkeletons(db: Db): void {
  const missing = db.prepare<[number], { id: number; email: string }>(
    'SELECT id, email FROM accounts WHERE email_skeleton IS NULL LIMIT ?',
  )
  const put = db.prepare<[string, number]>('UPDATE accounts SET email_skeleton = ? WHERE id = ?')
  const addBatch = () =>
    inTransaction(db, () => {
      const found = missing.all(BATCH)
      for (const { id, email } of found) put.run(emailSkeleton(email), id)
      return found.length
    })
  // Most starts find none: they need no write transaction.
  while (missing.get(1) !== undefined) addBatch()
}

const BATCH = 1_000

/** Prepares finding another account whose address looks like a given one. */
export function openLookalikeFinder(
  engine: LedgerEngine,
): (email: string) => LedgerOperation<boolean> {
  const alike = engine.prepare<[string], Pick<AccountRow, 'email'>>(
    'SELECT email FROM accounts WHERE email_skeleton = ?',
  )
  // ASCII addresses are what they look like: rn and m, or l and 1, may differ.
  return function* (email) {
    const found = yield* alike.all(emailSkeleton(email))
    return found.some((other) => isInternational(email) || isInternational(other.email))
  }
}
