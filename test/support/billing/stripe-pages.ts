/** Stripe's pages for customers: the checkout, and the portal. */
import type { Stripe } from 'stripe'
import {
  configurationObject,
  confirmFlow,
  type PortalProduct,
  portalSessionObject,
  priceObject,
  sessionObject,
} from './stripe-objects.ts'
import {
  getNamedObject,
  listIn,
  objectIn,
  StripeErrorResponse,
  type StripeState,
  storeObject,
} from './stripe-state.ts'

/** Creates a checkout session. */
export function openCheckoutSession(books: StripeState, params: URLSearchParams): object {
  const { id: customer } = getNamedObject(books.customers, params.get('customer'), 'customer')
  const price = priceOf(books, params)
  const mode = params.get('mode') === 'subscription' ? 'subscription' : 'payment'
  if ((mode === 'subscription') !== (price.recurring !== null)) {
    throw new StripeErrorResponse(400, `The price ${price.id} does not fit the mode ${mode}.`)
  }
  const birth = books.born('cs_test')
  const session = sessionObject(birth, {
    cancel_url: params.get('cancel_url'),
    client_reference_id: params.get('client_reference_id'),
    customer,
    amount_total: price.unit_amount,
    metadata: objectIn(params, 'metadata'),
    mode,
    success_url: params.get('success_url'),
    url: `https://checkout.example/pay/${birth.id}`,
  })
  const metadata = objectIn(params, 'subscription_data[metadata]')
  books.pendingItems.set(birth.id, { price, metadata })
  return storeObject(books.sessions, session)
}

/** Returns a price by its id, or creates one for this session alone. */
function priceOf(books: StripeState, params: URLSearchParams): Stripe.Price {
  const line = 'line_items[0]'
  const id = params.get(`${line}[price]`)
  if (id !== null) return getNamedObject(books.prices, id, `${line}[price]`)
  const param = `${line}[price_data][product]`
  const { id: product } = getNamedObject(books.products, params.get(param), param)
  const terms = {
    product,
    unit_amount: Number(params.get(`${line}[price_data][unit_amount]`)),
    isMonthly: params.get(`${line}[price_data][recurring][interval]`) === 'month',
    lookup_key: null,
  }
  // The price of one session cannot be used again.
  const price = { ...priceObject(books.born('price'), terms), active: false }
  return storeObject(books.prices, price)
}

/** Configures the customer portal. */
export function setUpPortal(books: StripeState, params: URLSearchParams): object {
  const products = productsIn(params)
  for (const { product, prices } of products) {
    getNamedObject(books.products, product, 'features[subscription_update][products][product]')
    for (const id of prices) {
      const price = getNamedObject(
        books.prices,
        id,
        'features[subscription_update][products][prices]',
      )
      if (price.product === product) continue
      throw new StripeErrorResponse(
        400,
        `The price ${id} does not belong to the product ${product}.`,
      )
    }
  }
  const terms = { products, metadata: objectIn(params, 'metadata') }
  return storeObject(books.configurations, configurationObject(books.born('bpc'), terms))
}

function productsIn(params: URLSearchParams): PortalProduct[] {
  const products: PortalProduct[] = []
  for (let at = 0; ; at++) {
    const name = `features[subscription_update][products][${at}]`
    const product = params.get(`${name}[product]`)
    if (product === null) return products
    products.push({ product, prices: listIn(params, `${name}[prices]`) })
  }
}

/** Creates a portal session. */
export function startPortal(books: StripeState, params: URLSearchParams): object {
  const { id: customer } = getNamedObject(books.customers, params.get('customer'), 'customer')
  const configuration = getNamedObject(
    books.configurations,
    params.get('configuration'),
    'configuration',
  )
  const return_url = params.get('return_url') ?? ''
  const hasFlow = params.get('flow_data[type]') === 'subscription_update_confirm'
  const birth = books.born('bps')
  return storeObject(
    books.portals,
    portalSessionObject(birth, {
      configuration: configuration.id,
      customer,
      flow: hasFlow ? flowIn(books, params, { customer, configuration, return_url }) : null,
      return_url,
      url: `https://portal.example/session/${birth.id}`,
    }),
  )
}

function flowIn(
  books: StripeState,
  params: URLSearchParams,
  shown: {
    customer: string
    configuration: Stripe.BillingPortal.Configuration
    return_url: string
  },
): Stripe.BillingPortal.Session.Flow {
  const name = 'flow_data[subscription_update_confirm]'
  const param = `${name}[subscription]`
  const subscription = getNamedObject(books.subscriptions, params.get(param), param)
  const price = params.get(`${name}[items][0][price]`)
  const item = subscription.items.data.find(({ id }) => id === params.get(`${name}[items][0][id]`))
  const listed = shown.configuration.features.subscription_update.products ?? []
  if (subscription.customer !== shown.customer || subscription.status === 'canceled') {
    throw new StripeErrorResponse(400, `The subscription ${subscription.id} cannot be updated.`)
  }
  if (item === undefined || !listed.some(({ prices }) => prices.includes(price ?? ''))) {
    throw new StripeErrorResponse(
      400,
      `The price ${price} is not in the configuration of the portal.`,
    )
  }
  return confirmFlow({
    discounts: null,
    items: [{ id: item.id, price }],
    subscription: subscription.id,
    return_url: shown.return_url,
  })
}
