import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import type { VerdictStatus } from '#rules/photos/verdict.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { SETTLE_TIMEOUT_MS } from '#rules/x402/payment-timeouts.ts'
import { assertTimeLeft } from '#rules/x402/x402-payment-header.ts'
import {
  computePaymentId,
  computeRequestFingerprint,
  type PaymentPayload,
  type Settlement,
} from '#rules/x402/x402-protocol.ts'
import type { PhotoPayment } from '#store/ledger/photo-payments.ts'
import { findGame } from '../catalog/find-game.ts'
import { assertCountryAllowed } from '../photos/check-country.ts'
import { readPhoto } from '../photos/read-photo.ts'
import { createPaymentSettler, type Pause, requireX402 } from './settle-photo-payment.ts'

type PayDeps = Pick<Deps, 'catalog' | 'reader' | 'config' | 'ledger' | 'log' | 'now' | 'x402'>

export type PaidPhotoRequest = {
  payment: PaymentPayload
  photo: Uint8Array
  /** Slug of the game that the search is restricted to. */
  game: string | undefined
  /** Whether the top candidate comes with its prices. */
  prices: boolean
  /** Of the client, as two capital letters; undefined: nobody tells. */
  country: string | undefined
}

export type PaidPhotoResult = {
  /** `data` of the answer, as JSON: the same each time that it is asked for. */
  result: string
  settlement: Settlement
  /** What it turned out to be; undefined where it had been read before. */
  fresh: VerdictStatus | undefined
}

export type PhotoPaymentOptions = {
  /** How long a request waits for its payment to be settled. */
  patienceMs?: number
  pause?: Pause
}

/**
 * Reads photos that are paid one by one. The payment is taken, checked, the photo read, its answer kept,
 * and only then the money moved; whoever sends the same once more is answered the same, and pays once.
 */
export function createPhotoPaymentHandler(
  deps: PayDeps,
  { patienceMs = SETTLE_TIMEOUT_MS, pause }: PhotoPaymentOptions = {},
) {
  const { now } = deps
  const payments = deps.ledger.photoPayments
  const settling = createPaymentSettler(deps, pause === undefined ? {} : { pause })
  const works = new Map<string, { fingerprint: string; answer: Promise<PaidPhotoResult> }>()
  const { owner } = settling
  let verifying = 0

  type Work = PaidPhotoRequest & {
    id: string
    fingerprint: string
    gameFound: { id: number } | undefined
  }

  /** Goes on from wherever the payment stands. */
  async function work(work: Work): Promise<PaidPhotoResult> {
    const { id, fingerprint, payment } = work
    const { authorization } = payment.payload
    const claim = {
      id,
      fingerprint,
      payer: authorization.from,
      payment: JSON.stringify(payment),
      valid_before: Number(authorization.validBefore) * 1_000,
    }
    const patience = performance.now() + patienceMs
    for (;;) {
      const claimed = await payments.claim({ ...claim, ...settling.lease() })
      if (claimed.kind === 'settled') return answerOf(claimed.payment, undefined)
      if (claimed.kind === 'failed') throw notSettled()
      if (claimed.kind === 'forgotten') throw notKept()
      if (claimed.kind === 'other photo') throw otherPhoto()
      if (claimed.kind === 'barred') throw barred(claimed.until)
      if (claimed.kind === 'to settle') return settled(claimed.payment, undefined)
      if (claimed.kind === 'to read') {
        const answer = await readAndSettle(work)
        if (answer !== undefined) return answer
      }
      await waitForOther(id, patience)
    }
  }

  /** @returns undefined where somebody took it over: our lease had run out meanwhile */
  async function readAndSettle(work: Work): Promise<PaidPhotoResult | undefined> {
    const { id } = work
    settling.hold(id)
    const by = () => ({ id, owner, now: now() })
    try {
      assertTimeLeft(work.payment, now())
      if (!(await verify(work))) return undefined
      const data = await readPhoto(deps, { ...work, id: randomUUID(), game: work.gameFound })
      if (!(await payments.markWorked(by(), JSON.stringify(data)))) return undefined
      const kept = await payments.getById(id)
      return kept && (await settled(kept, data.status))
    } catch (cause) {
      // Not where it was read already: then it is somebody's to settle.
      await payments.markReleased(by())
      throw cause
    } finally {
      settling.drop(id)
    }
  }

  /** @returns whether the payment is still ours */
  async function verify({ id, payment }: Work): Promise<boolean> {
    if (verifying >= VERIFYING_MAX) throw unavailable(1)
    verifying++
    const answer = await requireX402(deps)
      .facilitator.verify(payment)
      .finally(() => verifying--)
    if (answer.kind === 'invalid') throw rejected(`the facilitator reported ${answer.reason}.`)
    if (answer.kind === 'unclear') {
      deps.log.warn('photo payment not verified', { payment: id, why: answer.why })
      throw unavailable(5)
    }
    const payer = payment.payload.authorization.from
    const verification = JSON.stringify({ verified: true })
    const marked = await payments.markVerified({ id, owner, now: now() }, { payer, verification })
    if (marked === 'too many') throw tooManyUnpaid()
    return marked === 'verified'
  }

  /** Settles it for as long as a request may wait; what is left of it goes on without the request. */
  async function settled(
    photo: PhotoPayment,
    fresh: VerdictStatus | undefined,
  ): Promise<PaidPhotoResult> {
    await atMost(settling.settle(photo), patienceMs)
    const found = await payments.getById(photo.id)
    if (found?.state === 'settled') return answerOf(found, fresh)
    if (found?.state === 'failed') throw notSettled()
    throw pending(5)
  }

  /** Until the other one has settled it, has failed, or is gone. */
  async function waitForOther(id: string, patience: number): Promise<void> {
    for (;;) {
      const found = await payments.getById(id)
      const isOpen = found && ['reserved', 'worked', 'unknown'].includes(found.state)
      if (!isOpen || found.due_at <= now().getTime()) return
      if (performance.now() >= patience) throw pending(1)
      await settling.pause(LOOKED_AT_EVERY_MS)
    }
  }

  return {
    /**
     * @throws ServiceError INVALID_GAME, IDENTIFY_REGION_UNAVAILABLE, PAYMENT_REJECTED,
     *   PAYMENT_UNAVAILABLE, PAYMENT_PENDING, TOO_MANY_ATTEMPTS, INVALID_IMAGE or IDENTIFY_UNAVAILABLE
     */
    async handle(request: PaidPhotoRequest): Promise<PaidPhotoResult> {
      const gameFound = findGame(deps, request.game)
      assertCountryAllowed(deps, request.country)
      const id = computePaymentId(request.payment)
      const fingerprint = computeRequestFingerprint(request.photo, request)
      const current = works.get(id)
      if (current !== undefined) {
        if (current.fingerprint !== fingerprint) throw otherPhoto()
        return { ...(await current.answer), fresh: undefined }
      }
      const answer = work({ ...request, id, fingerprint, gameFound })
      works.set(id, { fingerprint, answer })
      return answer.finally(() => works.delete(id))
    },
    /** Leaves what is not settled yet to the next process. */
    close: () => settling.close(),
  }
}

export type PhotoPaymentHandler = ReturnType<typeof createPhotoPaymentHandler>

/** Another process's work is looked at so often. */
const LOOKED_AT_EVERY_MS = 100

function answerOf(
  { result, settlement }: PhotoPayment,
  fresh: VerdictStatus | undefined,
): PaidPhotoResult {
  if (result === null || settlement === null) throw new Error('a settled payment has no answer')
  // It was written by settle-photo-payment.ts, so its shape is known.
  return { result, settlement: JSON.parse(settlement) as Settlement, fresh }
}

async function atMost(done: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([done, late])
  clearTimeout(timer)
}

/** Anybody can send anything that looks like a payment; so many are asked about at a time. */
const VERIFYING_MAX = 64

function unavailable(retryAfter: number): ServiceError {
  return new ServiceError(
    'PAYMENT_UNAVAILABLE',
    'Payments cannot be checked right now. Nothing was paid: send the same request again.',
    { retryAfter },
  )
}

function pending(retryAfter: number): ServiceError {
  return new ServiceError(
    'PAYMENT_PENDING',
    'The payment is on its way. Send the same photo and PAYMENT-SIGNATURE again: you will not pay twice.',
    { retryAfter },
  )
}

function rejected(problem: string): ServiceError {
  return new ServiceError(
    'PAYMENT_REJECTED',
    `The payment was rejected: ${problem} Sign a new payment; nothing was charged.`,
  )
}

function otherPhoto(): ServiceError {
  return new ServiceError(
    'PAYMENT_REJECTED',
    'This payment was sent for another photo, or with other options. Sign a new one for this photo.',
  )
}

function notSettled(): ServiceError {
  return new ServiceError(
    'PAYMENT_REJECTED',
    'The payment could not be settled and is over. Look at your balance, and sign a new one.',
  )
}

function notKept(): ServiceError {
  return new ServiceError(
    'PAYMENT_REJECTED',
    'The answer to this payment is not kept any more. Sign a new one to have the photo read again.',
  )
}

function barred(until: number): ServiceError {
  const time = new Date(until).toISOString()
  return new ServiceError(
    'PAYMENT_REJECTED',
    `Too many payments of this payer could not be settled. New ones are taken from ${time} on.`,
  )
}

function tooManyUnpaid(): ServiceError {
  return new ServiceError(
    'TOO_MANY_ATTEMPTS',
    'Four photos of this payer are not paid for yet. Wait for their answers, and send this one again.',
    { retryAfter: 1 },
  )
}
