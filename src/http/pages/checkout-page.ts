import type { CheckoutDetails } from '#actions/billing/get-billing.ts'
import { maskEmail, shortReference } from '#rules/billing/billing.ts'
import { type BillableItem, isPlan, itemName } from '#rules/billing/plans.ts'
import { contactHtml, dayHtml, formatCents, termText } from './format.ts'
import { type Html, html } from './html.ts'
import type { HtmlPage } from './private-page.ts'

/** Renders the page of a manual billing checkout: the order and the next steps. */
export function checkoutPage(details: CheckoutDetails, contact: string | undefined): HtmlPage {
  const { checkout, email } = details
  const { item, amount_cents } = checkout
  const state = getState(details)
  const title = itemName(item)
  return {
    title: `${title}, ${state}`,
    body: html`<section class="panel">
<p class="tag order-state ${TONES[state]}">${LABELS[state]}</p>
<div class="order-head"><h1>${title}</h1><p class="order-price">${formatCents(amount_cents)}</p></div>
<p class="small soft">${termText(item)}</p>
<dl>
<dt>Account</dt><dd>${maskEmail(email)}</dd>
<dt>Reference</dt><dd><code>${shortReference(checkout.id)}</code></dd>
<dt>Ordered</dt><dd>${dayHtml(checkout.created_at)}</dd>
</dl>
</section>
<section class="panel">
${NEXT[state](details, contact)}
</section>`,
  }
}

/** Renders the page for an unknown checkout id. */
export function checkoutNotFoundPage(): HtmlPage {
  return {
    title: 'Order not found',
    body: html`<section class="panel">
<p class="tag order-state">Not found</p>
<h1>Order not found</h1>
<p>Check that you copied the whole address. To create a new order, choose a <a href="/account/plan">plan</a> or a
<a href="/account/scans">scan pack</a>.</p>
</section>`,
  }
}

type State = 'open' | 'paid' | 'refunded' | 'ended'

function getState({ checkout: { state }, is_refunded }: CheckoutDetails): State {
  return is_refunded ? 'refunded' : state
}

const LABELS: Record<State, string> = {
  open: 'Waiting for payment',
  paid: 'Paid',
  refunded: 'Refunded',
  ended: 'Closed',
}

const TONES: Record<State, string> = { open: 'wait', paid: 'good', refunded: '', ended: '' }

const NEXT: Record<State, (details: CheckoutDetails, contact: string | undefined) => Html> = {
  open({ checkout: { id, item, expires_at } }, contact) {
    const reference = shortReference(id)
    const reach = contactHtml(contact, `Order ${reference}: ${itemName(item)}`)
    return html`<h2>What happens next</h2>
<ol>
<li>Contact ${reach} to arrange the payment.</li>
<li>Include this reference:<br><code class="order-reference">${reference}</code></li>
<li>${confirmationText(item)} Reload this page to check.</li>
</ol>
<p class="small soft">You cannot pay on this page. The order is open until ${dayHtml(expires_at)}.</p>`
  },
  paid({ checkout }) {
    return html`<h2>Thank you</h2>
<p>Paid on ${dayHtml(checkout.closed_at ?? checkout.created_at)}. ${paidText(checkout.item)}</p>
<p class="small soft">See your plan, scans and payments on the <a href="/billing">billing page</a>.</p>`
  },
  refunded({ checkout: { item } }) {
    return html`<h2>Order refunded</h2>
<p>${
      isPlan(item)
        ? 'The rest of the paid month has been removed.'
        : 'Its scans were removed. Scans that you already used are deducted from your next scans.'
    }</p>
${orderAgain(item)}`
  },
  ended({ checkout: { item } }) {
    return html`<h2>Order closed</h2>
<p>This order expired or was replaced by another one. Do not pay it.</p>
${orderAgain(item)}`
  },
}

function confirmationText(billableItem: BillableItem): Html {
  return isPlan(billableItem)
    ? html`When the operator confirms the payment, the plan applies to all your keys.`
    : html`When the operator confirms the payment, the scans are added to your account.`
}

function paidText(billableItem: BillableItem): string {
  return isPlan(billableItem)
    ? 'The plan applies to all keys of the account.'
    : 'The scans were added to the account.'
}

function orderAgain(billableItem: BillableItem): Html {
  const path = isPlan(billableItem) ? '/account/plan' : '/account/scans'
  return html`<p><a href="${path}">Order again</a></p>`
}
