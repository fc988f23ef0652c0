import { beginCheckout, billingDisabled } from '#actions/billing/begin-checkout.ts'
import { getPortalLink } from '#actions/billing/open-customer-portal.ts'
import type { Deps } from '#deps.ts'
import { BILLABLE_ITEMS } from '#rules/billing/plans.ts'
import { packOffers, planOffers } from '#rules/billing/price-list.ts'
import type { SessionEndpoints } from '../endpoint/session-endpoints.ts'
import { stringEnum } from '../input/fields.ts'
import { OffersSchema, PaymentLinkSchema } from '../schemas/catalog.ts'

const TAG = 'Payments'

const UNSOLD = { 404: 'Nothing is sold here.' }

/** Where an account buys plans and scans, and manages what it bought. */
export function paymentRoutes(doors: SessionEndpoints, deps: Deps): void {
  const { accessPolicy, billing } = deps.config
  const offers = {
    provider: billing.provider,
    plans: planOffers(accessPolicy),
    packs: packOffers(),
  }

  doors.open('GET', '/v1/plans', {
    tag: TAG,
    summary: 'What each plan brings and costs',
    description: 'Also told where nothing is sold: an operator can give a tier, or scans.',
    reply: OffersSchema,
    answer: async () => ({ data: offers }),
  })

  doors.session('POST', '/v1/payments/create-checkout', {
    tag: TAG,
    summary: 'Buy a plan or a pack of scans',
    description:
      'Answers where to pay; asked again, the same place. Whoever has a subscription and asks for a plan is led to where that is changed, never to a second one.',
    body: {
      plan: stringEnum(BILLABLE_ITEMS, {
        description: 'A plan, paid by the month, or a pack of scans.',
      }),
    },
    refusals: {
      ...UNSOLD,
      429: 'Too many checkouts: Retry-After says how long to wait.',
      503: 'Payments cannot be taken just now: Retry-After says when to try again.',
    },
    reply: PaymentLinkSchema,
    answer: async ({ session: { account_id, email }, body: { plan } }) => ({
      data: await beginCheckout(deps, { account_id, email }, plan),
    }),
  })

  doors.session('POST', '/v1/payments/portal', {
    tag: TAG,
    summary: 'Manage the subscription',
    description: 'Answers where to change the plan, to cancel it, and to see what was paid.',
    refusals: UNSOLD,
    reply: PaymentLinkSchema,
    async answer({ session: { account_id, email } }) {
      if (deps.config.billing.provider === 'off') throw billingDisabled()
      return { data: await getPortalLink(deps, { account_id, email }) }
    },
  })
}
