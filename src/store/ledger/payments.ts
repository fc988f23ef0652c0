import type { BillableItem } from '#rules/billing/plans.ts'
import type { Db } from '../db.ts'

/** Money that came in, or went back: then `amount_cents` is below 0. */
export type PaymentMovement = {
  item: BillableItem
  kind: 'payment' | 'refund' | 'dispute' | 'dispute_won'
  amount_cents: number
  at: number
}

/** What accounts paid, as they are shown it; `billing.record` and `billing.put` write it. */
export function openPaymentStore(db: Db) {
  const ofAccount = db.prepare<[number, number], PaymentMovement>(
    `SELECT item, kind, amount_cents, at FROM billing_payments
      WHERE account_id = ? ORDER BY at DESC, id DESC LIMIT ?`,
  )
  const refunded = db
    .prepare<[string], number>('SELECT refunded_cents FROM billing_charges WHERE ref = ?')
    .pluck()

  return {
    /** The last movements of an account's money, newest first. */
    listByAccount: async (accountId: number, limit: number): Promise<PaymentMovement[]> =>
      ofAccount.all(accountId, limit),
    /** US cents of a payment that were refunded. */
    getRefundedCents: async (ref: string): Promise<number> => refunded.get(ref) ?? 0,
  }
}
