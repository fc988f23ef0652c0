import type { LedgerEngine } from './engine/operation.ts'
import type { BillingChargeRow, BillingPaymentRow } from './schema/billing.ts'

/** A payment, or a refund with negative `amount_cents`. */
export type PaymentMovement = Pick<BillingPaymentRow, 'item' | 'kind' | 'amount_cents' | 'at'>

/** Payments as accounts see them; `BillingStore` writes them. */
export type PaymentStore = {
  /** Lists an account's payments and refunds, newest first. */
  listByAccount(accountId: number, limit: number): Promise<PaymentMovement[]>
  /** Returns the refunded US cents of a payment. */
  getRefundedCents(ref: string): Promise<number>
}

export function openPaymentStore(engine: LedgerEngine): PaymentStore {
  const { query } = engine
  const ofAccount = engine.prepare<[number, number], PaymentMovement>(
    `SELECT item, kind, amount_cents, at FROM billing_payments
      WHERE account_id = ? ORDER BY at DESC, id DESC LIMIT ?`,
  )
  const refunded = engine.prepare<[string], Pick<BillingChargeRow, 'refunded_cents'>>(
    'SELECT refunded_cents FROM billing_charges WHERE ref = ?',
  )

  return {
    listByAccount: (accountId, limit) => query(ofAccount.all(accountId, limit)),
    getRefundedCents: async (ref) => (await query(refunded.get(ref)))?.refunded_cents ?? 0,
  }
}
