import type { Stripe } from 'stripe'
import { customerObject, listObject, priceObject, productObject } from './stripe-objects.ts'
import { openCheckoutSession, setUpPortal, startPortal } from './stripe-pages.ts'
import {
  getNamedObject,
  getObject,
  listIn,
  objectIn,
  StripeErrorResponse,
  type StripeState,
  storeObject,
} from './stripe-state.ts'

/** A request to Stripe: its path without `/v1/` and its parameters as sent. */
export type StripeRequest = { method: string; path: string; params: URLSearchParams }

type Answer = (books: StripeState, params: URLSearchParams, id: string) => object

/** @throws StripeRefusal */
export function handleStripeRequest(books: StripeState, question: StripeRequest): object {
  for (const [pattern, answer] of ROUTES) {
    const [method, path = ''] = pattern.split(' ')
    const match = new RegExp(`^${path.replace(':id', '([^/]+)')}$`).exec(question.path)
    if (method !== question.method || match === null) continue
    return answer(books, question.params, decodeURIComponent(match[1] ?? ''))
  }
  throw new StripeErrorResponse(
    404,
    `Unrecognized request URL (${question.method}: /v1/${question.path}).`,
  )
}

const ROUTES: [pattern: string, answer: Answer][] = [
  ['POST customers', addCustomer],
  ['DELETE customers/:id', deleteCustomer],
  ['POST products', addProduct],
  ['POST prices', addPrice],
  ['GET prices', listPrices],
  ['GET prices/:id', (books, _, id) => found(books.prices, id, 'price')],
  ['POST checkout/sessions', openCheckoutSession],
  ['GET checkout/sessions', listSessions],
  ['GET checkout/sessions/:id', (books, _, id) => found(books.sessions, id, 'checkout.session')],
  ['POST checkout/sessions/:id/expire', expireSession],
  ['GET subscriptions', listSubscriptions],
  [
    'GET subscriptions/:id',
    (books, params, id) =>
      shownSubscription(books, found(books.subscriptions, id, 'subscription'), expandsOf(params)),
  ],
  ['GET invoices', listInvoices],
  ['GET invoices/:id', showInvoice],
  ['GET invoice_payments', listInvoicePayments],
  ['GET charges', (books, params) => pageOf(ofPayment(books, books.charges, params), params)],
  ['GET disputes', (books, params) => pageOf(ofPayment(books, books.disputes, params), params)],
  ['GET billing_portal/configurations', listConfigurations],
  ['POST billing_portal/configurations', setUpPortal],
  ['POST billing_portal/sessions', startPortal],
  ['GET events', listEvents],
]

/** Requires the object named in the path. */
function found<Thing>(book: ReadonlyMap<string, Thing>, id: string, what: string): Thing {
  const thing = book.get(id)
  if (thing !== undefined) return thing
  const facts = { code: 'resource_missing', param: 'id' }
  throw new StripeErrorResponse(404, `No such ${what}: '${id}'`, facts)
}

/** Newest first, as Stripe lists. */
function pageOf<Thing extends { id: string }>(
  things: Iterable<Thing>,
  params: URLSearchParams,
  url = '/v1/list',
): Stripe.ApiList<Thing> {
  const all = [...things].reverse()
  const after = params.get('starting_after')
  const begin = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
  const end = begin + Number(params.get('limit') ?? 10)
  return { ...listObject(all.slice(begin, end), url), has_more: end < all.length }
}

function expandsOf(params: URLSearchParams): string[] {
  return listIn(params, 'expand')
}

function addCustomer(books: StripeState, params: URLSearchParams): object {
  const terms = { email: params.get('email'), metadata: objectIn(params, 'metadata') }
  return storeObject(books.customers, customerObject(books.born('cus'), terms))
}

/** Ends the customer's subscriptions at once. */
function deleteCustomer(books: StripeState, _: URLSearchParams, id: string): object {
  found(books.customers, id, 'customer')
  for (const subscription of books.subscriptions.values()) {
    if (subscription.customer === id && subscription.status !== 'canceled') {
      endSubscription(books, subscription)
    }
  }
  books.customers.delete(id)
  return { id, object: 'customer', deleted: true }
}

/** Ends a subscription, even within its period. */
export function endSubscription(books: StripeState, subscription: Stripe.Subscription): void {
  subscription.status = 'canceled'
  subscription.canceled_at ??= books.seconds()
  subscription.ended_at = books.seconds()
  books.emitEvent('customer.subscription.deleted', subscription)
}

function addProduct(books: StripeState, params: URLSearchParams): object {
  const born = books.born('prod')
  const id = params.get('id') ?? born.id
  if (books.products.has(id)) {
    const facts = { code: 'resource_already_exists' }
    throw new StripeErrorResponse(400, `Product already exists: ${id}`, facts)
  }
  return storeObject(books.products, productObject({ ...born, id }, params.get('name') ?? ''))
}

function addPrice(books: StripeState, params: URLSearchParams): object {
  const { id: product } = getNamedObject(books.products, params.get('product'), 'product')
  const lookup_key = params.get('lookup_key')
  const holder = [...books.prices.values()].find((price) => price.lookup_key === lookup_key)
  if (lookup_key !== null && holder !== undefined) {
    if (params.get('transfer_lookup_key') !== 'true') {
      throw new StripeErrorResponse(400, `A price (${holder.id}) already uses that lookup key.`)
    }
    holder.lookup_key = null
  }
  const terms = {
    product,
    unit_amount: Number(params.get('unit_amount')),
    isMonthly: params.get('recurring[interval]') === 'month',
    lookup_key,
  }
  return storeObject(books.prices, priceObject(books.born('price'), terms))
}

function listPrices(books: StripeState, params: URLSearchParams): object {
  const keys = listIn(params, 'lookup_keys')
  const isRequested = ({ lookup_key, active }: Stripe.Price) =>
    active && (keys.length === 0 || (lookup_key !== null && keys.includes(lookup_key)))
  return pageOf([...books.prices.values()].filter(isRequested), params, '/v1/prices')
}

function listSessions(books: StripeState, params: URLSearchParams): object {
  const payment = params.get('payment_intent')
  const selected = [...books.sessions.values()].filter(
    ({ payment_intent }) => payment === null || payment_intent === payment,
  )
  return pageOf(selected, params, '/v1/checkout/sessions')
}

function expireSession(books: StripeState, _: URLSearchParams, id: string): object {
  const session = found(books.sessions, id, 'checkout.session')
  if (session.status !== 'open') {
    throw new StripeErrorResponse(
      400,
      `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`,
    )
  }
  endSession(books, session)
  return session
}

/** Ends a session, which can no longer be paid. */
export function endSession(books: StripeState, session: Stripe.Checkout.Session): void {
  session.status = 'expired'
  session.url = null
  books.emitEvent('checkout.session.expired', session)
}

function listSubscriptions(books: StripeState, params: URLSearchParams): object {
  const { id } = getNamedObject(books.customers, params.get('customer'), 'customer')
  const status = params.get('status')
  const expands = expandsOf(params).map((path) => path.replace(/^data\./, ''))
  const selected = [...books.subscriptions.values()].filter(
    (subscription) =>
      subscription.customer === id &&
      (status === 'all' ||
        (status === null ? subscription.status !== 'canceled' : subscription.status === status)),
  )
  const shown = selected.map((subscription) => shownSubscription(books, subscription, expands))
  return pageOf(shown, params, '/v1/subscriptions')
}

function shownSubscription(
  books: StripeState,
  subscription: Stripe.Subscription,
  expands: string[],
): Stripe.Subscription {
  const { schedule } = subscription
  if (!expands.includes('schedule') || typeof schedule !== 'string') return subscription
  return { ...subscription, schedule: getObject(books.schedules, schedule) }
}

function listInvoices(books: StripeState, params: URLSearchParams): object {
  const subscription = params.get('subscription')
  const status = params.get('status')
  const selected = [...books.invoices.values()].filter(
    (invoice) =>
      (subscription === null || subscriptionOf(invoice) === subscription) &&
      (status === null || invoice.status === status),
  )
  return pageOf(selected, params, '/v1/invoices')
}

export function subscriptionOf({ parent }: Stripe.Invoice): string {
  const subscription = parent?.subscription_details?.subscription
  return typeof subscription === 'string' ? subscription : (subscription?.id ?? '')
}

function showInvoice(books: StripeState, params: URLSearchParams, id: string): object {
  const invoice = found(books.invoices, id, 'invoice')
  if (!expandsOf(params).includes('payments')) return invoice
  const payments = [...books.invoicePayments.values()].filter((paid) => paid.invoice === id)
  return { ...invoice, payments: listObject(payments, `/v1/invoice_payments?invoice=${id}`) }
}

function listInvoicePayments(books: StripeState, params: URLSearchParams): object {
  const payment = params.get('payment[payment_intent]')
  const selected = [...books.invoicePayments.values()].filter(
    (paid) => payment === null || paid.payment.payment_intent === payment,
  )
  return pageOf(selected, params, '/v1/invoice_payments')
}

function ofPayment<Thing extends { payment_intent: Stripe.Charge['payment_intent'] }>(
  books: StripeState,
  book: ReadonlyMap<string, Thing>,
  params: URLSearchParams,
): Thing[] {
  const payment = params.get('payment_intent')
  const isKnown = [...books.charges.values()].some((charge) => charge.payment_intent === payment)
  if (!isKnown) {
    const facts = { code: 'resource_missing', param: 'payment_intent' }
    throw new StripeErrorResponse(404, `No such payment_intent: '${payment}'`, facts)
  }
  return [...book.values()].filter(({ payment_intent }) => payment_intent === payment)
}

function listConfigurations(books: StripeState, params: URLSearchParams): object {
  const active = [...books.configurations.values()].filter((configuration) => configuration.active)
  return pageOf(active, params, '/v1/billing_portal/configurations')
}

function listEvents(books: StripeState, params: URLSearchParams): object {
  const types = listIn(params, 'types')
  if (types.length > 20) throw new StripeErrorResponse(400, 'You may list at most 20 types.')
  const oldest = books.seconds() - 30 * 86_400
  const selected = books.events.filter(
    ({ event, isDelivered }) =>
      event.created >= oldest &&
      (types.length === 0 || types.includes(event.type)) &&
      (params.get('delivery_success') !== 'false' || !isDelivered),
  )
  return pageOf(
    selected.map(({ event }) => event),
    params,
    '/v1/events',
  )
}
