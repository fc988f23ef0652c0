// Payments survive servers that are killed repeatedly: real processes on real files, and a fake Stripe that delivers
// its events until they are accepted.
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reconcileBilling } from '#actions/billing/reconcile-billing.ts'
import { openLog } from '#log.ts'
import { openStripeClient } from '#outbound/stripe/stripe-client.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { generateSessionToken } from '#rules/accounts/sessions.ts'
import { type BillableItem, isPlan, PACK_SCANS, PACKS, PLANS } from '#rules/billing/plans.ts'
import { openDatabase } from '#store/db.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { type CheckoutLink, sessionIdFrom, WEBHOOK } from '../support/billing/billing-app.ts'
import { netRevenue } from '../support/billing/billing-histories.ts'
import { startFakeStripe } from '../support/billing/stripe-server.ts'
import { sizedFor } from '../support/chaos.ts'
import { pick, randomFrom } from '../support/random.ts'
import { QUIET, type ServerProcess, startService } from '../support/server-process.ts'

const KILLS = sizedFor(4, 150)
const CLIENTS = 12
/** Share of events that Stripe gives up; the hourly reconciliation finds them. */
const GIVEN_UP = 0.05

const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-billing-'))
const stripe = startFakeStripe()
const settings = stripe.settings()
afterAll(async () => {
  await stripe.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const startServer = () =>
  startService(dataDir, {
    ...QUIET,
    LOG_LEVEL: 'error',
    STRIPE_API_URL: settings.apiUrl,
    STRIPE_SECRET_KEY: settings.secretKey,
    STRIPE_WEBHOOK_SECRET: settings.webhookSecrets.join(','),
  })

/** The purchases as recorded by the test. */
type Purchase = { account_id: number; item: BillableItem; session: string }

const seen = { requests: 0, unanswered: 0, deliveries: 0, undelivered: 0, kills: 0, both: 0 }
const purchases: Purchase[] = []
let fleet: Promise<ServerProcess>[] = []
let isOver = false

/** Sends a request to one of the servers; undefined if the server was killed. */
async function send(path: string, request: RequestInit, random: () => number) {
  const server = await pick(random, fleet)
  return fetch(`${server.url}${path}`, { method: 'POST', ...request })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch(() => undefined)
}

test(`no payment is lost in ${KILLS} kills`, async () => {
  prepareFiles(dataDir)
  const ledger = openLedger(dataDir)
  const began = performance.now()
  fleet = [startServer()]
  await fleet[0]
  const clients = Array.from({ length: CLIENTS }, (_, at) => live(ledger, randomFrom(at + 1)))
  const postmen = Array.from({ length: 8 }, (_, at) => deliver(randomFrom(100 + at)))
  await killAgainAndAgain(randomFrom(1_000))
  isOver = true
  await Promise.all([...clients, ...postmen])
  await Promise.all(fleet.map(async (server) => (await server).kill()))

  const log = openLog('silent')
  const later = () => new Date(Date.now() + 25 * 3_600_000)
  const stripeClient = openStripeClient(settings)
  const found = await reconcileBilling({ ledger, log, now: later, stripe: stripeClient })
  const counts = await compare(ledger)
  ledger.close()
  const seconds = Math.round((performance.now() - began) / 1000)
  console.info(
    `${seen.kills} kills in ${seconds} s, ${seen.both} of them with two processes: ` +
      `${purchases.length} purchases of ${counts.accounts} accounts (${seen.requests} asked, ` +
      `${seen.unanswered} unanswered), ${stripe.books.events.length} events in ${seen.deliveries} ` +
      `deliveries (${seen.undelivered} unanswered or refused), found by the look ` +
      `${JSON.stringify(found)}: lost 0, wrong tiers 0, wrong scans 0, two subscriptions 0`,
  )
}, 900_000)

/** In every other group of ten kills, two processes share the folder. */
async function killAgainAndAgain(random: () => number): Promise<void> {
  while (seen.kills < KILLS) {
    const wanted = Math.floor(seen.kills / (KILLS > 20 ? 10 : 4)) % 2 === 1 ? 2 : 1
    while (fleet.length < wanted) fleet.push(startServer())
    const servers = await Promise.all(fleet)
    await Bun.sleep(100 + random() * 500)
    if (servers.length === 2) seen.both++
    const at = Math.floor(random() * servers.length)
    const killed = servers[at]?.kill() ?? Promise.resolve(false)
    const isSpare = servers.length > wanted
    const next = killed.then(startServer)
    fleet = isSpare ? fleet.toSpliced(at, 1) : fleet.with(at, next)
    if (isSpare) await killed
    if (!isSpare) next.catch(() => {})
    seen.kills++
  }
  await Promise.all(fleet)
}

/** Creates customers in turn, each with a plan, packs, and another plan after the first. */
async function live(ledger: ReturnType<typeof openLedger>, random: () => number): Promise<void> {
  while (!isOver) {
    const now = new Date()
    const email = `${crypto.randomUUID()}@chaos.example`
    const context = { now, address: undefined }
    const terms = { email, password_hash: 'none', tier: 'free' } as const
    const { id = 0 } = (await ledger.accounts.create(terms, context)) ?? {}
    const token = generateSessionToken((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
    const begun = { account_id: id, password_hash: 'none', token_hash: hashSecret(token) }
    await ledger.sessions.create({ ...begun, replaces: undefined, now, address: 'test' })
    for (let bought = 0; bought < 5 && !isOver; bought++) {
      const items: BillableItem[] =
        random() < 0.5 ? [pick(random, PLANS), pick(random, PLANS)] : [pick(random, PACKS)]
      await Promise.all(items.map((billableItem) => buy(id, token, billableItem, random)))
      if (random() < 0.3) endSubscription(id)
    }
  }
}

/** Repeats a request until it gets a response, and pays if possible. */
async function buy(
  account_id: number,
  token: string,
  billableItem: BillableItem,
  random: () => number,
): Promise<void> {
  for (let tries = 0; tries < 6; tries++) {
    const headers = { cookie: `session=${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ plan: billableItem })
    const reply = await send('/v1/payments/create-checkout', { headers, body }, random)
    seen.requests++
    if (reply?.status === 200) return pay(account_id, billableItem, JSON.parse(reply.text).data)
    if (reply === undefined) seen.unanswered++
    // Two tabs that keep ending each other's checkouts get 503.
    else expect([reply.status, reply.text]).toEqual([503, expect.stringContaining('BILLING')])
    await Bun.sleep(20)
  }
}

function pay(account_id: number, billableItem: BillableItem, { kind, url }: CheckoutLink): void {
  if (kind === 'portal') return
  const session = sessionIdFrom(url)
  // Another tab has ended or paid it.
  if (stripe.books.sessions.get(session)?.status !== 'open') return
  stripe.advance(Date.now() - stripe.now())
  stripe.pay(session)
  purchases.push({ account_id, item: billableItem, session })
}

function subscriptionsOf(account_id: number) {
  const { subscriptions, customers } = stripe.books
  return [...subscriptions.values()].filter(
    ({ customer, status }) =>
      status !== 'canceled' &&
      customers.get(String(customer))?.metadata.account_id === String(account_id),
  )
}

function endSubscription(account_id: number): void {
  for (const { id } of subscriptionsOf(account_id)) stripe.cancelNow(id)
}

/** Delivers events until the response is 2xx, some of them twice; some are given up. */
async function deliver(random: () => number): Promise<void> {
  for (;;) {
    const waiting = stripe.books.events.filter((one) => !one.isDelivered && !givenUp.has(one))
    if (waiting.length === 0) {
      if (isOver) return
      await Bun.sleep(5)
      continue
    }
    const one = pick(random, waiting)
    if (random() < GIVEN_UP) {
      givenUp.add(one)
      continue
    }
    stripe.advance(Date.now() - stripe.now())
    const { body, header } = await stripe.signed(one.event)
    const headers = { 'stripe-signature': header, 'content-type': 'application/json' }
    const reply = await send(WEBHOOK, { headers, body }, random)
    seen.deliveries++
    if (reply === undefined || reply.status >= 500) seen.undelivered++
    else {
      expect([reply.status, reply.text]).toEqual([200, '{"data":{"received":true}}'])
      one.isDelivered = random() < 0.9
    }
  }
}

const givenUp = new Set<object>()

/** Checks that every payment counts exactly once, and that nobody has two subscriptions. */
async function compare(ledger: ReturnType<typeof openLedger>) {
  const accounts = await ledger.accounts.list()
  const found: object[] = []
  const wanted: object[] = []
  for (const { id, tier } of accounts) {
    const own = purchases.filter(({ account_id }) => account_id === id)
    const packs = own.flatMap(({ item }) => (isPlan(item) ? [] : [PACK_SCANS[item]]))
    const live = subscriptionsOf(id)
    const planPaid = own.findLast(({ session }) => {
      const { subscription } = stripe.books.sessions.get(session) ?? {}
      return live.some((one) => one.id === subscription)
    })
    const { balance } = await ledger.accounts.getScans(id)
    found.push({ id, tier, balance, subscriptions: Math.min(live.length, 2) })
    wanted.push({
      id,
      tier: planPaid?.item ?? 'free',
      balance: packs.reduce((sum, scans) => sum + scans, 0),
      subscriptions: planPaid === undefined ? 0 : 1,
    })
  }
  expect(found).toEqual(wanted)
  expect(await ledger.scans.listUnbalanced()).toEqual([])
  const db = openDatabase(join(dataDir, 'ledger.db'), { readonly: true })
  const sum = db.prepare('SELECT sum(amount_cents) AS cents FROM billing_payments').get()
  expect(sum).toEqual({ cents: netRevenue(stripe) })
  expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
  db.close()
  return { accounts: accounts.length }
}
