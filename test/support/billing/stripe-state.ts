import { Stripe } from 'stripe'
import type { ObjectIdentity } from './stripe-objects.ts'

/** Events contain a copy of the object at their time. */
export type EventObject = Omit<Stripe.EventBase, 'data'> & {
  data: { object: Record<string, unknown> }
}

function eventObject(
  identity: ObjectIdentity,
  type: Stripe.Event['type'],
  shown: object,
): EventObject {
  return {
    ...identity,
    object: 'event',
    api_version: Stripe.API_VERSION,
    data: { object: JSON.parse(JSON.stringify(shown)) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }
}

/** The state of the fake Stripe. */
export type StripeState = ReturnType<typeof createStripeState>

/** @param clock epoch milliseconds */
export function createStripeState(clock: () => number) {
  let made = 0
  const events: { event: EventObject; isDelivered: boolean }[] = []

  const seconds = () => Math.floor(clock() / 1000)
  const newIdentity = (prefix: string): ObjectIdentity => {
    made++
    return { id: `${prefix}_standin${String(made).padStart(6, '0')}`, created: seconds() }
  }

  return {
    customers: new Map<string, Stripe.Customer>(),
    products: new Map<string, Stripe.Product>(),
    prices: new Map<string, Stripe.Price>(),
    sessions: new Map<string, Stripe.Checkout.Session>(),
    /** The price and metadata of each session's purchase. */
    pendingItems: new Map<string, { price: Stripe.Price; metadata: Record<string, string> }>(),
    subscriptions: new Map<string, Stripe.Subscription>(),
    schedules: new Map<string, Stripe.SubscriptionSchedule>(),
    invoices: new Map<string, Stripe.Invoice>(),
    invoicePayments: new Map<string, Stripe.InvoicePayment>(),
    charges: new Map<string, Stripe.Charge>(),
    disputes: new Map<string, Stripe.Dispute>(),
    configurations: new Map<string, Stripe.BillingPortal.Configuration>(),
    portals: new Map<string, Stripe.BillingPortal.Session>(),
    /** In the order of their creation. */
    events,
    seconds,
    born: newIdentity,
    /** Records an undelivered event. */
    emitEvent(type: Stripe.Event['type'], shown: object): void {
      events.push({ event: eventObject(newIdentity('evt'), type, shown), isDelivered: false })
    },
  }
}

/** Stores an object. */
export function storeObject<Thing extends { id: string }>(
  book: Map<string, Thing>,
  thing: Thing,
): Thing {
  book.set(thing.id, thing)
  return thing
}

/** Returns an object that a test names; throws if it does not exist. */
export function getObject<Thing>(book: ReadonlyMap<string, Thing>, id: string): Thing {
  const thing = book.get(id)
  if (thing === undefined) throw new Error(`the stand-in of Stripe has no ${id}`)
  return thing
}

/** An error response of Stripe. */
export class StripeErrorResponse extends Error {
  override readonly name = 'StripeRefusal'

  constructor(
    readonly status: number,
    message: string,
    readonly facts: { type?: string; code?: string; param?: string } = {},
  ) {
    super(message)
  }
}

/** Returns an object named by a parameter; throws a Stripe error if it does not exist. */
export function getNamedObject<Thing>(
  book: ReadonlyMap<string, Thing>,
  id: string | null,
  param: string,
): Thing {
  const thing = book.get(id ?? '')
  if (thing !== undefined) return thing
  throw new StripeErrorResponse(400, `No such ${param}: '${id}'`, {
    code: 'resource_missing',
    param,
  })
}

/** Reads `name[key]=value`, Stripe's format of objects in parameters. */
export function objectIn(params: URLSearchParams, name: string): Record<string, string> {
  return Object.fromEntries(
    [...params].flatMap(([key, value]) =>
      key.startsWith(`${name}[`) ? [[key.slice(name.length + 1, -1), value]] : [],
    ),
  )
}

/** Reads `name[0]=a&name[1]=b`, Stripe's format of lists. */
export function listIn(params: URLSearchParams, name: string): string[] {
  return Object.values(objectIn(params, name))
}
