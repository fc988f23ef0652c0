import {
  type ChargeFacts,
  countReversedScans,
  type PaymentFacts,
  type PurchaseFacts,
} from '#rules/billing/billing.ts'
import { PACK_SCANS } from '#rules/billing/plans.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import { openScanLedger } from './scan-ledger.ts'
import type { BillingChargeRow, BillingPaymentRow, ScanPurchaseRow } from './schema/billing.ts'

type Movement = Omit<BillingPaymentRow, 'id'>

type Purchase = Pick<ScanPurchaseRow, 'ref' | 'account_id' | 'scans' | 'amount_cents' | 'reversed'>

type Reversal = Pick<BillingChargeRow, 'refunded_cents' | 'disputed_cents' | 'asked'>

/** Payments and refunds, and the scans that they pay for. The caller provides the transaction. */
export type ChargeStore = {
  /** Enters a payment, once. */
  addPayment(payment: PaymentFacts, at: number): LedgerOperation<void>
  /** Adds the scans of a pack, once. */
  addPurchase(purchase: PurchaseFacts, at: number): LedgerOperation<void>
  /** Stores a payment's refunds and disputes; false if a later response is already stored. */
  putCharge(charge: ChargeFacts, sequence: number, at: number): LedgerOperation<boolean>
}

export function openChargeStore(engine: LedgerEngine): ChargeStore {
  const scanLedger = openScanLedger(engine)
  const addMovement = engine.prepare<[Movement]>(
    `INSERT INTO billing_payments (account_id, provider, item, kind, amount_cents, ref, at)
     VALUES (@account_id, @provider, @item, @kind, @amount_cents, @ref, @at)
     ON CONFLICT DO NOTHING`,
  )
  const addPurchase = engine.prepare<[PurchaseFacts & { scans: number; at: number }]>(
    `INSERT INTO scan_purchases (ref, account_id, item, scans, amount_cents, at)
     VALUES (@ref, @account_id, @item, @scans, @amount_cents, @at) ON CONFLICT DO NOTHING`,
  )
  const purchase = engine.prepare<[string], Purchase>(
    'SELECT ref, account_id, scans, amount_cents, reversed FROM scan_purchases WHERE ref = ?',
  )
  const putReversed = engine.prepare<[number, string]>(
    'UPDATE scan_purchases SET reversed = ? WHERE ref = ?',
  )
  const charge = engine.prepare<[string], Reversal>(
    'SELECT refunded_cents, disputed_cents, asked FROM billing_charges WHERE ref = ?',
  )
  const putCharge = engine.prepare<
    [Omit<ChargeFacts, 'amount_cents' | 'provider'> & { asked: number }]
  >(
    `INSERT INTO billing_charges (ref, account_id, item, purchase, subscription,
       refunded_cents, disputed_cents, paid_at, asked)
     VALUES (@ref, @account_id, @item, @purchase, @subscription,
       @refunded_cents, @disputed_cents, @paid_at, @asked)
     ON CONFLICT (ref) DO UPDATE SET refunded_cents = excluded.refunded_cents,
       disputed_cents = excluded.disputed_cents, asked = excluded.asked`,
  )

  /** Removes or restores scans of a pack in proportion to its refunds and disputes. */
  function* reverse(
    ref: string,
    { refunded_cents, disputed_cents, asked }: Reversal,
    at: number,
  ): LedgerOperation<void> {
    const known = yield* purchase.get(ref)
    if (known === undefined) throw new Error(`purchase ${ref} not found`)
    const reversed = countReversedScans(known, refunded_cents + disputed_cents)
    const more = reversed - known.reversed
    if (more === 0) return
    yield* putReversed.run(reversed, ref)
    const { account_id } = known
    const entry = { account_id, n: Math.abs(more), ref: `${ref}:${asked}`, at }
    if (more > 0) yield* scanLedger.reverse(entry)
    else yield* scanLedger.add({ ...entry, kind: 'reinstatement' })
  }

  return {
    *addPayment(payment, at) {
      if (payment.amount_cents === 0) return
      yield* addMovement.run({ ...payment, kind: 'payment', at })
    },
    *addPurchase(bought, at) {
      const { ref, account_id, item, amount_cents } = bought
      const n = PACK_SCANS[item]
      if ((yield* addPurchase.run({ ...bought, scans: n, at })) === 0) return
      yield* scanLedger.add({ account_id, kind: 'purchase', n, amount_cents, ref, at })
    },
    *putCharge(reported, sequence, at) {
      const before = (yield* charge.get(reported.ref)) ?? NOTHING_REVERSED
      if (before.asked >= sequence) return false
      const { amount_cents: _, provider, ...facts } = reported
      yield* putCharge.run({ ...facts, asked: sequence })
      const { account_id, item } = reported
      const movement = { account_id, provider, item, ref: `${reported.ref}:${sequence}`, at }
      const refunded = reported.refunded_cents - before.refunded_cents
      if (refunded !== 0) {
        yield* addMovement.run({ ...movement, kind: 'refund', amount_cents: -refunded })
      }
      const disputed = reported.disputed_cents - before.disputed_cents
      const kind = disputed > 0 ? 'dispute' : 'dispute_won'
      if (disputed !== 0) yield* addMovement.run({ ...movement, kind, amount_cents: -disputed })
      if (reported.purchase !== null) {
        yield* reverse(reported.purchase, { ...reported, asked: sequence }, at)
      }
      return true
    },
  }
}

const NOTHING_REVERSED: Reversal = { refunded_cents: 0, disputed_cents: 0, asked: -1 }
