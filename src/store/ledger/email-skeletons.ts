import { emailSkeleton, isInternational } from '#rules/accounts/email-address.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { AccountRow } from './schema/accounts.ts'

/** Prepares finding another account with a similar-looking address. */
export function openLookalikeFinder(
  engine: LedgerEngine,
): (email: string) => LedgerOperation<boolean> {
  const alike = engine.prepare<[string], Pick<AccountRow, 'email'>>(
    'SELECT email FROM accounts WHERE email_skeleton = ?',
  )
  // ASCII addresses do not count as lookalikes of each other: rn and m, or l and 1, may differ.
  return function* (email) {
    const found = yield* alike.all(emailSkeleton(email))
    return found.some((other) => isInternational(email) || isInternational(other.email))
  }
}
