import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { RECENT_LOGIN_MS } from '#rules/accounts/sessions.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { DeletedAccount } from '#store/ledger/personal/account-deletions.ts'
import type { Session } from '#store/ledger/sessions.ts'
import type { PasswordHasher } from './passwords.ts'
import { verifyPassword } from './verify-password.ts'

type DeletionDeps = Pick<Deps, 'config' | 'files' | 'ledger' | 'log' | 'now' | 'secrets' | 'stripe'>

export type DeletionInput = {
  session: Session
  /** E-mail address of the account, as its owner has typed it. */
  email: string
  /** Empty if the account has no password. */
  password: string
  address: string
}

/**
 * Deletes the account of a session and all its data, except for its entries in the books, which keep its account
 * number. First ends its orders, and its subscription at Stripe without a refund.
 *
 * @throws ServiceError INVALID_CREDENTIALS, RECENT_LOGIN_REQUIRED, TOO_MANY_ATTEMPTS, UNAVAILABLE, or
 * BILLING_UNAVAILABLE, after which nothing is deleted
 */
export async function deleteOwnAccount(
  deps: DeletionDeps,
  hasher: PasswordHasher,
  { session, email, password, address }: DeletionInput,
): Promise<void> {
  if (email.toLowerCase() !== session.email.toLowerCase()) {
    throw new ServiceError('INVALID_CREDENTIALS', 'This is not the e-mail address of your account.')
  }
  const account = await deps.ledger.accounts.getById(session.account_id)
  if (account?.password_hash === '') assertRecentLogin(session, deps.now())
  else await verifyPassword(deps, hasher, { email: session.email, password, address, account })
  const { account_id: id, registered_at: created_at } = session
  await deleteAccount(deps, { id, created_at })
}

/**
 * Deletes an account on behalf of its owner or the operator.
 *
 * @throws ServiceError BILLING_UNAVAILABLE, after which nothing is deleted
 */
export async function deleteAccount(
  deps: Pick<DeletionDeps, 'files' | 'ledger' | 'log' | 'now' | 'stripe'>,
  account: DeletedAccount,
): Promise<void> {
  await endBilling(deps, account.id)
  // First: if the process is killed now, the next start finishes the deletion.
  deps.files.deletions.add(account)
  await eraseAccount(deps.ledger, account, deps.now())
  deps.log.info('account deleted', { account: account.id })
}

/** Erases an account's data in the ledger, its lists in batches. */
async function eraseAccount(
  ledger: Deps['ledger'],
  account: DeletedAccount,
  now: Date,
): Promise<void> {
  await ledger.accountDeletions.erase(account, now)
  while ((await ledger.lists.purge(BATCH_ROWS)) > 0) await nextTurn()
}

/**
 * Deletes accounts again that are in the list of deletions and in the ledger, as after a restore of an older backup.
 *
 * @returns how many
 */
export async function repeatDeletions({
  files,
  ledger,
  now,
}: Pick<Deps, 'ledger' | 'now'> & {
  files: Pick<Deps['files'], 'deletions'>
}): Promise<number> {
  const listed = files.deletions.list()
  if (listed.length === 0) return 0
  const present = await ledger.accountDeletions.findPresent(listed)
  for (const account of present) await eraseAccount(ledger, account, now())
  return present.length
}

/** Expires open payment pages, and deletes the customer, whose subscriptions Stripe then cancels. */
async function endBilling(
  { ledger, log, stripe }: Pick<DeletionDeps, 'ledger' | 'log' | 'stripe'>,
  accountId: number,
): Promise<void> {
  const customer = await ledger.billing.getCustomer(accountId)
  if (customer === undefined) return
  if (stripe === undefined) {
    log.error('Stripe is not configured: cancel the subscriptions of this customer', { customer })
    return
  }
  for (const { session } of await ledger.checkouts.listOpenByAccount(accountId)) {
    if (session !== null) await stripe.expireCheckout(session)
  }
  await stripe.deleteCustomer(customer)
}

/** @throws ServiceError RECENT_LOGIN_REQUIRED */
function assertRecentLogin({ created_at }: Session, now: Date): void {
  if (now.getTime() - created_at <= RECENT_LOGIN_MS) return
  throw new ServiceError(
    'RECENT_LOGIN_REQUIRED',
    'Your login is too old for this. Log out, log in again, and try again within 15 minutes.',
  )
}

/** Rows of lists per transaction, some milliseconds. */
const BATCH_ROWS = 250
