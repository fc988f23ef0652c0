import {
  PAYER_FAILURE_WINDOW_MS,
  PAYER_FAILURES_MAX,
  UNPAID_PHOTOS_MAX,
} from '#rules/x402/payment-timeouts.ts'
import { type Db, durable, inTransaction } from '../db.ts'

/** What a payment has come to; migration 0006 says what each means. */
export type PaymentState = 'reserved' | 'worked' | 'unknown' | 'settled' | 'released' | 'failed'

/** One payment of one photo. Times are epoch milliseconds. */
export type PhotoPayment = {
  id: string
  payer: string
  fingerprint: string
  state: PaymentState
  payment: string
  result: string | null
  settlement: string | null
  valid_before: number
  owner: string | null
  due_at: number
  next_at: number | null
  tries: number
  created_at: number
  updated_at: number
}

/** Somebody who wants to work on payments, for as long as the lease lasts. */
export type PaymentLease = { owner: string; now: Date; due_at: Date }

export type PaymentClaim = Pick<
  PhotoPayment,
  'id' | 'payer' | 'fingerprint' | 'payment' | 'valid_before'
> &
  PaymentLease

/** What a request for a photo finds. */
export type ClaimResult =
  /** The photo is to be read. */
  | { kind: 'to read' }
  /** It is read, and whoever was to settle it is gone. */
  | { kind: 'to settle'; payment: PhotoPayment }
  | { kind: 'settled'; payment: PhotoPayment }
  /** Settled so long ago that its answer is not kept. */
  | { kind: 'forgotten' }
  | { kind: 'failed' }
  /** Somebody else works on it. */
  | { kind: 'busy' }
  | { kind: 'other photo' }
  /** Too many payments of this payer came to nothing; until then none is taken. */
  | { kind: 'barred'; until: number }

/**
 * Photos that are paid one by one. Several processes share them: each step is taken only where the
 * payment is still in the state and with the owner that the caller believes in, and tells whether it was.
 */
export function openPhotoPaymentStore(db: Db) {
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
  const own = db.prepare<[string, number, number, string]>(
    'UPDATE photo_payments SET owner = ?, due_at = ?, updated_at = ? WHERE id = ?',
  )
  const failures = db
    .prepare<[string, number, number], number>(
      `SELECT updated_at FROM photo_payments
        WHERE payer = ? AND state = 'failed' AND updated_at > ?
          AND json_extract(settlement, '$.by_payer') ORDER BY updated_at DESC LIMIT ?`,
    )
    .pluck()
  const forgetFailed = db.prepare<[number]>(
    "DELETE FROM photo_payments WHERE updated_at < ? AND state = 'failed'",
  )
  // What was paid stays in the books.
  const forgetAnswers = db.prepare<[number]>(
    `UPDATE photo_payments SET result = '', payment = ''
      WHERE updated_at < ? AND state = 'settled' AND payment <> ''`,
  )
  const forgetReleased = db.prepare<[number]>(
    "DELETE FROM photo_payments WHERE updated_at < ? AND state = 'released'",
  )
  const steps = openSteps(db)
  const leases = openLeases(db)

  /** @returns until when nothing is taken of a payer */
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
    getById: async (id: string): Promise<PhotoPayment | undefined> => find.get(id),
    /** Takes a payment for a photo, or tells who has it: of many that ask at once one gets it. */
    async claim(paymentClaim: PaymentClaim): Promise<ClaimResult> {
      // Lost with the power, it was not taken: nothing is paid before it is worked.
      return inTransaction(db, () => {
        const known = find.get(paymentClaim.id)
        if (known === undefined || known.state === 'released') return reserve(paymentClaim)
        const { state } = known
        const isOpen = state === 'reserved' || state === 'worked' || state === 'unknown'
        const isLeft = isOpen && known.due_at <= paymentClaim.now.getTime()
        // Nobody was answered yet, and nothing can have been paid.
        if (isLeft && state === 'reserved') return reserve(paymentClaim)
        if (known.fingerprint !== paymentClaim.fingerprint) return { kind: 'other photo' }
        if (state === 'settled') {
          return known.payment === '' ? { kind: 'forgotten' } : { kind: 'settled', payment: known }
        }
        if (state === 'failed') return { kind: 'failed' }
        if (!isLeft) return { kind: 'busy' }
        own.run(
          paymentClaim.owner,
          paymentClaim.due_at.getTime(),
          paymentClaim.now.getTime(),
          paymentClaim.id,
        )
        return { kind: 'to settle', payment: known }
      })
    },
    /**
     * Forgets what nobody can ask for any more: of what was settled the answer, while that it was paid
     * stays for good. What is not settled yet stays as it is, however old.
     */
    async deleteBefore({ ended, released }: { ended: Date; released: Date }): Promise<void> {
      inTransaction(db, () => {
        forgetFailed.run(ended.getTime())
        forgetAnswers.run(ended.getTime())
        forgetReleased.run(released.getTime())
      })
    },
  }
}

type Reservation = Omit<PaymentClaim, 'now' | 'due_at'> & { due: number; at: number }

/** What the owner of a payment does with it. */
function openSteps(db: Db) {
  const verify = db.prepare<[string, number, string, string]>(
    `UPDATE photo_payments SET settlement = ?, updated_at = ?
      WHERE id = ? AND owner = ? AND state = 'reserved'`,
  )
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
  const release = db.prepare<[number, string, string]>(
    `UPDATE photo_payments SET state = 'released', owner = NULL, settlement = NULL, updated_at = ?
      WHERE id = ? AND owner = ? AND state = 'reserved'`,
  )
  const work = db.prepare<[string, number, string, string]>(
    `UPDATE photo_payments SET state = 'worked', result = ?, settlement = NULL, updated_at = ?
      WHERE id = ? AND owner = ? AND state = 'reserved'`,
  )
  const attempt = db.prepare<[number, string, string]>(
    `UPDATE photo_payments SET state = 'unknown', tries = tries + 1, updated_at = ?
      WHERE id = ? AND owner = ? AND state IN ('worked', 'unknown')`,
  )
  const settle = db.prepare<[string, number, string, string]>(
    `UPDATE photo_payments
        SET state = 'settled', settlement = ?, owner = NULL, next_at = NULL, updated_at = ?
      WHERE id = ? AND owner = ? AND state IN ('worked', 'unknown')`,
  )
  const fail = db.prepare<[string, number, string, string]>(
    `UPDATE photo_payments SET state = 'failed', settlement = ?, result = NULL, owner = NULL,
            next_at = NULL, updated_at = ?
      WHERE id = ? AND owner = ? AND state IN ('worked', 'unknown')`,
  )

  type Held = { id: string; owner: string; now: Date }

  return {
    /**
     * Notes that the facilitator finds a payment good, unless its payer owes for too many photos.
     * Counted only now: before, anybody could name any payer.
     */
    async markVerified(
      { id, owner, now }: Held,
      { payer, verification }: { payer: string; verification: string },
    ): Promise<'verified' | 'too many' | 'gone'> {
      return inTransaction(db, () => {
        if ((unpaid.get(id, payer, now.getTime()) ?? 0) >= UNPAID_PHOTOS_MAX) return 'too many'
        const { changes } = verify.run(verification, now.getTime(), id, owner)
        return changes === 1 ? 'verified' : 'gone'
      })
    },
    /**
     * The photo was not read: the payment may be used again. One that nobody found good is forgotten:
     * anybody can send any number of them.
     */
    async markReleased({ id, owner, now }: Held): Promise<boolean> {
      return inTransaction(
        db,
        () =>
          forget.run(id, owner).changes === 1 ||
          release.run(now.getTime(), id, owner).changes === 1,
      )
    },
    async markWorked({ id, owner, now }: Held, result: string): Promise<boolean> {
      return durable(db, () => work.run(result, now.getTime(), id, owner).changes === 1)
    },
    /** Before each attempt: from here on the money may have moved. */
    async markAttempted({ id, owner, now }: Held): Promise<boolean> {
      return durable(db, () => attempt.run(now.getTime(), id, owner).changes === 1)
    },
    async markSettled({ id, owner, now }: Held, settlement: string): Promise<boolean> {
      return durable(db, () => settle.run(settlement, now.getTime(), id, owner).changes === 1)
    },
    async markFailed({ id, owner, now }: Held, why: string): Promise<boolean> {
      return durable(db, () => fail.run(why, now.getTime(), id, owner).changes === 1)
    },
  }
}

/** Who works on which payment, and what nobody works on. */
function openLeases(db: Db) {
  // The condition of photo_payments_open in its own words, so that the index is used.
  const open = "state IN ('reserved', 'worked', 'unknown')"
  const renew = db.prepare<[number, string, string]>(
    `UPDATE photo_payments SET due_at = ? WHERE id = ? AND owner = ? AND ${open}`,
  )
  const leave = db.prepare<[number, number, string, string]>(
    `UPDATE photo_payments SET owner = NULL, due_at = ?, next_at = ?
      WHERE id = ? AND owner = ? AND ${open}`,
  )
  const releaseLeft = db.prepare<[number, number]>(
    `UPDATE photo_payments SET state = 'released', owner = NULL, settlement = NULL, updated_at = ?
      WHERE ${open} AND due_at <= ? AND state = 'reserved'`,
  )
  const takeLeft = db.prepare<[string, number, number, number, number], PhotoPayment>(
    `UPDATE photo_payments SET owner = ?, due_at = ? WHERE id IN
       (SELECT id FROM photo_payments
         WHERE ${open} AND due_at <= ? AND state <> 'reserved' AND coalesce(next_at, 0) <= ?
         ORDER BY due_at, id LIMIT ?) RETURNING *`,
  )

  return {
    /** Says that their owner is still there. */
    async renewLeases(ids: readonly string[], owner: string, due_at: Date): Promise<void> {
      inTransaction(db, () => {
        for (const id of ids) renew.run(due_at.getTime(), id, owner)
      })
    },
    /** Its owner leaves it to whoever comes: a request at once, the job from `next_at` on. */
    async releaseLease(
      { id, owner, now }: { id: string; owner: string; now: Date },
      next_at: Date,
    ): Promise<void> {
      inTransaction(db, () => leave.run(now.getTime(), next_at.getTime(), id, owner))
    },
    /**
     * Takes payments that are to be settled and that nobody works on; what was only reserved may be
     * used again.
     */
    async leaseAbandoned(
      { owner, now, due_at }: PaymentLease,
      limit: number,
    ): Promise<PhotoPayment[]> {
      return inTransaction(db, () => {
        const at = now.getTime()
        releaseLeft.run(at, at)
        return takeLeft.all(owner, due_at.getTime(), at, at, limit)
      })
    },
  }
}
