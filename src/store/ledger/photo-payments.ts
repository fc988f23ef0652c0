import {
  PAYER_FAILURE_WINDOW_MS,
  PAYER_FAILURES_MAX,
  UNPAID_PHOTOS_MAX,
} from '#rules/x402/payment-timeouts.ts'
import { type Db, durable, inTransaction } from '../db.ts'
import type { PhotoPaymentRow } from './schema.ts'

/** State of a payment; migration 0006 explains each. */
export type PaymentState = PhotoPaymentRow['state']

/** A payment for one photo. Times are epoch milliseconds. */
export type PhotoPayment = PhotoPaymentRow

/** Owner of new leases, and when they end. */
export type PaymentLease = { owner: string; now: Date; due_at: Date }

/** A payment that an owner has leased. */
export type HeldPayment = { id: string; owner: string; now: Date }

export type PaymentClaim = Pick<
  PhotoPayment,
  'id' | 'payer' | 'fingerprint' | 'payment' | 'valid_before'
> &
  PaymentLease

/** Result of claiming a payment. */
export type ClaimResult =
  /** The photo has to be read. */
  | { kind: 'to read' }
  /** The photo was read, but the process that was to settle it is gone. */
  | { kind: 'to settle'; payment: PhotoPayment }
  | { kind: 'settled'; payment: PhotoPayment }
  /** Settled so long ago that the answer was deleted. */
  | { kind: 'forgotten' }
  | { kind: 'failed' }
  /** Another owner has leased it. */
  | { kind: 'busy' }
  | { kind: 'other photo' }
  /** Too many payments of this payer failed; none is accepted until then. */
  | { kind: 'barred'; until: number }

/** Photos paid one by one, by several processes: each step checks the state and the owner. */
export type PhotoPaymentStore = PaymentSteps &
  PaymentLeases & {
    /** Returns a payment; undefined if not found. */
    getById(id: string): Promise<PhotoPayment | undefined>
    /** Claims a payment for a photo; of several concurrent requests one succeeds. */
    claim(claim: PaymentClaim): Promise<ClaimResult>
    /**
     * Deletes ended payments, but only the answer of settled ones; open ones stay, however old. At most
     * `limit` of each kind. @returns how many
     */
    deleteBefore(times: { ended: Date; released: Date }, limit: number): Promise<number>
  }

export function openPhotoPaymentStore(db: Db): PhotoPaymentStore {
  const find = db.prepare<[string], PhotoPayment>('SELECT * FROM photo_payments WHERE id = ?')
  const put = db.prepare<[Reservation]>(
    `INSERT INTO photo_payments
       (id, payer, fingerprint, state, payment, valid_before, owner, due_at, created_at, updated_at)
     VALUES (@id, @payer, @fingerprint, 'reserved', @payment, @valid_before, @owner, @due, @at, @at)
     ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'reserved',
       payment = excluded.payment, result = NULL, settlement = NULL,
       valid_before = excluded.valid_before, owner = excluded.owner, due_at = excluded.due_at,
       next_at = NULL, tries = 0, created_at = excluded.created_at, updated_at = excluded.updated_at`,
  )
  const takeOver = db.prepare<[string, number, number, string]>(
    'UPDATE photo_payments SET owner = ?, due_at = ?, updated_at = ? WHERE id = ?',
  )
  const failures = db
    .prepare<[string, number, number], number>(
      `SELECT updated_at FROM photo_payments
        WHERE payer = ? AND state = 'failed' AND updated_at > ?
          AND json_extract(settlement, '$.by_payer') ORDER BY updated_at DESC LIMIT ?`,
    )
    .pluck()
  const forget = (state: 'failed' | 'released') =>
    db.prepare<[number, number]>(
      `DELETE FROM photo_payments WHERE rowid IN
         (SELECT rowid FROM photo_payments WHERE updated_at < ? AND state = '${state}' LIMIT ?)`,
    )
  const [forgetFailed, forgetReleased] = [forget('failed'), forget('released')]
  // Settled payments stay in the books.
  const forgetAnswers = db.prepare<[number, number]>(
    `UPDATE photo_payments SET result = '', payment = '' WHERE rowid IN
       (SELECT rowid FROM photo_payments
         WHERE updated_at < ? AND state = 'settled' AND payment <> '' LIMIT ?)`,
  )
  const steps = openSteps(db)
  const leases = openLeases(db)

  /** @returns until when payments of a payer are refused */
  function barredUntil(payer: string, at: number): number | undefined {
    const latest = failures.all(payer, at - PAYER_FAILURE_WINDOW_MS, PAYER_FAILURES_MAX)
    const first = latest[PAYER_FAILURES_MAX - 1]
    return first === undefined ? undefined : first + PAYER_FAILURE_WINDOW_MS
  }

  function reserve({ now, due_at, ...claim }: PaymentClaim): ClaimResult {
    const at = now.getTime()
    const until = barredUntil(claim.payer, at)
    if (until !== undefined) return { kind: 'barred', until }
    put.run({ ...claim, due: due_at.getTime(), at })
    return { kind: 'to read' }
  }

  return {
    ...steps,
    ...leases,
    getById: async (id) => find.get(id),
    async claim(wanted) {
      // Not durable: nothing is paid before the photo has been read.
      return inTransaction(db, () => {
        const known = find.get(wanted.id)
        if (known === undefined || known.state === 'released') return reserve(wanted)
        const { state } = known
        const isOpen = state === 'reserved' || state === 'worked' || state === 'unknown'
        const isAbandoned = isOpen && known.due_at <= wanted.now.getTime()
        // No response was sent yet, and nothing can have been paid.
        if (isAbandoned && state === 'reserved') return reserve(wanted)
        if (known.fingerprint !== wanted.fingerprint) return { kind: 'other photo' }
        if (state === 'settled') {
          return known.payment === '' ? { kind: 'forgotten' } : { kind: 'settled', payment: known }
        }
        if (state === 'failed') return { kind: 'failed' }
        if (!isAbandoned) return { kind: 'busy' }
        takeOver.run(wanted.owner, wanted.due_at.getTime(), wanted.now.getTime(), wanted.id)
        return { kind: 'to settle', payment: known }
      })
    },
    deleteBefore: async ({ ended, released }, limit) =>
      forgetFailed.run(ended.getTime(), limit).changes +
      forgetAnswers.run(ended.getTime(), limit).changes +
      forgetReleased.run(released.getTime(), limit).changes,
  }
}

type Reservation = Omit<PaymentClaim, 'now' | 'due_at'> & { due: number; at: number }

/** State changes of a payment; false if the owner has lost it or the state does not allow them. */
export type PaymentSteps = {
  /** Notes a verified payment; only these count as unpaid, as others can name any payer. */
  markVerified(
    held: HeldPayment,
    verified: { payer: string; verification: string },
  ): Promise<'verified' | 'too many' | 'gone'>
  /** Releases a payment whose photo was not read; unverified ones, which are free, are deleted. */
  markReleased(held: HeldPayment): Promise<boolean>
  /** Stores the result of the photo. */
  markWorked(held: HeldPayment, result: string): Promise<boolean>
  /** Notes a settlement attempt before it is sent: afterwards the money may have moved. */
  markAttempted(held: HeldPayment): Promise<boolean>
  /** Stores the settlement. */
  markSettled(held: HeldPayment, settlement: string): Promise<boolean>
  /** Stores why a payment cannot be settled. */
  markFailed(held: HeldPayment, reason: string): Promise<boolean>
}

function openSteps(db: Db): PaymentSteps {
  const unpaid = db
    .prepare<[string, string, number], number>(
      `SELECT count(*) FROM photo_payments WHERE id <> ? AND payer = ?
         AND state IN ('reserved', 'worked', 'unknown') AND (
         state IN ('worked', 'unknown')
         OR (state = 'reserved' AND settlement IS NOT NULL AND due_at > ?))`,
    )
    .pluck()
  const forget = db.prepare<[string, string]>(
    `DELETE FROM photo_payments
      WHERE id = ? AND owner = ? AND state = 'reserved' AND settlement IS NULL`,
  )
  const prepareStep = (states: string, changes: string) => {
    const step = db.prepare<[{ id: string; owner: string; at: number; value: string | undefined }]>(
      `UPDATE photo_payments SET ${changes}, updated_at = @at
        WHERE id = @id AND owner = @owner AND state IN (${states})`,
    )
    return ({ id, owner, now }: HeldPayment, value?: string): boolean =>
      step.run({ id, owner, at: now.getTime(), value }).changes === 1
  }
  const reserved = "'reserved'"
  const read = "'worked', 'unknown'"
  const verify = prepareStep(reserved, 'settlement = @value')
  const release = prepareStep(reserved, "state = 'released', owner = NULL, settlement = NULL")
  const work = prepareStep(reserved, "state = 'worked', result = @value, settlement = NULL")
  const attempt = prepareStep(read, "state = 'unknown', tries = tries + 1")
  const end = 'settlement = @value, owner = NULL, next_at = NULL'
  const settle = prepareStep(read, `state = 'settled', ${end}`)
  const fail = prepareStep(read, `state = 'failed', result = NULL, ${end}`)

  return {
    markVerified: async (held, { payer, verification }) =>
      inTransaction(db, () => {
        const unpaidPhotos = unpaid.get(held.id, payer, held.now.getTime()) ?? 0
        if (unpaidPhotos >= UNPAID_PHOTOS_MAX) return 'too many'
        return verify(held, verification) ? 'verified' : 'gone'
      }),
    markReleased: async (held) =>
      inTransaction(db, () => forget.run(held.id, held.owner).changes === 1 || release(held)),
    markWorked: async (held, result) => durable(db, () => work(held, result)),
    markAttempted: async (held) => durable(db, () => attempt(held)),
    markSettled: async (held, settlement) => durable(db, () => settle(held, settlement)),
    markFailed: async (held, reason) => durable(db, () => fail(held, reason)),
  }
}

/** Leases on payments: each is processed by one owner at a time. */
export type PaymentLeases = {
  /** Extends an owner's leases. */
  renewLeases(ids: readonly string[], owner: string, due_at: Date): Promise<void>
  /** Releases a lease: a request can claim the payment at once, the job from `next_at` on. */
  releaseLease(held: HeldPayment, next_at: Date): Promise<void>
  /** Leases payments that are to be settled and have no owner; abandoned reservations are released. */
  leaseAbandoned(lease: PaymentLease, limit: number): Promise<PhotoPayment[]>
}

function openLeases(db: Db): PaymentLeases {
  // Same wording as the index photo_payments_open, so that the planner uses it.
  const open = "state IN ('reserved', 'worked', 'unknown')"
  const renew = db.prepare<[number, string, string]>(
    `UPDATE photo_payments SET due_at = ? WHERE id = ? AND owner = ? AND ${open}`,
  )
  const giveUpLease = db.prepare<[number, number, string, string]>(
    `UPDATE photo_payments SET owner = NULL, due_at = ?, next_at = ?
      WHERE id = ? AND owner = ? AND ${open}`,
  )
  const releaseAbandoned = db.prepare<[number, number]>(
    `UPDATE photo_payments SET state = 'released', owner = NULL, settlement = NULL, updated_at = ?
      WHERE ${open} AND due_at <= ? AND state = 'reserved'`,
  )
  const takeAbandoned = db.prepare<[string, number, number, number, number], PhotoPayment>(
    `UPDATE photo_payments SET owner = ?, due_at = ? WHERE id IN
       (SELECT id FROM photo_payments
         WHERE ${open} AND due_at <= ? AND state <> 'reserved' AND coalesce(next_at, 0) <= ?
         ORDER BY due_at, id LIMIT ?) RETURNING *`,
  )

  return {
    renewLeases: async (ids, owner, due_at) =>
      inTransaction(db, () => {
        for (const id of ids) renew.run(due_at.getTime(), id, owner)
      }),
    releaseLease: async ({ id, owner, now }, next_at) =>
      inTransaction(db, () => void giveUpLease.run(now.getTime(), next_at.getTime(), id, owner)),
    leaseAbandoned: async ({ owner, now, due_at }, limit) =>
      inTransaction(db, () => {
        const at = now.getTime()
        releaseAbandoned.run(at, at)
        return takeAbandoned.all(owner, due_at.getTime(), at, at, limit)
      }),
  }
}
