import type { Tier } from '#rules/accounts/tiers.ts'
import {
  PACK_SCANS,
  PACKS,
  type Pack,
  PLANS,
  type Plan,
  PRICE_CENTS,
} from '#rules/billing/plans.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { pick } from '../random.ts'
import type { FakeStripe } from './stripe-server.ts'

type Subscription = {
  id: string
  plan: Plan
  next: Plan | undefined
  status: 'active' | 'past_due' | 'unpaid' | 'paused' | 'canceled'
  cancels: boolean
  pastDueAt: number
  /** Payments withdrawn by the bank and not returned. */
  disputed: Set<string>
}

type Paid = { payment: string; cents: number; refunded: number }
type BoughtPack = Paid & { pack: Pack; disputed: Set<string> }

/**
 * Purchases of a customer and their outcome, in the terms of the price list: recorded as they happen, independent of
 * the service and the fake Stripe.
 */
export type CustomerHistory = {
  subscription: Subscription | undefined
  packs: BoughtPack[]
  disputes: { id: string; of: Set<string> }[]
  used: number
}

export const emptyHistory = (): CustomerHistory => ({
  subscription: undefined,
  packs: [],
  disputes: [],
  used: 0,
})

/** @param now epoch milliseconds */
export function expectedTier({ subscription }: CustomerHistory, now: number): Tier {
  if (subscription === undefined || subscription.disputed.size > 0) return 'free'
  const { status, plan, pastDueAt } = subscription
  if (status === 'active') return plan
  return status === 'past_due' && now < pastDueAt + 7 * MS_PER_DAY ? plan : 'free'
}

/** Remaining scans; negative for scans that were used and not paid for. */
export function expectedScans({ packs, used }: CustomerHistory): number {
  const trial = used > 0 ? 25 : 0
  return packs.reduce((sum, { pack, cents, refunded, disputed }) => {
    const gone = Math.min(cents, disputed.size > 0 ? cents : refunded)
    return sum + PACK_SCANS[pack] - Math.floor((PACK_SCANS[pack] * gone) / cents)
  }, trial - used)
}

export const hasNoSubscription = ({ subscription }: CustomerHistory): boolean =>
  subscription === undefined || subscription.status === 'canceled'

/** Records that a session was paid. */
export function recordPayment(
  stripe: FakeStripe,
  history: CustomerHistory,
  session: string,
  item: Plan | Pack,
): void {
  const { subscription, payment_intent } = stripe.books.sessions.get(session) ?? {}
  const pack = PACKS.find((one) => one === item)
  if (pack !== undefined) {
    const payment = String(payment_intent)
    const cents = PRICE_CENTS[pack]
    history.packs.push({ payment, cents, refunded: 0, pack, disputed: new Set() })
    return
  }
  history.subscription = {
    id: String(subscription),
    plan: PLANS.find((one) => one === item) ?? 'hobby',
    next: undefined,
    status: 'active',
    cancels: false,
    pastDueAt: 0,
    disputed: new Set(),
  }
}

/** Ends the period of a subscription. */
export function renew(
  stripe: FakeStripe,
  random: () => number,
  { subscription }: CustomerHistory,
): void {
  if (subscription === undefined) return
  const { status, cancels, next } = subscription
  if (status !== 'active' && status !== 'past_due') return
  const outcome = status === 'active' && random() < 0.7 ? 'paid' : 'failed'
  stripe.renew(subscription.id, outcome)
  if (cancels) {
    subscription.status = 'canceled'
    return
  }
  subscription.plan = next ?? subscription.plan
  subscription.next = undefined
  subscription.disputed.clear()
  if (outcome === 'paid') return
  if (status === 'active') subscription.pastDueAt = stripe.now()
  subscription.status = 'past_due'
}

/** Performs a random action of a customer, a bank or the operator, without time passing. */
export function performRandomAction(
  stripe: FakeStripe,
  random: () => number,
  history: CustomerHistory,
): void {
  const doable = [refundPack, disputePack, closeDispute, ...availableActions(stripe, history)]
  pick(random, doable)(stripe, random, history)
}

type CustomerAction = (stripe: FakeStripe, random: () => number, history: CustomerHistory) => void

function availableActions(stripe: FakeStripe, { subscription }: CustomerHistory): CustomerAction[] {
  if (subscription === undefined || subscription.status === 'canceled') return []
  if (subscription.status === 'past_due') return [settle, giveUp, end]
  if (subscription.status !== 'active') return [resume, end]
  const [item] = stripe.books.subscriptions.get(subscription.id)?.items.data ?? []
  const isRunning = (item?.current_period_end ?? 0) * 1000 > stripe.now()
  const always = [cancel, pause, disputePlan, end]
  return isRunning && !subscription.cancels ? [change, change, ...always] : always
}

const change: CustomerAction = (stripe, random, { subscription }) => {
  if (subscription === undefined) return
  const plan = pick(random, PLANS)
  stripe.changePlan(subscription.id, plan)
  const isMoreExpensive = PRICE_CENTS[plan] > PRICE_CENTS[subscription.plan]
  subscription.next = isMoreExpensive || plan === subscription.plan ? undefined : plan
  if (isMoreExpensive) subscription.plan = plan
}

const cancel: CustomerAction = (stripe, _, { subscription }) => {
  if (subscription === undefined) return
  subscription.cancels = !subscription.cancels
  stripe.cancelAtPeriodEnd(subscription.id, subscription.cancels)
}

const pause: CustomerAction = (stripe, _, { subscription }) => {
  if (subscription === undefined) return
  subscription.status = 'paused'
  stripe.setStatus(subscription.id, 'paused')
}

const resume: CustomerAction = (stripe, _, { subscription }) => {
  if (subscription === undefined) return
  if (subscription.status === 'unpaid') stripe.payOpenInvoices(subscription.id)
  else stripe.setStatus(subscription.id, 'active')
  subscription.status = 'active'
}

const settle: CustomerAction = (stripe, _, { subscription }) => {
  if (subscription === undefined) return
  subscription.status = 'active'
  stripe.payOpenInvoices(subscription.id)
}

const giveUp: CustomerAction = (stripe, _, { subscription }) => {
  if (subscription === undefined) return
  subscription.status = 'unpaid'
  stripe.setStatus(subscription.id, 'unpaid')
}

const end: CustomerAction = (stripe, random, { subscription }) => {
  if (subscription === undefined || random() < 0.7) return
  subscription.status = 'canceled'
  stripe.cancelNow(subscription.id)
}

const disputePlan: CustomerAction = (stripe, random, history) => {
  const { subscription, disputes } = history
  if (subscription === undefined) return
  const { invoices, invoicePayments } = stripe.books
  const own = [...invoicePayments.values()].filter(({ invoice }) => {
    const { parent } = invoices.get(String(invoice)) ?? {}
    return parent?.subscription_details?.subscription === subscription.id
  })
  const payment = String(pick(random, own).payment.payment_intent)
  if (stripe.books.disputes.values().some((one) => one.payment_intent === payment)) return
  const id = stripe.dispute(payment)
  // A payment for a past period does not affect the paid one.
  const [charge] = [...stripe.books.charges.values()].filter(
    (one) => one.payment_intent === payment,
  )
  const [item] = stripe.books.subscriptions.get(subscription.id)?.items.data ?? []
  if ((charge?.created ?? 0) >= (item?.current_period_start ?? 0)) subscription.disputed.add(id)
  disputes.push({ id, of: subscription.disputed })
}

const refundPack: CustomerAction = (stripe, random, { packs }) => {
  if (packs.length === 0) return
  const pack = pick(random, packs)
  const left = pack.cents - pack.refunded
  if (pack.disputed.size > 0 || left === 0) return
  const cents = random() < 0.4 ? left : Math.ceil(random() * left)
  stripe.refund(pack.payment, cents)
  pack.refunded += cents
}

const disputePack: CustomerAction = (stripe, random, { packs, disputes }) => {
  if (packs.length === 0) return
  const { payment, disputed, refunded } = pick(random, packs)
  if (refunded > 0 || disputed.size > 0) return
  const id = stripe.dispute(payment)
  disputed.add(id)
  disputes.push({ id, of: disputed })
}

const closeDispute: CustomerAction = (stripe, random, history) => {
  const open = history.disputes.shift()
  if (open === undefined) return
  const outcome = random() < 0.6 ? 'won' : 'lost'
  stripe.closeDispute(open.id, outcome)
  if (outcome === 'won') open.of.delete(open.id)
}

/** Returns the charges less the refunds and disputes, in US cents. */
export function netRevenue({ books }: FakeStripe): number {
  const sum = (cents: Iterable<number>) => [...cents].reduce((total, one) => total + one, 0)
  const charged = [...books.charges.values()].map((one) => one.amount - one.amount_refunded)
  const disputed = [...books.disputes.values()].map((one) =>
    one.status === 'won' ? 0 : one.amount,
  )
  return sum(charged) - sum(disputed)
}
