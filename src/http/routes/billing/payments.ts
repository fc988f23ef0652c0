import { beginCheckout, billingDisabled } from '#actions/billing/begin-checkout.ts'
import { getPortalLink } from '#actions/billing/open-customer-portal.ts'
import type { Deps } from '#deps.ts'
import { BILLABLE_ITEMS, packOffers, planOffers } from '#rules/billing/plans.ts'
import { stringEnum } from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import { OffersSchema, PaymentLinkSchema } from '../../schemas/billing.ts'
import type { Server } from '../../server.ts'

const DISABLED = { 404: 'Billing is disabled on this server.' }

/** Plans, checkouts and the customer portal. */
export function paymentRoutes({ endpoint }: Server, deps: Deps): void {
  const offers = { plans: planOffers(deps.config.accessPolicy), packs: packOffers() }

  endpoint('GET /v1/plans', {
    auth: 'optional session',
    id: 'listPlans',
    tag: 'Payments',
    summary: 'List plans and packs of scans with their prices',
    description: 'Also if billing is disabled: an operator can grant tiers and scans.',
    returns: 'The plans and packs with their prices.',
    reply: OffersSchema,
    async respond() {
      const { billing, registration } = deps.config
      const login_provider = deps.loginProvider?.label ?? null
      const logins = { registration, login_provider, has_password_reset: deps.mailer !== undefined }
      return { data: { provider: billing.provider, ...offers, ...logins } }
    },
  })

  endpoint('POST /v1/payments/create-checkout', {
    auth: 'session',
    id: 'createCheckout',
    tag: 'Payments',
    summary: 'Create a checkout for a plan or a pack of scans',
    description:
      'A repeated request returns the same checkout; an account with a subscription gets the link to change it.',
    body: jsonObject({
      plan: stringEnum(BILLABLE_ITEMS, 'A plan, paid monthly, or a pack of scans.'),
    }),
    refusals: {
      ...DISABLED,
      429: 'Too many checkouts. Retry after the time in Retry-After.',
      503: 'Payments are unavailable. Retry after the time in Retry-After.',
    },
    returns: 'Link to pay, or to change an existing subscription.',
    reply: PaymentLinkSchema,
    respond: async ({ principal: { account_id, email }, body: { plan } }) => ({
      data: await beginCheckout(deps, { account_id, email }, plan),
    }),
  })

  endpoint('POST /v1/payments/portal', {
    auth: 'session',
    id: 'createPortalLink',
    tag: 'Payments',
    summary: 'Get a link to manage the subscription',
    description: 'There, customers change or cancel the plan and see their payments.',
    refusals: DISABLED,
    returns: 'Link to the customer portal.',
    reply: PaymentLinkSchema,
    async respond({ principal: { account_id, email } }) {
      if (deps.config.billing.provider === 'off') throw billingDisabled()
      return { data: await getPortalLink(deps, { account_id, email }) }
    },
  })
}
