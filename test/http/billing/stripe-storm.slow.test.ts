// Hundreds of events for about forty random accounts: late, repeated, in any order, 32 at once, some forged.
// FUZZ_SEED sets the random histories.
import { expect, test } from 'bun:test'
import { settleSubscriptions } from '#actions/billing/reconcile-billing.ts'
import { BILLABLE_ITEMS, PACKS } from '#rules/billing/plans.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import {
  type BillingTestApp,
  type Customer,
  createBillingTestApp,
} from '../../support/billing/billing-app.ts'
import {
  type CustomerHistory,
  emptyHistory,
  expectedScans,
  expectedTier,
  hasNoSubscription,
  netRevenue,
  performRandomAction,
  recordPayment,
  renew,
} from '../../support/billing/billing-histories.ts'
import type { EventObject } from '../../support/billing/stripe-state.ts'
import { sizedFor } from '../../support/chaos.ts'
import { pick, randomFrom, SEED } from '../../support/random.ts'

const ACCOUNTS = sizedFor(24, 40)
const ROUNDS = 4
const AT_ONCE = 32

type SimulatedCustomer = { customer: Customer; customerHistory: CustomerHistory }

type Post = {
  /** Pending events; a forged one must be rejected. */
  waiting: { event: EventObject; isForged: boolean }[]
  deliveries: number
  forgeries: number
  accepted: number
  failures: number
  events: number
}

test('a storm of events leaves every account with exactly its paid purchases', async () => {
  const random = randomFrom(SEED)
  // A separate generator, because its order of use is not reproducible.
  const chance = randomFrom(SEED + 1_000)
  const billingApp = await createBillingTestApp({ onDisk: true })
  const customers: SimulatedCustomer[] = []
  for (let made = 0; made < ACCOUNTS; made++) {
    customers.push({ customer: await billingApp.newcomer(), customerHistory: emptyHistory() })
  }
  await customers[0]?.customer.portal()
  const post: Post = {
    waiting: [],
    deliveries: 0,
    forgeries: 0,
    accepted: 0,
    failures: 0,
    events: 0,
  }
  const began = performance.now()
  for (let round = 1; round <= ROUNDS; round++) {
    await liveOn(billingApp, { random, chance }, customers, post)
    if (round === ROUNDS / 2 || round === ROUNDS) {
      await deliverAll(billingApp, chance, post, 0)
      await compare(billingApp, customers)
      for (const { customer, customerHistory } of customers)
        await useScans(random, customer, customerHistory)
    }
  }
  const seconds = (performance.now() - began) / 1000
  await compare(billingApp, customers)

  expect(post.events).toBeGreaterThanOrEqual(sizedFor(200, 374))
  expect(post.accepted).toBe(0)
  expect(billingApp.testApp.log.filter(({ level }) => level === 'error')).toEqual([])
  const books = booksOf(billingApp)
  expect(books).toEqual({ revenue: netRevenue(billingApp.stripe), mismatches: 0, live: 1 })
  console.info(
    `seed ${SEED}: ${post.events} events delivered ${post.deliveries} times in ${seconds.toFixed(1)} s, ` +
      `${post.failures} of them refused while Stripe failed, ${post.forgeries} forged: wrong tiers 0, ` +
      `wrong scans 0, accepted forgeries ${post.accepted}, revenue ${books.revenue} cents`,
  )
}, 300_000)

/** Advances by up to a month: periods end, then random purchases and changes happen while events are delivered. */
async function liveOn(
  billingApp: BillingTestApp,
  { random, chance }: { random: () => number; chance: () => number },
  customers: readonly SimulatedCustomer[],
  post: Post,
): Promise<void> {
  billingApp.advance(random() * 9 * MS_PER_DAY)
  for (const { customerHistory } of customers)
    if (random() < 0.3) renew(billingApp.stripe, random, customerHistory)
  billingApp.follow()
  collect(billingApp, chance, post)
  const delivering = deliverAll(billingApp, chance, post, 0.2)
  for (const { customer, customerHistory } of shuffled(random, customers)) {
    if (random() < 0.6) await buySomething(billingApp, random, customer, customerHistory)
    for (let done = 0; done < 3; done++)
      if (random() < 0.5) performRandomAction(billingApp.stripe, random, customerHistory)
    collect(billingApp, chance, post)
    if (chance() < 0.1) billingApp.stripe.misbehave({ cuts: 'answer', times: 1 })
    await Bun.sleep(0)
  }
  await delivering
}

async function buySomething(
  { stripe }: BillingTestApp,
  random: () => number,
  customer: Customer,
  history: CustomerHistory,
): Promise<void> {
  const item = pick(random, hasNoSubscription(history) ? BILLABLE_ITEMS : PACKS)
  stripe.misbehave()
  const session = await customer.checkout(item)
  stripe.pay(session)
  recordPayment(stripe, history, session, item)
}

/** Queues each event one to four times, and sometimes a forgery. */
function collect({ stripe }: BillingTestApp, random: () => number, post: Post): void {
  for (const event of stripe.takeEvents()) {
    post.events++
    const times = 1 + Math.floor(random() * 4)
    for (let at = 0; at < times; at++) {
      const isForged = random() < 0.05
      post.waiting.push({ event, isForged: false })
      if (isForged) post.waiting.push({ event, isForged })
    }
  }
}

/** Delivers pending events in random order, until only a share of them is left for later. */
async function deliverAll(
  billingApp: BillingTestApp,
  random: () => number,
  post: Post,
  share: number,
): Promise<void> {
  const left = Math.floor(post.waiting.length * share)
  const postman = async () => {
    while (post.waiting.length > left) {
      const at = Math.floor(random() * post.waiting.length)
      const [one] = post.waiting.splice(at, 1)
      if (one === undefined) return
      post.deliveries++
      if (one.isForged) {
        post.forgeries++
        if ((await deliverForged(billingApp, random, one.event)) !== 400) post.accepted++
        continue
      }
      const { status } = await billingApp.send(one.event)
      if (status === 200) continue
      expect(status).toBe(503)
      post.failures++
      post.waiting.push(one)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, postman))
}

async function deliverForged(
  { stripe, sendSigned }: BillingTestApp,
  random: () => number,
  event: EventObject,
): Promise<number> {
  const { body, header } = await stripe.signed(event)
  const at = Math.floor(random() * body.length)
  const flipped = String.fromCharCode(body.charCodeAt(at) ^ (1 << Math.floor(random() * 7)))
  const foreign = await stripe.signed(event, 'whsec_guessed')
  const [forgedBody, forgedHeader] = pick(random, [
    [body.slice(0, at) + flipped + body.slice(at + 1), header],
    [body, header.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    [body, header.replace(/t=\d+/, `t=${Math.floor(stripe.now() / 1000) + 1}`)],
    [body, foreign.header],
  ] as const)
  return (await sendSigned(forgedBody, forgedHeader)).status
}

async function compare(
  billingApp: BillingTestApp,
  customers: readonly SimulatedCustomer[],
): Promise<void> {
  billingApp.follow()
  await settleSubscriptions(billingApp.testApp.deps)
  const now = billingApp.stripe.now()
  const found: object[] = []
  const wanted: object[] = []
  for (const { customer, customerHistory } of customers) {
    const { id } = customer
    const scans = expectedScans(customerHistory)
    found.push({ id, tier: await customer.tier(), scans: await customer.scans() })
    wanted.push({ id, tier: expectedTier(customerHistory, now), scans: Math.max(0, scans) })
  }
  expect(found).toEqual(wanted)
  expect(await billingApp.testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
}

async function useScans(
  random: () => number,
  customer: Customer,
  history: CustomerHistory,
): Promise<void> {
  const left =
    Math.max(0, expectedScans(history)) +
    (history.used === 0 && expectedScans(history) >= 0 ? 25 : 0)
  const used = Math.floor(random() * Math.min(left, 1_500))
  await customer.scan(used)
  history.used += used
}

function booksOf({ testApp }: BillingTestApp) {
  const number = (sql: string) =>
    testApp.ledgerDb().prepare<[], number>(sql).pluck().get() ?? Number.NaN
  return {
    revenue: number('SELECT sum(amount_cents) FROM billing_payments'),
    mismatches: number("SELECT count(*) FROM billing_events WHERE outcome = 'mismatch'"),
    /** Maximum number of simultaneous subscriptions of an account. */
    live: number(
      `SELECT max(live) FROM (SELECT count(*) AS live FROM subscriptions
         WHERE status <> 'canceled' GROUP BY account_id)`,
    ),
  }
}

function shuffled<One>(random: () => number, all: readonly One[]): One[] {
  return all
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
