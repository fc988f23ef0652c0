import type {
  BillingProvider,
  ChargeFacts,
  PaymentFacts,
  PurchaseFacts,
} from '#rules/billing/billing.ts'
import { PACK_SCANS } from '#rules/billing/plans.ts'
import { countReversedScans } from '#rules/billing/refunded-scans.ts'
import type { Db } from '../db.ts'
import { openScanLedger } from './scan-ledger.ts'

type Movement = {
  account_id: number
  provider: BillingProvider
  item: string
  kind: 'payment' | 'refund' | 'dispute' | 'dispute_won'
  amount_cents: number
  ref: string
  at: number
}

type Purchase = {
  ref: string
  account_id: number
  scans: number
  amount_cents: number
  reversed: number
}

type Gone = { refunded_cents: number; disputed_cents: number; asked: number }

/**
 * Money that came and went, and the scans that it stands for; for callers that are within a transaction.
 */
export function openChargeStore(db: Db) {
  const book = openScanLedger(db)
  const addMovement = db.prepare<[Movement]>(
    `INSERT INTO billing_payments (account_id, provider, item, kind, amount_cents, ref, at)
     VALUES (@account_id, @provider, @item, @kind, @amount_cents, @ref, @at)
     ON CONFLICT DO NOTHING`,
  )
  const addPurchase = db.prepare<[PurchaseFacts & { scans: number; at: number }]>(
    `INSERT INTO scan_purchases (ref, account_id, item, scans, amount_cents, at)
     VALUES (@ref, @account_id, @item, @scans, @amount_cents, @at) ON CONFLICT DO NOTHING`,
  )
  const purchase = db.prepare<[string], Purchase>(
    'SELECT ref, account_id, scans, amount_cents, reversed FROM scan_purchases WHERE ref = ?',
  )
  const putReversed = db.prepare<[number, string]>(
    'UPDATE scan_purchases SET reversed = ? WHERE ref = ?',
  )
  const charge = db.prepare<[string], Gone>(
    'SELECT refunded_cents, disputed_cents, asked FROM billing_charges WHERE ref = ?',
  )
  const putCharge = db.prepare<
    [Omit<ChargeFacts, 'amount_cents' | 'provider'> & { asked: number }]
  >(
    `INSERT INTO billing_charges (ref, account_id, item, purchase, subscription,
       refunded_cents, disputed_cents, paid_at, asked)
     VALUES (@ref, @account_id, @item, @purchase, @subscription,
       @refunded_cents, @disputed_cents, @paid_at, @asked)
     ON CONFLICT (ref) DO UPDATE SET refunded_cents = excluded.refunded_cents,
       disputed_cents = excluded.disputed_cents, asked = excluded.asked`,
  )

  /** Takes back, or gives again, as many scans of a pack as its payment lost, or has again. */
  function reverse(ref: string, { refunded_cents, disputed_cents, asked }: Gone, at: number): void {
    const known = purchase.get(ref)
    if (known === undefined) throw new Error(`there is no purchase ${ref}`)
    const reversed = countReversedScans(known, refunded_cents + disputed_cents)
    const more = reversed - known.reversed
    if (more === 0) return
    putReversed.run(reversed, ref)
    const { account_id } = known
    const entry = { account_id, n: Math.abs(more), ref: `${ref}:${asked}`, at }
    if (more > 0) book.reverse(entry)
    else book.add({ ...entry, kind: 'reinstatement' })
  }

  return {
    /** Enters money that came in, once. */
    addPayment(payment: PaymentFacts, at: number): void {
      if (payment.amount_cents !== 0) addMovement.run({ ...payment, kind: 'payment', at })
    },
    /** Gives the scans of a pack, once. */
    addPurchase(bought: PurchaseFacts, at: number): void {
      const { ref, account_id, item, amount_cents } = bought
      const n = PACK_SCANS[item]
      if (addPurchase.run({ ...bought, scans: n, at }).changes === 0) return
      book.add({ account_id, kind: 'purchase', n, amount_cents, ref, at })
    },
    /**
     * Keeps how much of a payment went back, unless something later is known.
     *
     * @returns whether it was kept
     */
    putCharge(told: ChargeFacts, asked: number, at: number): boolean {
      const before = charge.get(told.ref) ?? { refunded_cents: 0, disputed_cents: 0, asked: -1 }
      if (before.asked >= asked) return false
      const { amount_cents: _, provider, ...facts } = told
      putCharge.run({ ...facts, asked })
      const { account_id, item } = told
      const movement = { account_id, provider, item, ref: `${told.ref}:${asked}`, at }
      const refunded = told.refunded_cents - before.refunded_cents
      if (refunded !== 0) addMovement.run({ ...movement, kind: 'refund', amount_cents: -refunded })
      const disputed = told.disputed_cents - before.disputed_cents
      const kind = disputed > 0 ? 'dispute' : 'dispute_won'
      if (disputed !== 0) addMovement.run({ ...movement, kind, amount_cents: -disputed })
      if (told.purchase !== null) reverse(told.purchase, { ...told, asked }, at)
      return true
    },
  }
}
