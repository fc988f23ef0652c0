import type { CheckoutDetails } from '#actions/billing/get-billing.ts'
import { maskEmail, shortReference } from '#rules/billing/checkout-reference.ts'
import { type BillableItem, isPlan, itemName } from '#rules/billing/plans.ts'
import { contactHtml, dayHtml, formatCents, termText } from './format.ts'
import { type Html, html } from './html.ts'
import type { HtmlPage } from './layout.ts'

/** Where a checkout of manual billing is read: what is bought, and what happens next. */
export function checkoutPage(told: CheckoutDetails, contact: string | undefined): HtmlPage {
  const { checkout, email } = told
  const { item, amount_cents } = checkout
  const state = stateOf(told)
  const title = itemName(item)
  return {
    title: `${title}, ${state}`,
    body: html`<section>
<p class="state ${TONES[state]}">${WORDS[state]}</p>
<div class="head"><h1>${title}</h1><p class="price">${formatCents(amount_cents)}</p></div>
<p class="soft">${termText(item)}</p>
<dl>
<dt>Account</dt><dd>${maskEmail(email)}</dd>
<dt>Reference</dt><dd><code>${shortReference(checkout.id)}</code></dd>
<dt>Ordered</dt><dd>${dayHtml(checkout.created_at)}</dd>
</dl>
</section>
<section>
${NEXT[state](told, contact)}
</section>`,
  }
}

/** The answer to an id that nobody was given. */
export function checkoutNotFoundPage(): HtmlPage {
  return {
    title: 'No such order',
    body: html`<section>
<p class="state">Not found</p>
<h1>There is no order at this address</h1>
<p>Look whether the whole address was copied. A new order is made with
<code>POST /v1/payments/create-checkout</code>; the <a href="/docs">API documents</a> show how.</p>
</section>`,
  }
}

type State = 'open' | 'paid' | 'refunded' | 'ended'

function stateOf({ checkout: { state }, is_refunded }: CheckoutDetails): State {
  return is_refunded ? 'refunded' : state
}

const WORDS: Record<State, string> = {
  open: 'Waiting for payment',
  paid: 'Paid',
  refunded: 'Refunded',
  ended: 'Over',
}

const TONES: Record<State, string> = { open: 'wait', paid: 'good', refunded: '', ended: '' }

const NEXT: Record<State, (told: CheckoutDetails, contact: string | undefined) => Html> = {
  open({ checkout: { id, item, expires_at } }, contact) {
    const reference = shortReference(id)
    const reach = contactHtml(contact, `Order ${reference}: ${itemName(item)}`)
    return html`<h2>What happens next</h2>
<ol>
<li>Arrange the payment with the operator of this service: ${reach}.</li>
<li>Quote this reference, so that the payment is found:<br><code class="reference">${reference}</code></li>
<li>${whenPaid(item)} Load this page again to see it.</li>
</ol>
<p class="soft">No money is taken on this page. The order is open until ${dayHtml(expires_at)}.</p>`
  },
  paid({ checkout }) {
    return html`<h2>Thank you</h2>
<p>Paid on ${dayHtml(checkout.closed_at ?? checkout.created_at)}. ${whatCame(checkout.item)}</p>
<p class="soft">Plan, scans and payments of your account are on the <a href="/billing">billing page</a>.</p>`
  },
  refunded({ checkout: { item } }) {
    return html`<h2>The money went back</h2>
<p>${
      isPlan(item)
        ? 'What was left of the month that it paid has ended.'
        : 'Its scans were taken back; those that were used already count against the next ones.'
    }</p>
${askAnew(item)}`
  },
  ended({ checkout: { item } }) {
    return html`<h2>This order is over</h2>
<p>It was not paid in time, or another one took its place. Do not pay it any more.</p>
${askAnew(item)}`
  },
}

function whenPaid(billableItem: BillableItem): Html {
  return isPlan(billableItem)
    ? html`As soon as the operator confirms it, your account has the plan: every key of yours has it with
its next request.`
    : html`As soon as the operator confirms it, the scans are in your account.`
}

function whatCame(billableItem: BillableItem): string {
  return isPlan(billableItem)
    ? 'The plan counted from the next request of every key on.'
    : 'The scans are in the account.'
}

function askAnew(billableItem: BillableItem): Html {
  return html`<p>To order it anew, send <code>POST /v1/payments/create-checkout</code> with
<code>{"plan": "${billableItem}"}</code>; the <a href="/docs">API documents</a> show how.</p>`
}
