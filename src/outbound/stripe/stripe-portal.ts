import type { Stripe } from 'stripe'
import { billingUnavailable, createLazy, type StripeApi } from './stripe-api.ts'
import type { PortalRequest } from './stripe-objects.ts'
import type { PlanPrice, StripePrices } from './stripe-prices.ts'

/** Client of Stripe's customer portal. */
export type StripePortal = {
  /** Creates a page and returns its URL. */
  createSession(request: PortalRequest): Promise<string>
  /** Clears the cached configuration. */
  forget(): void
}

/** Opens the portal; nothing is requested yet. */
export function openStripePortal(api: StripeApi, prices: StripePrices): StripePortal {
  const configuration = createLazy(async () => {
    const features = portalFeatures(await prices.plans())
    const hash = new Bun.CryptoHasher('sha256').update(JSON.stringify(features)).digest('hex')
    const fingerprint = hash.slice(0, 32)
    const known = await findConfiguration(api, fingerprint)
    return known ?? createConfiguration(api, features, fingerprint)
  })

  return {
    async createSession({ customer, return_url, change }) {
      const params = { customer, return_url, configuration: await configuration.get() }
      const flow = change && { flow_data: await planChangeFlow(change, return_url) }
      const { url } = await api.call((stripe) =>
        stripe.billingPortal.sessions.create({ ...params, ...flow }),
      )
      return url
    },

    forget: configuration.forget,
  }

  async function planChangeFlow(
    { subscription, item_id, plan }: NonNullable<PortalRequest['change']>,
    return_url: string,
  ): Promise<Stripe.BillingPortal.SessionCreateParams.FlowData> {
    const price = (await prices.plans()).find((known) => known.plan === plan)
    if (price === undefined) throw billingUnavailable(new Error(`Stripe has no price for ${plan}`))
    const items = [{ id: item_id, price: price.price, quantity: 1 }]
    return {
      type: 'subscription_update_confirm',
      subscription_update_confirm: { subscription, items },
      after_completion: { type: 'redirect', redirect: { return_url } },
    }
  }
}

type Features = Stripe.BillingPortal.ConfigurationCreateParams.Features

/** Upgrades apply immediately; downgrades and cancellations wait for the end of the period. */
function portalFeatures(plans: readonly PlanPrice[]): Features {
  const byProduct = Map.groupBy(plans, ({ product }) => product)
  const products = [...byProduct].map(([product, prices]) => ({
    product,
    prices: prices.map(({ price }) => price),
  }))
  return {
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price'],
      products,
      proration_behavior: 'always_invoice',
      schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
    },
  }
}

/** Stripe allows only changes to prices of a portal configuration, so Cardstock has its own. */
function findConfiguration(api: StripeApi, fingerprint: string): Promise<string | undefined> {
  return api.call(async (stripe) => {
    const listed = stripe.billingPortal.configurations.list({ active: true, limit: 100 })
    for await (const { id, metadata } of listed) if (metadata?.cardstock === fingerprint) return id
    return undefined
  })
}

async function createConfiguration(
  api: StripeApi,
  features: Features,
  fingerprint: string,
): Promise<string> {
  const configuration = await api.call((stripe) =>
    stripe.billingPortal.configurations.create({ features, metadata: { cardstock: fingerprint } }),
  )
  return configuration.id
}
