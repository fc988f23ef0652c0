/**
 * Compares the client's requests and the fake server's responses with stripe-mock. It knows the API
 * description, rejects anything else, and responds with official examples.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openStripeClient } from '#outbound/stripe/stripe-client.ts'
import { BILLABLE_ITEMS } from '#rules/billing/plans.ts'
import { findStripeMock, startStripeMock } from '../../support/billing/stripe-mock.ts'
import { type RecordedStripeRequest, startFakeStripe } from '../../support/billing/stripe-server.ts'

const mock = findStripeMock()
if ('why' in mock) console.info(`The tests against stripe-mock are left out: ${mock.why}.`)

describe.skipIf('why' in mock)('compared with stripe-mock', () => {
  let official: Awaited<ReturnType<typeof startStripeMock>>
  let recorded: RecordedStripeRequest[] = []

  beforeAll(async () => {
    official = await startStripeMock('file' in mock ? mock.file : '')
    recorded = await runEveryRequest()
  })

  afterAll(() => official?.close())

  async function replay({ method, path, params }: RecordedStripeRequest) {
    const isGet = method === 'GET'
    const url = `${official.url}/v1/${path}${isGet && params.size > 0 ? `?${params}` : ''}`
    const headers = { Authorization: 'Bearer sk_test_123' }
    const answer = await fetch(url, { method, headers, ...(isGet ? {} : { body: params }) })
    return { status: answer.status, body: await answer.json() }
  }

  test('the client sends only requests that Stripe accepts', async () => {
    const refused: unknown[] = []
    for (const question of recorded) {
      const { status, body } = await replay(question)
      if (status !== 200) refused.push([question.method, question.path, status, body])
    }
    expect(refused).toEqual([])
    expect([...new Set(recorded.map(requestShape))].sort()).toEqual(REQUESTS)
  })

  test('an unknown parameter is rejected, so the test above can fail', async () => {
    const [question] = recorded
    if (question === undefined) throw new Error('nothing was asked')
    const params = new URLSearchParams([...question.params, ['pet', 'cat']])
    expect((await replay({ ...question, params })).status).toBe(400)
  })

  test("the fake server responds in Stripe's shapes", async () => {
    const found: string[] = []
    for (const question of recorded.filter(({ status }) => status === 200)) {
      const { body } = await replay(question)
      found.push(...differences(JSON.parse(question.body), body, requestShape(question)))
    }
    const isExplained = (fault: string) => EXPLAINED.some((known) => fault.endsWith(known))
    expect([...new Set(found)].filter((fault) => !isExplained(fault))).toEqual([])
    expect(EXPLAINED.filter((known) => !found.some((fault) => fault.endsWith(known)))).toEqual([])
  })

  test('a different shape is detected, so the test above can fail', () => {
    const theirs = { id: 'a', amount: 5, items: { data: [{ id: 'b' }] }, url: null }
    expect(differences({ ...theirs, url: 'x' }, theirs, '')).toEqual([])
    expect(differences({ ...theirs, amount: null }, theirs, '')).toEqual([])
    expect(differences({ amount: '5' }, theirs, 'x')).toEqual(['x.amount is string, not number'])
    expect(differences({ price: 5 }, theirs, 'x')).toEqual(['x.price is not there'])
    expect(differences({ items: { data: [{ no: 1 }] } }, theirs, 'x')).toEqual([
      'x.items.data[].no is not there',
    ])
  })

  test('the client parses the official examples', async () => {
    const client = openStripeClient({
      provider: 'stripe',
      secretKey: 'sk_test_123',
      webhookSecrets: [],
      apiUrl: official.url,
      prices: {},
    })
    const customer = await client.createCustomer({
      account_id: 1,
      email: 'ann@shop.example',
      before: 0,
    })
    const return_url = 'https://cards.example/billing'
    const input = { checkout_id: 'co_1', account_id: 1, customer, return_url }
    for (const item of BILLABLE_ITEMS) {
      const seen = await client.createCheckout({ ...input, item, checkout_id: `co_${item}` })
      expect(seen.session).toMatch(/^cs_/)
    }
    expect(await client.getSession('cs_1')).toMatchObject({ status: 'open', is_paid: false })
    expect(await client.expireCheckout('cs_1')).toMatchObject({
      session: expect.stringMatching(/^cs_/),
    })
    expect(await client.getSubscription('sub_1')).toMatchObject({
      ref: 'sub_1',
      plan: null,
      status: 'active',
      item_id: expect.stringMatching(/^si_/),
      period_end: expect.any(Number),
    })
    expect(await client.listSubscriptions(customer)).toHaveLength(1)
    expect(await client.getInvoice('in_1')).toMatchObject({ invoice: 'in_1', is_paid: false })
    expect(await client.getCharge('pi_1')).toMatchObject({ payment: 'pi_1' })
    expect(await client.createPortalSession({ customer, return_url })).toMatch(/^https:/)
    const change = { subscription: 'sub_1', item_id: 'si_1', plan: 'pro' as const }
    expect(await client.createPortalSession({ customer, return_url, change })).toMatch(/^https:/)
    expect(await client.listUndeliveredEvents()).toEqual([
      expect.objectContaining({ id: expect.any(String) }),
    ])
  })
})

/** Runs every request of the client once, and returns the fake server's responses. */
async function runEveryRequest(): Promise<RecordedStripeRequest[]> {
  const stripe = startFakeStripe()
  const return_url = 'https://cards.example/billing'
  const starter = stripe.addPrice({ unit_amount: 1_900 })
  const client = openStripeClient(stripe.settings({ starter }))
  const customer = await client.createCustomer({
    account_id: 1,
    email: 'ann@shop.example',
    before: 0,
  })
  const input = { account_id: 1, customer, return_url }
  const plan = await client.createCheckout({ ...input, checkout_id: 'co_1', item: 'business' })
  const pack = await client.createCheckout({ ...input, checkout_id: 'co_2', item: 'scans_1000' })
  const priced = await client.createCheckout({ ...input, checkout_id: 'co_3', item: 'starter' })
  await client.expireCheckout(priced.session)
  stripe.pay(plan.session)
  stripe.pay(pack.session)
  const subscription = (await client.getSession(plan.session))?.subscription ?? ''
  const { item_id = '' } = (await client.getSubscription(subscription)) ?? {}
  const change = { subscription, item_id, plan: 'hobby' as const }
  await client.createPortalSession({ customer, return_url })
  await client.createPortalSession({ customer, return_url, change })
  await openStripeClient(stripe.settings({ starter })).createPortalSession({ customer, return_url })
  stripe.changePlan(subscription, 'hobby')
  await client.getSubscription(subscription)
  stripe.renew(subscription, 'failed')
  await client.listSubscriptions(customer)
  for (const invoice of stripe.books.invoices.keys()) await client.getInvoice(invoice)
  for (const { payment_intent } of [...stripe.books.charges.values()]) {
    const payment = String(payment_intent)
    stripe.refund(payment, 100)
    stripe.dispute(payment, 100)
    await client.getCharge(payment)
  }
  await client.listUndeliveredEvents()
  stripe.close()
  return stripe.requests
}

/** Returns a request without the parts that differ every time. */
function requestShape({ method, path }: RecordedStripeRequest): string {
  return `${method} ${path.replace(/(?<=\/)[a-z_]+_standin\d+/, ':id')}`
}

/** Each of these requests must occur, so that none escapes the comparison. */
const REQUESTS = [
  'GET billing_portal/configurations',
  'GET charges',
  'GET checkout/sessions',
  'GET checkout/sessions/:id',
  'GET disputes',
  'GET events',
  'GET invoice_payments',
  'GET invoices',
  'GET invoices/:id',
  'GET prices',
  'GET prices/:id',
  'GET subscriptions',
  'GET subscriptions/:id',
  'POST billing_portal/configurations',
  'POST billing_portal/sessions',
  'POST checkout/sessions',
  'POST checkout/sessions/:id/expire',
  'POST customers',
  'POST prices',
  'POST products',
]

/** Optional members that the examples omit. */
const EXPLAINED = [
  '.payment.payment_intent is not there',
  '.pricing.price_details is not there',
  '.subscription_update.products is not there',
]

/**
 * Lists members that are missing in the examples or have another type there. Null matches everything: the SDK's types
 * decide whether it is allowed.
 */
function differences(ours: unknown, theirs: unknown, at: string): string[] {
  if (ours === null || theirs === null) return []
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const [first] = theirs
    return first === undefined ? [] : ours.flatMap((one) => differences(one, first, `${at}[]`))
  }
  const [kind, wanted] = [kindOf(ours), kindOf(theirs)]
  if (kind !== wanted) return [`${at} is ${kind}, not ${wanted}`]
  if (kind !== 'object' || isFree(at)) return []
  const known = new Map(Object.entries(Object(theirs)))
  return Object.entries(Object(ours)).flatMap(([name, value]) =>
    known.has(name)
      ? differences(value, known.get(name), `${at}.${name}`)
      : [`${at}.${name} is not there`],
  )
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}

/** Our metadata, and the object of an event: the examples show another kind of event. */
function isFree(at: string): boolean {
  return at.endsWith('.metadata') || at.endsWith('.data[].data.object')
}
