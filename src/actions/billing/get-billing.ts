import type { Deps } from '#deps.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { remainingScans } from '#rules/photos/scans.ts'
import type { Account } from '#store/ledger/accounts.ts'
import type { Checkout } from '#store/ledger/checkouts.ts'
import type { PaymentMovement } from '#store/ledger/payments.ts'
import { getSubscription, type SubscriptionSummary } from '../accounts/get-usage.ts'

type BillingDeps = Pick<Deps, 'ledger' | 'now'>

export type AccountBilling = {
  email: string
  tier: Tier
  subscription: SubscriptionSummary
  /** End of the tier if a payment is overdue; otherwise null. */
  grace_until: string | null
  /** Includes a pending trial. */
  scans: number
  checkouts: Checkout[]
  /** Newest first. */
  movements: PaymentMovement[]
}

export async function getBilling(
  { ledger, now }: BillingDeps,
  { id, email, tier }: Pick<Account, 'id' | 'email' | 'tier'>,
): Promise<AccountBilling> {
  const subscription = await getSubscription({ ledger, now }, { account_id: id, tier })
  const known = await ledger.subscriptions.listByAccount(id, now())
  const overdue = known.find(({ standing }) => standing.status === 'past_due')?.standing
  const { balance, trial_at } = await ledger.accounts.getScans(id)
  return {
    email,
    tier,
    subscription,
    grace_until: overdue?.changes_at == null ? null : new Date(overdue.changes_at).toISOString(),
    scans: remainingScans({ balance, trial_at }),
    checkouts: await ledger.checkouts.listOpenByAccount(id),
    movements: await ledger.payments.listByAccount(id, MOVEMENTS_MAX),
  }
}

export type CheckoutDetails = { checkout: Checkout; email: string; is_refunded: boolean }

/** @returns undefined if it does not exist, or belongs to Stripe, which has its own page */
export async function getCheckoutDetails(
  { ledger }: Pick<BillingDeps, 'ledger'>,
  id: string,
): Promise<CheckoutDetails | undefined> {
  const checkout = await ledger.checkouts.getById(id)
  if (checkout?.provider !== 'manual') return undefined
  const account = await ledger.accounts.getById(checkout.account_id)
  if (account === undefined) return undefined
  const is_refunded = (await ledger.payments.getRefundedCents(id)) > 0
  return { checkout, email: account.email, is_refunded }
}

const MOVEMENTS_MAX = 20
