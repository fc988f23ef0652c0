/** Texts of the form of an alert, and of its condition and state. */
import { type Markup, rich } from '../../rich-text.ts'

export const printing = 'Printing'
export const mostExpensivePrinting = 'Most expensive printing'
export const printingNow = ({
  printing,
  marketPrice,
}: Record<'printing' | 'marketPrice', string>) => `${printing}, now ${marketPrice}`
export const atOrBelow = 'at or below'
export const atOrAbove = 'at or above'
export const alertMeWhenThePriceIs = 'Alert me when the price is'
export const priceIn = (currency: string) => `Price in ${currency}`
export const noCurrentPrice = 'No current price.'
export const priceNow = (price: string) => `Now ${price}.`
export const alreadyReached = (price: string) =>
  `Now ${price}. Already reached: you get an alert after the next sync.`
export const urlHint = ({ code, link }: Record<'code' | 'link', Markup>) =>
  rich`Cardstock sends a ${code('POST')} request to this URL. ${link('Payload and signature')}`
export const webhookUrl = 'Webhook URL'
export const price = 'Price'
export const orMore = (amount: string) => `${amount} or more`
export const orLess = (amount: string) => `${amount} or less`
export const active = 'Active'
export const paused = 'Paused'
export const pausedByYou = 'Paused by you. No alerts are sent.'
export const suspended = 'Suspended'
export const suspendedByPlan = 'Your plan does not include alerts. No alerts are sent.'
export const stopped = 'Stopped'
export const webhookAnswered410Gone =
  'Your webhook answered 410 Gone. Resume once it accepts deliveries again.'
export const deliveriesFailed =
  'Deliveries failed for three days. Fix your webhook, send a test, then resume.'
export const enterAPrice = (currency: string) => `Enter a price in ${currency}, such as 12.50.`
