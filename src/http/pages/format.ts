import { type BillableItem, isPlan } from '#rules/billing/plans.ts'
import { toDollars } from '#rules/primitives/money.ts'
import { type Html, html } from './html.ts'

/** Formats an amount of US cents: `$12.50`, with a minus for refunds. */
export function formatCents(cents: number): string {
  const amount = toDollars(Math.abs(cents)).toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  return `${cents < 0 ? '−' : ''}$${amount}`
}

/** Formats a UTC date, with a machine-readable time. */
export function dayHtml(time: number | string): Html {
  const date = new Date(time)
  const text = date.toLocaleDateString('en-US', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return html`<time datetime="${date.toISOString()}">${text}</time>`
}

/** Describes the term of a price. */
export function termText(billableItem: BillableItem): string {
  if (isPlan(billableItem)) return 'For one month. Does not renew automatically.'
  return 'One-time payment. Scans never expire.'
}

/** Formats the contact of the operator, as a link if possible. */
export function contactHtml(contact: string | undefined, subject: string): Html {
  if (contact === undefined) return html`the operator of this service`
  if (/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(contact)) {
    const address = `mailto:${encodeURIComponent(contact).replace('%40', '@')}`
    return html`<a href="${address}?subject=${encodeURIComponent(subject)}">${contact}</a>`
  }
  const isLink = URL.canParse(contact) && new URL(contact).protocol === 'https:'
  return isLink ? html`<a href="${contact}" rel="noreferrer">${contact}</a>` : html`${contact}`
}
