import type { AccountBilling } from '#actions/billing/get-billing.ts'
import type { BillingSettings } from '#config.ts'
import { isTierAtLeast, tierName } from '#rules/accounts/tiers.ts'
import { shortReference } from '#rules/billing/checkout-reference.ts'
import { itemName } from '#rules/billing/plans.ts'
import { contactHtml, dayHtml, formatCents } from './format.ts'
import { type Html, html } from './html.ts'
import type { HtmlPage } from './layout.ts'

/**
 * What an account has, what it pays for, and how that is changed.
 *
 * @param isBack whether the reader comes back from having paid at Stripe
 */
export function billingPage(
  told: AccountBilling,
  settings: BillingSettings,
  isBack: boolean,
): HtmlPage {
  return {
    title: 'Billing',
    body: html`${isBack && THANKS}
<section>
<p class="state ${toneOf(told)}">${statusText(told)}</p>
<h1>${tierName(told.tier)} tier</h1>
<dl>
<dt>Account</dt><dd>${told.email}</dd>
${planRows(told)}
<dt>Scans left</dt><dd>${told.scans.toLocaleString('en-US')}</dd>
</dl>
</section>
${told.checkouts.length > 0 && openOrders(told)}
<section>
<h2>Change something</h2>
${HOW[settings.provider](settings)}
</section>
<section>
<h2>Payments</h2>
${movements(told)}
</section>`,
  }
}

/** For whoever is not logged in. */
export function loginPage(isBack: boolean): HtmlPage {
  return {
    title: 'Log in',
    body: html`${isBack && THANKS}
<section>
<p class="state">Not logged in</p>
<h1>Log in to see your billing</h1>
<p><a href="/login?to=/billing">Log in</a>, and this page shows what you have and what you paid for.</p>
</section>`,
  }
}

/** Where BILLING_PROVIDER is off. */
export function billingDisabledPage(): HtmlPage {
  return {
    title: 'Nothing is sold here',
    body: html`<section>
<p class="state">Billing is off</p>
<h1>Nothing is sold here</h1>
<p>Ask whoever runs this service for another tier, or for scans.</p>
</section>`,
  }
}

/** For a fault of ours. */
export function errorPage(requestId: string): HtmlPage {
  return {
    title: 'Something went wrong',
    body: html`<section>
<p class="state bad">Error</p>
<h1>Something went wrong on our side</h1>
<p>Load the page again in a while. If it stays so, tell whoever runs this service this number:
<code>${requestId}</code></p>
</section>`,
  }
}

const THANKS = html`<p class="note good" role="status">Thank you. It can take a moment until a payment shows
here: load the page again.</p>`

function toneOf({ subscription: { status } }: AccountBilling): string {
  if (status === 'past_due' || status === 'unpaid') return 'wait'
  return status === 'active' || status === 'trialing' ? 'good' : ''
}

const STATUS_WORDS: Record<string, string> = {
  none: 'No plan',
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Payment missing',
  unpaid: 'Not paid',
  paused: 'Paused',
  incomplete: 'Waiting for payment',
  canceled: 'Plan is over',
  incomplete_expired: 'Plan was not paid',
}

function statusText({ subscription: { status } }: AccountBilling): string {
  return STATUS_WORDS[status] ?? status
}

function planRows({ subscription, grace_until, tier }: AccountBilling): Html {
  const { plan, status, current_period_end: end, cancel_at_period_end, next_plan } = subscription
  if (plan === 'free') return html`<dt>Plan</dt><dd>None</dd>`
  const isOver = status === 'canceled' || status === 'past_due'
  return html`<dt>Plan</dt><dd>${itemName(plan)}${!isTierAtLeast(plan, tier) && ', below the tier that you were given'}</dd>
${end !== null && html`<dt>${isOver ? 'Paid until' : 'Until'}</dt><dd>${dayHtml(end)}</dd>`}
${next_plan !== null && html`<dt>After that</dt><dd>${itemName(next_plan)}</dd>`}
${cancel_at_period_end && html`<dt>After that</dt><dd>The plan ends</dd>`}
${
  grace_until !== null &&
  html`<dt>Payment missing</dt><dd>The plan stays until ${dayHtml(grace_until)}, then the account is on the
Free tier</dd>`
}`
}

function openOrders({ checkouts }: AccountBilling): Html {
  const rows = checkouts.map(({ id, item, amount_cents, provider, created_at, url }) => {
    const address = provider === 'manual' ? `/checkout/${id}` : url
    const name = html`${itemName(item)}`
    return html`<tr><td>${address === null ? name : html`<a href="${address}">${name}</a>`}<br>
<small>${provider === 'manual' && html`${shortReference(id)}, `}${dayHtml(created_at)}</small></td>
<td class="number">${formatCents(amount_cents)}</td></tr>`
  })
  return html`<section>
<h2>Waiting for payment</h2>
<table><thead><tr><th scope="col">Order</th><th scope="col" class="number">Price</th></tr></thead>
<tbody>${rows}</tbody></table>
</section>`
}

const KINDS = {
  payment: 'Paid',
  refund: 'Refunded',
  dispute: 'Disputed',
  dispute_won: 'Given back',
}

function movements({ movements }: AccountBilling): Html {
  if (movements.length === 0) return html`<p>Nothing was paid yet.</p>`
  const rows = movements.map(({ item, kind, amount_cents, at }) => {
    return html`<tr><td>${itemName(item)}<br><small>${KINDS[kind]}, ${dayHtml(at)}</small></td>
<td class="number">${formatCents(amount_cents)}</td></tr>`
  })
  return html`<table><thead><tr><th scope="col">What</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>${rows}</tbody></table>`
}

const BUY = html`<p>Choose a <a href="/account/plan">plan</a> or a <a href="/account/scans">pack of scans</a>
on the pages of your account.</p>`

const HOW: Record<BillingSettings['provider'], (settings: BillingSettings) => Html> = {
  stripe:
    () => html`<p><em>Manage subscription</em> on the page of your <a href="/account/plan">plan</a> leads to Stripe,
where you change or cancel the plan, change the card, and find invoices.</p>
${BUY}`,
  manual: (settings) => html`${BUY}
<p>A plan is paid by the month and does not renew by itself. Order the same one again and it goes on where it
ends; a dearer one begins when it is paid, and what is left of the old one counts as time of the new one; a
cheaper one begins when the old one ends. To give something back, ask the operator:
${contactHtml(settings.provider === 'manual' ? settings.contact : undefined, 'Billing')}.</p>`,
  off: () => html`<p>Nothing is sold here.</p>`,
}
