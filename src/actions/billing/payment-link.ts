export type Buyer = { account_id: number; email: string }

/** Page on which to pay, or to manage the existing subscription. */
export type PaymentLink = { url: string; kind: 'checkout' | 'portal' }
