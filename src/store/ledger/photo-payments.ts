import {
  PAYER_FAILURE_WINDOW_MS,
  PAYER_FAILURES_MAX,
  UNPAID_PHOTOS_MAX,
} from '#rules/x402/payment-timeouts.ts'
import { columnsOf } from '../table-sql.ts'
import type { Lease, LeaseParameters, LedgerEngine, LedgerOperation } from './engine/operation.ts'
import { type PhotoPaymentRow, photoPayments } from './schema/x402.ts'

/** State of a payment; baseline.sql explains each. */
export type PaymentState = PhotoPaymentRow['state']

/** A payment for one photo. Times are epoch milliseconds. */
export type PhotoPayment = PhotoPaymentRow

/** A payment that an owner has leased. */
export type HeldPayment = { id: string; owner: string; now: Date }

export type PaymentClaim = Pick<
  PhotoPayment,
  'id' | 'payer' | 'fingerprint' | 'payment' | 'valid_before'
> &
  Lease

/** Result of claiming a payment. */
export type ClaimResult =
  /** The photo must be read. */
  | { kind: 'to read' }
  /** The photo was read, but the process that should settle it has died. */
  | { kind: 'to settle'; payment: PhotoPayment }
  | { kind: 'settled'; payment: PhotoPayment }
  /** Settled so long ago that the response was deleted. */
  | { kind: 'forgotten' }
  | { kind: 'failed' }
  /** Another owner has leased it. */
  | { kind: 'busy' }
  | { kind: 'other photo' }
  /** Too many payments of this payer have failed; none is accepted until this time. */
  | { kind: 'barred'; until: number }

/** Photos that are paid individually, handled by several processes: each step checks the state and the owner. */
export type PhotoPaymentStore = PaymentSteps &
  PaymentLeases & {
    /** Returns a payment; undefined if not found. */
    getById(id: string): Promise<PhotoPayment | undefined>
    /** Returns true while an owner works on a payment. */
    isLeased(id: string, now: Date): Promise<boolean>
    /** Claims a payment for a photo; only one of several concurrent requests succeeds. */
    claim(claim: PaymentClaim): Promise<ClaimResult>
    /**
     * Deletes ended payments, but only the response of settled ones. Open ones stay, however old. At most `limit` of
     * each kind.
     *
     * @returns their number
     */
    deleteBefore(times: { ended: Date; released: Date }, limit: number): Promise<number>
  }

export function openPhotoPaymentStore(engine: LedgerEngine): PhotoPaymentStore {
  const { query, transact } = engine
  const find = engine.prepare<[string], PhotoPayment>(
    `SELECT ${COLUMNS} FROM photo_payments WHERE id = ?`,
  )
  const put = engine.prepare<[Reservation]>(
    `INSERT INTO photo_payments
       (id, payer, fingerprint, state, payment, valid_before, owner, due_at, created_at, updated_at)
     VALUES (@id, @payer, @fingerprint, 'reserved', @payment, @valid_before, @owner,
       clock(@at) + @leaseMs, clock(@at), clock(@at))
     ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'reserved',
       payment = excluded.payment, result = NULL, settlement = NULL,
       valid_before = excluded.valid_before, owner = excluded.owner, due_at = excluded.due_at,
       next_at = NULL, tries = 0, created_at = excluded.created_at, updated_at = excluded.updated_at`,
  )
  const leased = engine.prepare<[{ id: string; at: number }], Pick<PhotoPayment, 'id'>>(
    `SELECT id FROM photo_payments WHERE id = @id AND ${OPEN} AND due_at > clock(@at)`,
  )
  const takeOver = engine.prepare<[LeaseParameters & { id: string }]>(
    `UPDATE photo_payments SET owner = @owner, due_at = clock(@at) + @leaseMs,
       updated_at = clock(@at) WHERE id = @id`,
  )
  // Quotes within a JSON string are escaped, so that only the member itself is found.
  const failures = engine.prepare<
    [{ payer: string; at: number }],
    Pick<PhotoPayment, 'updated_at'>
  >(
    `SELECT updated_at FROM photo_payments
      WHERE payer = @payer AND state = 'failed'
        AND updated_at > clock(@at) - ${PAYER_FAILURE_WINDOW_MS}
        AND settlement LIKE '%"by_payer":true%'
      ORDER BY updated_at DESC LIMIT ${PAYER_FAILURES_MAX}`,
  )
  const forget = (state: 'failed' | 'released') =>
    engine.prepare<[number, number]>(
      `DELETE FROM photo_payments WHERE id IN
         (SELECT id FROM photo_payments WHERE updated_at < ? AND state = '${state}' LIMIT ?)`,
    )
  const [forgetFailed, forgetReleased] = [forget('failed'), forget('released')]
  // Settled payments stay in the books.
  const forgetAnswers = engine.prepare<[number, number]>(
    `UPDATE photo_payments SET result = '', payment = '' WHERE id IN
       (SELECT id FROM photo_payments
         WHERE updated_at < ? AND state = 'settled' AND payment <> '' LIMIT ?)`,
  )
  const steps = openSteps(engine)
  const leases = openLeases(engine)

  /** @returns the time until which payments of a payer are refused */
  function* findBar(payer: string, at: number): LedgerOperation<number | undefined> {
    const latest = yield* failures.all({ payer, at })
    const first = latest[PAYER_FAILURES_MAX - 1]?.updated_at
    return first === undefined ? undefined : first + PAYER_FAILURE_WINDOW_MS
  }

  function* reserve({ now, ...claim }: PaymentClaim): LedgerOperation<ClaimResult> {
    const at = now.getTime()
    const until = yield* findBar(claim.payer, at)
    if (until !== undefined) return { kind: 'barred', until }
    yield* put.run({ ...claim, at })
    return { kind: 'to read' }
  }

  return {
    ...steps,
    ...leases,
    getById: (id) => query(find.get(id)),
    isLeased: async (id, now) => (await query(leased.get({ id, at: now.getTime() }))) !== undefined,
    // Not durable, because nothing is paid before the photo has been read.
    claim: (wanted) =>
      transact(function* (): LedgerOperation<ClaimResult> {
        const known = yield* find.get(wanted.id)
        if (known === undefined || known.state === 'released') return yield* reserve(wanted)
        const { state } = known
        const { id, owner, leaseMs } = wanted
        const at = wanted.now.getTime()
        const isOpen = state === 'reserved' || state === 'worked' || state === 'unknown'
        const isAbandoned = isOpen && (yield* leased.get({ id, at })) === undefined
        // No response was sent yet, so nothing can have been paid.
        if (isAbandoned && state === 'reserved') return yield* reserve(wanted)
        if (known.fingerprint !== wanted.fingerprint) return { kind: 'other photo' }
        if (state === 'settled') {
          return known.payment === '' ? { kind: 'forgotten' } : { kind: 'settled', payment: known }
        }
        if (state === 'failed') return { kind: 'failed' }
        if (!isAbandoned) return { kind: 'busy' }
        yield* takeOver.run({ id, owner, leaseMs, at })
        return { kind: 'to settle', payment: known }
      }),
    deleteBefore: async ({ ended, released }, limit) =>
      (await query(forgetFailed.run(ended.getTime(), limit))) +
      (await query(forgetAnswers.run(ended.getTime(), limit))) +
      (await query(forgetReleased.run(released.getTime(), limit))),
  }
}

const COLUMNS = columnsOf(photoPayments)

/** Same wording as the index photo_payments_open, so that the planner uses it. */
const OPEN = "state IN ('reserved', 'worked', 'unknown')"

type Reservation = Omit<PaymentClaim, 'now'> & { at: number }

/** State changes of a payment; false if the owner has lost it or the state does not allow them. */
export type PaymentSteps = {
  /** Marks a payment as verified. Only verified payments count as unpaid, because others can name any payer. */
  markVerified(
    held: HeldPayment,
    verified: { payer: string; verification: string },
  ): Promise<'verified' | 'too many' | 'gone'>
  /** Releases a payment whose photo was not read; deletes unverified ones, which cost nothing. */
  markReleased(held: HeldPayment): Promise<boolean>
  /** Stores the result of the photo. */
  markWorked(held: HeldPayment, result: string): Promise<boolean>
  /** Records a settlement attempt before it is sent, because the money may have moved afterwards. */
  markAttempted(held: HeldPayment): Promise<boolean>
  /** Stores the settlement. */
  markSettled(held: HeldPayment, settlement: string): Promise<boolean>
  /** Stores the reason why a payment cannot be settled. */
  markFailed(held: HeldPayment, reason: string): Promise<boolean>
}

function openSteps(engine: LedgerEngine): PaymentSteps {
  const { transact } = engine
  const unpaid = engine.prepare<[{ id: string; payer: string; at: number }], { photos: number }>(
    `SELECT count(*) AS photos FROM photo_payments WHERE id <> @id AND payer = @payer
       AND ${OPEN} AND (
       state IN ('worked', 'unknown')
       OR (state = 'reserved' AND settlement IS NOT NULL AND due_at > clock(@at)))`,
  )
  const forget = engine.prepare<[string, string]>(
    `DELETE FROM photo_payments
      WHERE id = ? AND owner = ? AND state = 'reserved' AND settlement IS NULL`,
  )
  const prepareStep = (states: string, changes: string) => {
    const step = engine.prepare<[{ id: string; owner: string; at: number; value: string | null }]>(
      `UPDATE photo_payments SET ${changes}, updated_at = clock(@at)
        WHERE id = @id AND owner = @owner AND state IN (${states})`,
    )
    return function* (
      { id, owner, now }: HeldPayment,
      value: string | null = null,
    ): LedgerOperation<boolean> {
      return (yield* step.run({ id, owner, at: now.getTime(), value })) === 1
    }
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
    markVerified: (held, { payer, verification }) =>
      transact(function* () {
        const others = yield* unpaid.get({ id: held.id, payer, at: held.now.getTime() })
        if ((others?.photos ?? 0) >= UNPAID_PHOTOS_MAX) return 'too many'
        return (yield* verify(held, verification)) ? 'verified' : 'gone'
      }),
    markReleased: (held) =>
      transact(function* () {
        return (yield* forget.run(held.id, held.owner)) === 1 || (yield* release(held))
      }),
    markWorked: (held, result) => transact(() => work(held, result), DURABLE),
    markAttempted: (held) => transact(() => attempt(held), DURABLE),
    markSettled: (held, settlement) => transact(() => settle(held, settlement), DURABLE),
    markFailed: (held, reason) => transact(() => fail(held, reason), DURABLE),
  }
}

const DURABLE = { isDurable: true }

/** Leases on payments: each is processed by one owner at a time. */
export type PaymentLeases = {
  /** Extends an owner's leases. */
  renewLeases(ids: readonly string[], lease: Lease): Promise<void>
  /** Releases a lease: requests can claim the payment at once, the job after `pauseMs`. */
  releaseLease(held: HeldPayment, pauseMs: number): Promise<void>
  /** Leases payments that must be settled and have no owner; releases abandoned reservations. */
  leaseAbandoned(lease: Lease, limit: number): Promise<PhotoPayment[]>
}

function openLeases(engine: LedgerEngine): PaymentLeases {
  const { query, transact } = engine
  const renew = engine.prepare<[LeaseParameters & { id: string }]>(
    `UPDATE photo_payments SET due_at = clock(@at) + @leaseMs
      WHERE id = @id AND owner = @owner AND ${OPEN}`,
  )
  const giveUpLease = engine.prepare<[{ id: string; owner: string; at: number; pauseMs: number }]>(
    `UPDATE photo_payments SET owner = NULL, due_at = clock(@at), next_at = clock(@at) + @pauseMs
      WHERE id = @id AND owner = @owner AND ${OPEN}`,
  )
  const releaseAbandoned = engine.prepare<[{ at: number }]>(
    `UPDATE photo_payments SET state = 'released', owner = NULL, settlement = NULL,
       updated_at = clock(@at)
      WHERE ${OPEN} AND due_at <= clock(@at) AND state = 'reserved'`,
  )
  const takeAbandoned = engine.prepare<[LeaseParameters & { limit: number }], PhotoPayment>(
    `UPDATE photo_payments SET owner = @owner, due_at = clock(@at) + @leaseMs WHERE id IN
       (SELECT id FROM photo_payments
         WHERE ${OPEN} AND due_at <= clock(@at) AND state <> 'reserved'
           AND coalesce(next_at, 0) <= clock(@at)
         ORDER BY due_at, id LIMIT @limit) RETURNING ${COLUMNS}`,
  )

  return {
    renewLeases: (ids, { owner, now, leaseMs }) =>
      transact(function* () {
        for (const id of ids) yield* renew.run({ id, owner, leaseMs, at: now.getTime() })
      }),
    releaseLease: async ({ id, owner, now }, pauseMs) =>
      void (await query(giveUpLease.run({ id, owner, at: now.getTime(), pauseMs }))),
    leaseAbandoned: ({ owner, now, leaseMs }, limit) =>
      transact(function* () {
        const at = now.getTime()
        yield* releaseAbandoned.run({ at })
        return yield* takeAbandoned.all({ owner, leaseMs, at, limit })
      }),
  }
}
