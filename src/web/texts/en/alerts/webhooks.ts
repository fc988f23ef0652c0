/** Texts of webhooks: their alerts, deliveries and tests. */
import type { ReactNode } from 'react'
import { pluralText } from '../../../format.ts'
import { rich } from '../../rich-text.ts'

export const webhooks = 'Webhooks'
export const webhooksLead = 'Get a webhook when a card reaches your price.'
export const newAlert = 'New alert'
export const yourAlerts = 'Your alerts'
export const deliveries = 'Deliveries'
export const alert = 'Alert'
export const deliveriesLead = 'Deliveries and their results.'
export const secretFor = (card: string) => `Webhook secret for ${card}`
export const secretForId = (cardId: number) => `Webhook secret for card ${cardId}`
export const deliveriesAreSigned =
  'Deliveries are signed with this secret. It is shown only once, so save it now.'
export const howToVerifySignatures = 'How to verify signatures'
export const webhooksRequirePro = 'Webhooks require Pro'
export const proExplained =
  'Choose a card and a price. When the card reaches it, Cardstock sends a signed webhook to your URL. Failed deliveries are retried for three days. Alerts for people are free: choose the bell of a card.'
export const noAlertsYet = 'No alerts yet'
export const noAlertsYetText =
  'Choose a card, a price and a webhook URL. You get one alert each time the price is reached.'
export const createAlert = 'Create alert'
export const cardOfId = (cardId: number) => `Card ${cardId}`
export const sending = 'Sending…'
export const sendTest = 'Send test'
export const pause = 'Pause'
export const resume = 'Resume'
export const edit = 'Edit'
export const deleteLabel = 'Delete'
export const deleteThisAlert = 'Delete this alert?'
export const deleteAlert = 'Delete alert'
export const noMoreAlertsFor = (name: ReactNode) =>
  rich`You will receive no more alerts for ${name}. Pending deliveries are discarded.`
export const alertsAt = (condition: ReactNode) => rich`Alerts at ${condition}`
export const now = (price: string) => `now ${price}`
export const webhook = (url: ReactNode) => rich`Webhook: ${url}`
export const noAlertsInTheLast30 = 'No alerts in the last 30 days'
export const lastAlert = (lastAlertAt: string) => `Last alert ${lastAlertAt}`
export const previousSecretAlsoWorks = (previousSecretUntil: string) =>
  `The previous secret also works until ${previousSecretUntil}.`
export const cancel = 'Cancel'
export const changeCard = 'Change card'
export const editAlertFor = (card: string) => `Edit alert for ${card}`
export const editAlertForId = (cardId: number) => `Edit alert for card ${cardId}`
export const priceOrMore = (currency: string) => `Price in ${currency}, or more`
export const priceOrLess = (currency: string) => `Price in ${currency}, or less`
export const save = 'Save'
export const createNewSecret = 'Create new secret'
export const noDeliveriesInTheLast30 =
  'No deliveries in the last 30 days. Send a test to check your webhook.'
export const sendNow = 'Send now'
export const resend = 'Resend'
export const attempts = 'Attempts'
export const payload = 'Payload'
export const pending = 'Pending'
export const delivered = 'Delivered'
export const failed = 'Failed'
export const noResponse = 'No response'
export const alertAt = (price: string) => `Alert at ${price}`
export const test = 'Test'
export const testAt = (price: string) => `Test at ${price}`

type Ended = { when: string | undefined; attempts: number }

export const deliveredAfter = ({ when, attempts }: Ended) =>
  pluralText(attempts, {
    one: when === undefined ? 'Delivered, after # attempt.' : `Delivered ${when}, after # attempt.`,
    other:
      when === undefined ? 'Delivered, after # attempts.' : `Delivered ${when}, after # attempts.`,
  })
export const failedAfter = ({ when, attempts }: Ended) =>
  pluralText(attempts, {
    one: when === undefined ? 'Failed, after # attempt.' : `Failed ${when}, after # attempt.`,
    other: when === undefined ? 'Failed, after # attempts.' : `Failed ${when}, after # attempts.`,
  })
export const sendingNow = 'Sending now.'
export const nextAttemptSoon = 'Next attempt within a minute.'
export const nextAttempt = (when: string) => `Next attempt ${when}.`
export const testDelivered = 'Test delivered.'
export const testFailed = 'Test failed.'
export const responseTook = ({ status, duration }: Record<'status' | 'duration', string>) =>
  `Response: ${status}. Took ${duration}.`
export const errorTook = ({ error, duration }: Record<'error' | 'duration', string>) =>
  `${error} Took ${duration}.`
export const responseBody = (text: ReactNode) => rich`Response body: ${text}`
