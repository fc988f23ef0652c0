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

export type StripePrices = ReturnType<typeof openStripePrices>

/**
 * Creates the price list at Stripe. Configured items use the operator's prices. The others use
 * products with our own ids, created on first use.
 */
export function openStripePrices(
  client: StripeApi,
  configured: Partial<Record<BillableItem, string>>,
) {
  const products = new Map(
    BILLABLE_ITEMS.map((item) => [item, createLazy(() => putProduct(client, item))]),
  )
  const configuredPlans = createLazy(() => pricesOf(client, configured))
  const plans = createLazy(async () => {
    const own = await ownPrices(
      client,
      PLANS.filter((plan) => !configured[plan]),
      product,
    )
    const found = [...(await configuredPlans.get()), ...own]
    return found.sort((one, other) => PLANS.indexOf(one.plan) - PLANS.indexOf(other.plan))
  })

  function product(billableItem: BillableItem): Promise<string> {
    return products.get(billableItem)?.get() ?? putProduct(client, billableItem)
  }

  return {
    async lineItem(item: BillableItem): Promise<CheckoutLine> {
      const price = configured[item]
      if (price !== undefined) return { price, quantity: 1 }
      const month = isPlan(item) ? { recurring: { interval: 'month' as const } } : {}
      const terms = { currency: CURRENCY, unit_amount: PRICE_CENTS[item], ...month }
      return { price_data: { ...terms, product: await product(item) }, quantity: 1 }
    },

    plans: plans.get,

    forget(): void {
      plans.forget()
      configuredPlans.forget()
      for (const product of products.values()) product.forget()
    },

    async findPlan(price: { id: string; product: string | null }): Promise<Plan | null> {
      const named = PLANS.find((plan) => configured[plan] === price.id)
      const own = PLANS.find((plan) => productId(plan) === price.product)
      if (named !== undefined || own !== undefined) return named ?? own ?? null
      const known = await configuredPlans.get()
      const [first, ...more] = known.filter(({ product }) => product === price.product)
      // A product shared by several plans does not identify one of them.
      return first === undefined || more.length > 0 ? null : first.plan
    },
  }
}

type CheckoutLine = NonNullable<Stripe.Checkout.SessionCreateParams['line_items']>[number]

const CURRENCY = 'usd'

function productId(billableItem: BillableItem): string {
  return `cardstock_${billableItem}`
}

/** Creates the product of an item unless it exists. */
async function putProduct(client: StripeApi, billableItem: BillableItem): Promise<string> {
  const id = productId(billableItem)
  try {
    await client.call((stripe) => stripe.products.create({ id, name: itemName(billableItem) }))
  } catch (error) {
    if (stripeErrorDetails(error).code !== 'resource_already_exists') throw error
  }
  return id
}

async function pricesOf(
  client: StripeApi,
  configured: Partial<Record<BillableItem, string>>,
): Promise<PlanPrice[]> {
  const found = await Promise.all(
    PLANS.map(async (plan) => {
      const id = configured[plan]
      const price = id && (await client.find((stripe) => stripe.prices.retrieve(id)))
      return price ? [planPrice(plan, price)] : []
    }),
  )
  return found.flat()
}

/** Returns our own prices by lookup key, and creates missing ones. */
async function ownPrices(
  client: StripeApi,
  plans: readonly Plan[],
  product: (plan: Plan) => Promise<string>,
): Promise<PlanPrice[]> {
  if (plans.length === 0) return []
  const lookup_keys = plans.map(lookupKey)
  const { data } = await client.call((stripe) =>
    stripe.prices.list({ lookup_keys, active: true, limit: 100 }),
  )
  return Promise.all(
    plans.map(async (plan) => {
      const there = data.find(({ lookup_key }) => lookup_key === lookupKey(plan))
      if (there !== undefined) return planPrice(plan, there)
      const terms = {
        product: await product(plan),
        currency: CURRENCY,
        unit_amount: PRICE_CENTS[plan],
        recurring: { interval: 'month' as const },
      }
      // Two processes may create it at once: the later one takes over the key.
      const key = { lookup_key: lookupKey(plan), transfer_lookup_key: true }
      return planPrice(
        plan,
        await client.call((stripe) => stripe.prices.create({ ...terms, ...key })),
      )
    }),
  )
}

/** Includes the amount: Stripe prices never change, so another amount is another price. */
function lookupKey(plan: Plan): string {
  return `${productId(plan)}_${PRICE_CENTS[plan]}`
}

function planPrice(plan: Plan, { id, product }: Stripe.Price): PlanPrice {
  return { plan, price: id, product: typeof product === 'string' ? product : product.id }
}
