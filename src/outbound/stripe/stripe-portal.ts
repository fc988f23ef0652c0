import { createHash } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { StripeDoor } from './stripe.ts'
import { billingUnavailable, createLazy, type StripeApi } from './stripe-api.ts'
import type { PlanPrice, StripePrices } from './stripe-prices.ts'

type PortalAsk = Parameters<StripeDoor['createPortalSession']>[0]

/** Creates the client of Stripe's customer portal. */
export function openStripePortal(client: StripeApi, prices: StripePrices) {
  const configuration = createLazy(async () => {
    const features = featuresWith(await prices.plans())
    const mark = createHash('sha256').update(JSON.stringify(features)).digest('hex').slice(0, 32)
    return (
      (await findConfiguration(client, mark)) ?? (await addConfiguration(client, features, mark))
    )
  })

  return {
    async open({ customer, return_url, change }: PortalAsk): Promise<string> {
      const shown = { customer, return_url, configuration: await configuration.get() }
      const flow = change === undefined ? {} : { flow_data: await flowOf(change, return_url) }
      const session = await client.call((stripe) =>
        stripe.billingPortal.sessions.create({ ...shown, ...flow }),
      )
      return session.url
    },

    forget: configuration.forget,
  }

  async function flowOf(
    { subscription, item_id, plan }: NonNullable<PortalAsk['change']>,
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

/**
 * Upgrades apply and are charged immediately; downgrades and cancellations wait for the end of the
 * period.
 */
function featuresWith(plans: readonly PlanPrice[]): Features {
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

/**
 * Stripe only allows changes to prices listed in a portal configuration, so Cardstock has its own.
 */
function findConfiguration(client: StripeApi, mark: string): Promise<string | undefined> {
  return client.call(async (stripe) => {
    const listed = stripe.billingPortal.configurations.list({ active: true, limit: 100 })
    for await (const { id, metadata } of listed) if (metadata?.cardstock === mark) return id
    return undefined
  })
}

async function addConfiguration(
  client: StripeApi,
  features: Features,
  mark: string,
): Promise<string> {
  const made = await client.call((stripe) =>
    stripe.billingPortal.configurations.create({ features, metadata: { cardstock: mark } }),
  )
  return made.id
}
