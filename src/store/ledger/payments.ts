import type { Db } from '../db.ts'
import type { BillingPaymentRow } from './schema.ts'

/** A payment, or a refund with negative `amount_cents`. */
export type PaymentMovement = Pick<BillingPaymentRow, 'item' | 'kind' | 'amount_cents' | 'at'>

/** Payments as accounts see them; `BillingStore` writes them. */
export type PaymentStore = {
  /** Lists an account's payments and refunds, newest first. */
  listByAccount(accountId: number, limit: number): Promise<PaymentMovement[]>
  /** Returns the refunded US cents of a payment. */
  getRefundedCents(ref: string): Promise<number>
}

export function openPaymentStore(db: Db): PaymentStore {
  const ofAccount = db.prepare<[number, number], PaymentMovement>(
    `SELECT item, kind, amount_cents, at FROM billing_payments
      WHERE account_id = ? ORDER BY at DESC, id DESC LIMIT ?`,
  )
  const refunded = db
    .prepare<[string], number>('SELECT refunded_cents FROM billing_charges WHERE ref = ?')
    .pluck()

  return {
    listByAccount: async (accountId, limit) => ofAccount.all(accountId, limit),
    getRefundedCents: async (ref) => refunded.get(ref) ?? 0,
  }
}
