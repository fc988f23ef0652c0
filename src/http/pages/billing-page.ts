import type { AccountBilling } from '#actions/billing/get-billing.ts'
import type { BillingSettings } from '#config/payments.ts'
import { isTierAtLeast, tierName } from '#rules/accounts/tiers.ts'
import { shortReference } from '#rules/billing/billing.ts'
import { itemName } from '#rules/billing/plans.ts'
import { contactHtml, dayHtml, formatCents } from './format.ts'
import { type Html, html } from './html.ts'
import type { HtmlPage } from './private-page.ts'

/**
 * Renders the plan, scans, open orders and payments of an account.
 *
 * @param isBack true if the customer returns from Stripe
 */
export function billingPage(
  billing: AccountBilling,
  settings: BillingSettings,
  isBack: boolean,
): HtmlPage {
  return {
    title: 'Billing',
    body: html`${isBack && THANKS}
<section class="panel">
<p class="tag order-state ${toneOf(billing)}">${statusText(billing)}</p>
<h1>${tierName(billing.tier)} tier</h1>
<dl>
<dt>Account</dt><dd>${billing.email}</dd>
${planRows(billing)}
<dt>Scans left</dt><dd>${billing.scans.toLocaleString('en-US')}</dd>
</dl>
</section>
${billing.checkouts.length > 0 && openOrders(billing)}
<section class="panel">
<h2>Manage</h2>
${HOW[settings.provider](settings)}
</section>
<section class="panel">
<h2>Payments</h2>
${movements(billing)}
</section>`,
  }
}

/** Renders the page for visitors. */
export function loginPage(isBack: boolean): HtmlPage {
  return {
    title: 'Log in',
    body: html`${isBack && THANKS}
<section class="panel">
<p class="tag order-state">Not logged in</p>
<h1>Log in to see your billing</h1>
<p><a href="/login?to=/billing">Log in</a> to see your plan, scans and payments.</p>
</section>`,
  }
}

/** Renders the page for BILLING_PROVIDER=off. */
export function billingDisabledPage(): HtmlPage {
  return {
    title: 'Billing is disabled',
    body: html`<section class="panel">
<p class="tag order-state">Not available</p>
<h1>Billing is disabled on this server</h1>
<p>Contact its operator to change your tier or to get scans.</p>
</section>`,
  }
}

/** Renders the page for an internal error. */
export function errorPage(requestId: string): HtmlPage {
  return {
    title: 'Something went wrong',
    body: html`<section class="panel">
<p class="tag order-state bad">Error</p>
<h1>Something went wrong</h1>
<p>Reload the page in a minute. If this keeps happening, send this ID to the operator:
<code>${requestId}</code></p>
</section>`,
  }
}

const THANKS = html`<p class="note good" role="status">Thank you. Your payment can take a moment to
appear. Reload the page to check.</p>`

function toneOf({ subscription: { status } }: AccountBilling): string {
  if (status === 'past_due' || status === 'unpaid') return 'wait'
  return status === 'active' || status === 'trialing' ? 'good' : ''
}

const STATUS_WORDS: Record<string, string> = {
  none: 'No plan',
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Payment overdue',
  unpaid: 'Unpaid',
  paused: 'Paused',
  incomplete: 'Waiting for payment',
  canceled: 'Plan canceled',
  incomplete_expired: 'Plan not paid',
}

function statusText({ subscription: { status } }: AccountBilling): string {
  return STATUS_WORDS[status] ?? status
}

function planRows({ subscription, grace_until, tier }: AccountBilling): Html {
  const { plan, status, current_period_end: end, cancel_at_period_end, next_plan } = subscription
  if (plan === 'free') return html`<dt>Plan</dt><dd>None</dd>`
  const isOver = status === 'canceled' || status === 'past_due'
  return html`<dt>Plan</dt><dd>${itemName(plan)}${!isTierAtLeast(plan, tier) && ', below your assigned tier'}</dd>
${end !== null && html`<dt>${isOver ? 'Paid until' : 'Until'}</dt><dd>${dayHtml(end)}</dd>`}
${next_plan !== null && html`<dt>After that</dt><dd>${itemName(next_plan)}</dd>`}
${cancel_at_period_end && html`<dt>After that</dt><dd>The plan ends</dd>`}
${
  grace_until !== null &&
  html`<dt>Payment overdue</dt><dd>Pay by ${dayHtml(grace_until)} to keep the plan</dd>`
}`
}

function openOrders({ checkouts }: AccountBilling): Html {
  const rows = checkouts.map(({ id, item, amount_cents, provider, created_at, url }) => {
    const address = provider === 'manual' ? `/checkout/${id}` : url
    const name = html`${itemName(item)}`
    return html`<tr><td>${address === null ? name : html`<a href="${address}">${name}</a>`}<br>
<span class="small soft">${provider === 'manual' && html`${shortReference(id)}, `}${dayHtml(created_at)}</span></td>
<td>${formatCents(amount_cents)}</td></tr>`
  })
  return html`<section class="panel">
<h2>Waiting for payment</h2>
<table><thead><tr><th scope="col">Order</th><th scope="col">Price</th></tr></thead>
<tbody>${rows}</tbody></table>
</section>`
}

const KINDS = {
  payment: 'Paid',
  refund: 'Refunded',
  dispute: 'Disputed',
  dispute_won: 'Dispute won',
}

function movements({ movements }: AccountBilling): Html {
  if (movements.length === 0) return html`<p>No payments yet.</p>`
  const rows = movements.map(({ item, kind, amount_cents, at }) => {
    return html`<tr><td>${itemName(item)}<br><span class="small soft">${KINDS[kind]}, ${dayHtml(at)}</span></td>
<td>${formatCents(amount_cents)}</td></tr>`
  })
  return html`<table><thead><tr><th scope="col">Item</th><th scope="col">Amount</th></tr></thead>
<tbody>${rows}</tbody></table>`
}

const BUY = html`<p>Buy a <a href="/account/plan">plan</a> or a <a href="/account/scans">scan pack</a>
in your account.</p>`

const HOW: Record<BillingSettings['provider'], (settings: BillingSettings) => Html> = {
  stripe:
    () => html`<p>Choose <em>Manage subscription</em> on your <a href="/account/plan">plan</a> page to open Stripe,
where you can change or cancel the plan, update your card, and find invoices.</p>
${BUY}`,
  manual: (settings) => html`${BUY}
<p>Plans are paid monthly and do not renew automatically. Ordering the same plan again extends it. An upgrade
starts when it is paid and credits the rest of your current plan. A downgrade starts when your current plan
ends. For refunds, contact ${contactHtml(settings.provider === 'manual' ? settings.contact : undefined, 'Billing')}.</p>`,
  off: () => html`<p>Billing is disabled on this server.</p>`,
}
