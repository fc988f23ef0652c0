import type { Stripe } from 'stripe'
import {
  BILLABLE_ITEMS,
  type BillableItem,
  isPlan,
  itemName,
  PLANS,
  type Plan,
  PRICE_CENTS,
} from '#rules/billing/plans.ts'
import { createLazy, type StripeApi, stripeErrorDetails } from './stripe-api.ts'

/** A Stripe price of a plan. */
export type PlanPrice = { plan: Plan; price: string; product: string }

/** The prices at Stripe of everything that can be bought. */
export type StripePrices = {
  /** Returns the line of an item for a checkout session. */
  lineItem(item: BillableItem): Promise<CheckoutLine>
  /** Lists the prices of all plans, except those that Stripe lacks. */
  plans(): Promise<PlanPrice[]>
  /** Clears the cache, because the operator may have changed prices at Stripe. */
  forget(): void
  /**
   * Returns the plan of a price; null if it is not ours. Also searches by product, because prices are replaced while
   * subscriptions keep their old price.
   */
  findPlan(price: { id: string; product: string | null }): Promise<Plan | null>
}

/**
 * Creates the price list at Stripe. Configured items use the operator's prices. The others use products with our own
 * ids, which are created on first use.
 */
export function openStripePrices(
  api: StripeApi,
  configured: Partial<Record<BillableItem, string>>,
): StripePrices {
  const products = new Map(
    BILLABLE_ITEMS.map((item) => [item, createLazy(() => ensureProduct(api, item))]),
  )
  const configuredPlans = createLazy(() => getConfiguredPrices(api, configured))
  const plans = createLazy(async () => {
    const own = await ensureOwnPrices(
      api,
      PLANS.filter((plan) => !configured[plan]),
      product,
    )
    const found = [...(await configuredPlans.get()), ...own]
    return found.sort((one, other) => PLANS.indexOf(one.plan) - PLANS.indexOf(other.plan))
  })

  function product(item: BillableItem): Promise<string> {
    return products.get(item)?.get() ?? ensureProduct(api, item)
  }

  return {
    async lineItem(item) {
      const price = configured[item]
      if (price !== undefined) return { price, quantity: 1 }
      const month = isPlan(item) ? { recurring: { interval: 'month' as const } } : {}
      const terms = { currency: CURRENCY, unit_amount: PRICE_CENTS[item], ...month }
      return { price_data: { ...terms, product: await product(item) }, quantity: 1 }
    },

    plans: plans.get,

    forget() {
      plans.forget()
      configuredPlans.forget()
      for (const product of products.values()) product.forget()
    },

    async findPlan(price) {
      const named = PLANS.find((plan) => configured[plan] === price.id)
      const own = PLANS.find((plan) => productId(plan) === price.product)
      if (named !== undefined || own !== undefined) return named ?? own ?? null
      const known = await configuredPlans.get()
      const [first, ...more] = known.filter(({ product }) => product === price.product)
      // A product shared by several plans does not identify a plan.
      return first === undefined || more.length > 0 ? null : first.plan
    },
  }
}

type CheckoutLine = NonNullable<Stripe.Checkout.SessionCreateParams['line_items']>[number]

const CURRENCY = 'usd'

function productId(item: BillableItem): string {
  return `cardstock_${item}`
}

/** Creates the product of an item unless it exists. */
async function ensureProduct(api: StripeApi, item: BillableItem): Promise<string> {
  const id = productId(item)
  try {
    await api.call((stripe) => stripe.products.create({ id, name: itemName(item) }))
  } catch (error) {
    if (stripeErrorDetails(error).code !== 'resource_already_exists') throw error
  }
  return id
}

async function getConfiguredPrices(
  api: StripeApi,
  configured: Partial<Record<BillableItem, string>>,
): Promise<PlanPrice[]> {
  const found = await Promise.all(
    PLANS.map(async (plan) => {
      const id = configured[plan]
      const price = id && (await api.find((stripe) => stripe.prices.retrieve(id)))
      return price ? [planPrice(plan, price)] : []
    }),
  )
  return found.flat()
}

/** Returns our own prices by lookup key, and creates missing ones. */
async function ensureOwnPrices(
  api: StripeApi,
  plans: readonly Plan[],
  product: (plan: Plan) => Promise<string>,
): Promise<PlanPrice[]> {
  if (plans.length === 0) return []
  const lookup_keys = plans.map(lookupKey)
  const { data } = await api.call((stripe) =>
    stripe.prices.list({ lookup_keys, active: true, limit: 100 }),
  )
  return Promise.all(
    plans.map(async (plan) => {
      const existing = data.find(({ lookup_key }) => lookup_key === lookupKey(plan))
      if (existing !== undefined) return planPrice(plan, existing)
      const terms = {
        product: await product(plan),
        currency: CURRENCY,
        unit_amount: PRICE_CENTS[plan],
        recurring: { interval: 'month' as const },
      }
      // Two processes may create a price at the same time: the later one takes over the lookup key.
      const key = { lookup_key: lookupKey(plan), transfer_lookup_key: true }
      return planPrice(plan, await api.call((stripe) => stripe.prices.create({ ...terms, ...key })))
    }),
  )
}

/** Includes the amount, because Stripe prices never change. */
function lookupKey(plan: Plan): string {
  return `${productId(plan)}_${PRICE_CENTS[plan]}`
}

function planPrice(plan: Plan, { id, product }: Stripe.Price): PlanPrice {
  return { plan, price: id, product: typeof product === 'string' ? product : product.id }
}
