import { type MailBody, renderMailBody } from '../primitives/mail-body.ts'
import type { AlertCondition } from './alert-condition.ts'

/** An alert as channels render it; money is in `currency`, or in US dollars. */
export type MessageAlert = {
  id: string
  card_id: number
  card_name: string
  printing: string | null
  condition: AlertCondition
  threshold: number
  current_price: number
  currency?: string
}

/** Body of a message: an alert, or a digest of several. */
export type ChannelMessage = {
  /** The newest alerts of the message, newest first. */
  alerts: readonly MessageAlert[]
  total: number
}

/** Links of a message. */
export type MessageLinks = {
  /** URL of the dashboard, without a trailing slash. */
  publicUrl: string
  /** Page that ends the channel. */
  unsubscribeUrl: string
}

/** Maximum number of alerts that a digest lists. */
export const DIGEST_ALERTS_MAX = 50

/** Formats the body of a message from the bodies of notifications. */
export function formatChannelMessage(
  notifications: readonly { id: string; body: string }[],
  total: number,
): string {
  const alerts = notifications.map(({ id, body }) => ({ id, ...JSON.parse(body) }))
  return JSON.stringify({ alerts, total } satisfies ChannelMessage)
}

/** "Pikachu (Foil) is at $4.50", or the number of alerts. */
function messageTitle({ alerts: [first], total }: ChannelMessage): string {
  if (total !== 1 || first === undefined) return `${total} price alerts`
  return `${cardText(first)} is at ${priceText(first, first.current_price)}`
}

/** "Your alert: $5.00 or less." */
export function conditionSentence(alert: MessageAlert): string {
  const side = alert.condition === 'above' ? 'more' : 'less'
  return `Your alert: ${priceText(alert, alert.threshold)} or ${side}.`
}

/** Renders an alert as a line of a digest. */
export function alertLine(alert: MessageAlert): string {
  return `${cardText(alert)} is at ${priceText(alert, alert.current_price)}. ${conditionSentence(alert)}`
}

function alertCardUrl({ publicUrl }: MessageLinks, alert: MessageAlert): string {
  return `${publicUrl}/cards/${alert.card_id}`
}

/** Returns the page that a message opens: the card of a single alert, or the list of alerts. */
export function messageUrl(
  { alerts: [first], total }: ChannelMessage,
  links: MessageLinks,
): string {
  return total === 1 && first !== undefined
    ? alertCardUrl(links, first)
    : `${links.publicUrl}/alerts`
}

/** Renders a message as a mail. */
export function renderAlertMail(
  message: ChannelMessage,
  links: MessageLinks,
  isTest: boolean,
): MailBody & { subject: string } {
  const rest = message.total - message.alerts.length
  const body = renderMailBody({
    parts: [
      ...(isTest ? [TEST_NOTE] : []),
      ...message.alerts.map((alert) => ({
        label: alertLine(alert),
        url: alertCardUrl(links, alert),
      })),
      ...(rest > 0 ? [`And ${rest} more.`] : []),
      { label: 'All alerts', url: `${links.publicUrl}/alerts` },
    ],
    footer: [
      'You get this mail because you watch prices with this address.',
      { label: 'Unsubscribe', url: links.unsubscribeUrl },
    ],
  })
  return { ...body, subject: testTitle(message, isTest) }
}

/** Returns the title of a message, marked if it is a test. */
export function testTitle(message: ChannelMessage, isTest: boolean): string {
  return isTest ? `Test: ${messageTitle(message)}` : messageTitle(message)
}

/** Explains a test to its receiver. */
const TEST_NOTE = 'This is a test of a channel for price alerts.'

/** Renders the mail that asks the owner of an address to confirm it. */
export function renderChannelConfirmation(confirmUrl: string): MailBody & { subject: string } {
  return {
    subject: 'Confirm your address for price alerts',
    ...renderMailBody({
      parts: [
        'Somebody, probably you, wants price alerts at this address.',
        { label: 'Confirm this address', url: confirmUrl },
        'The link is valid for three days. Without it, no alerts are sent here.',
      ],
    }),
  }
}

function cardText({ card_name, printing }: MessageAlert): string {
  return printing === null ? card_name : `${card_name} (${printing})`
}

function priceText({ currency = 'USD' }: MessageAlert, amount: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount)
}
