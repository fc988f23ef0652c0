import type { Deps } from '#deps.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { remainingScans } from '#rules/photos/scans.ts'
import type { Account } from '#store/ledger/accounts.ts'
import type { Checkout } from '#store/ledger/checkouts.ts'
import type { PaymentMovement } from '#store/ledger/payments.ts'
import { getSubscription } from '../accounts/get-usage.ts'

type BillingDeps = Pick<Deps, 'ledger' | 'now'>

/** What an account has, and what it pays for. */
export type AccountBilling = {
  email: string
  tier: Tier
  subscription: Awaited<ReturnType<typeof getSubscription>>
  /** Until when the tier stays although a payment is missing; null unless one is. */
  grace_until: string | null
  /** The trial that waits included. */
  scans: number
  checkouts: Checkout[]
  /** Newest first. */
  movements: PaymentMovement[]
}

/** What the pages of billing tell of an account. */
export async function getBilling(
  { ledger, now }: BillingDeps,
  { id, email, tier }: Pick<Account, 'id' | 'email' | 'tier'>,
): Promise<AccountBilling> {
  const subscription = await getSubscription({ ledger, now }, { account_id: id, tier })
  const known = await ledger.subscriptions.listByAccount(id, now())
  const late = known.find(({ standing }) => standing.status === 'past_due')?.standing
  const { balance, trial_at } = await ledger.accounts.getScans(id)
  return {
    email,
    tier,
    subscription,
    grace_until: late?.changes_at == null ? null : new Date(late.changes_at).toISOString(),
    scans: remainingScans({ balance, trial_at }),
    checkouts: await ledger.checkouts.listOpenByAccount(id),
    movements: await ledger.payments.listByAccount(id, MOVEMENTS_MAX),
  }
}

/** A checkout of manual billing as its page tells it. */
export type CheckoutDetails = {
  checkout: Checkout
  email: string
  is_refunded: boolean
}

/** @returns undefined where there is none, or it is Stripe's, which has a page of its own */
export async function getCheckoutDetails(
  { ledger }: Pick<BillingDeps, 'ledger'>,
  id: string,
): Promise<CheckoutDetails | undefined> {
  const checkout = await ledger.checkouts.getById(id)
  if (checkout?.provider !== 'manual') return undefined
  const account = await ledger.accounts.getById(checkout.account_id)
  if (account === undefined) return undefined
  return {
    checkout,
    email: account.email,
    is_refunded: (await ledger.payments.getRefundedCents(id)) > 0,
  }
}

/** More of them stand in the operator's books. */
const MOVEMENTS_MAX = 20
