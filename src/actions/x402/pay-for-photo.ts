import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { ClientLeft } from '#rules/photos/client-left.ts'
import { DamagedPhoto } from '#rules/photos/photo-quality.ts'
import type { VerdictStatus } from '#rules/photos/verdict.ts'
import { dayOf } from '#rules/primitives/days.ts'
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
import { assertCountryAllowed } from '../photos/accept-photo.ts'
import { assertFewDamaged, countDamagedPhoto } from '../photos/damaged-photos.ts'
import { countFreeCard, freeCardLimits, hasFreeCard } from '../photos/free-cards.ts'
import type { PhotoRequest } from '../photos/identify-photo.ts'
import { type ReadPhotoInput, readPhoto } from '../photos/read-photo.ts'
import { choosePrices } from '../pricing/choose-prices.ts'
import { createPaymentSettler, type Pause, requireX402 } from './settle-photo-payment.ts'

type PayDeps = Pick<Deps, 'catalog' | 'reader' | 'config' | 'ledger' | 'log' | 'now' | 'x402'>

export type PaidPhotoRequest = Omit<PhotoRequest, 'account_id'> & {
  payment: PaymentPayload
  /** Country of the client, as two capital letters; undefined if unknown. */
  country: string | undefined
}

export type PaidPhotoResult = {
  /** `data` of the response as JSON; the same for each repeated request. */
  result: string
  settlement: Settlement
  /** Status of a photo that this request has read; undefined if it was already read. */
  fresh: VerdictStatus | undefined
}

export type PhotoPaymentOptions = {
  /** How long a request waits for the settlement of its payment. */
  patienceMs?: number
  pause?: Pause
}

/** Handles photos that are paid individually with x402. */
export type PhotoPaymentHandler = {
  /**
   * @throws ServiceError INVALID_GAME, VALIDATION_ERROR for the choice of prices, IDENTIFY_REGION_UNAVAILABLE,
   * PAYMENT_REJECTED, PAYMENT_UNAVAILABLE, PAYMENT_PENDING, TOO_MANY_ATTEMPTS, INVALID_IMAGE or IDENTIFY_UNAVAILABLE
   */
  handle(request: PaidPhotoRequest): Promise<PaidPhotoResult>
  /** Releases unsettled payments to the next process. */
  close(): Promise<void>
}

/**
 * Verifies the payment, reads the photo, stores the result, and only then settles. A repeated request gets
 * the same result and pays once.
 */
export function createPhotoPaymentHandler(
  deps: PayDeps,
  { patienceMs = SETTLE_TIMEOUT_MS, pause }: PhotoPaymentOptions = {},
): PhotoPaymentHandler {
  const { now } = deps
  const payments = deps.ledger.photoPayments
  const settler = createPaymentSettler(deps, pause === undefined ? {} : { pause })
  const running = new Map<string, Running>()
  const { owner } = settler
  let verifying = 0

  type Work = Omit<PaidPhotoRequest, 'game' | 'clientSignal'> &
    Pick<ReadPhotoInput, 'id' | 'game'> &
    Pick<Running, 'fingerprint' | 'clients'> & { catalog: Deps['catalog'] }

  /** Continues from the current state of the payment. */
  async function payAndRead(request: Work): Promise<PaidPhotoResult> {
    const { id, fingerprint, payment } = request
    const { authorization } = payment.payload
    const claim = {
      id,
      fingerprint,
      payer: authorization.from,
      payment: JSON.stringify(payment),
      valid_before: Number(authorization.validBefore) * 1_000,
    }
    const deadline = performance.now() + patienceMs
    for (;;) {
      const claimResult = await payments.claim({ ...claim, ...settler.lease() })
      if (claimResult.kind === 'settled') return createResult(claimResult.payment, undefined)
      if (claimResult.kind === 'failed') throw rejected(NOT_SETTLED)
      if (claimResult.kind === 'forgotten') throw rejected(RESULT_DELETED)
      if (claimResult.kind === 'other photo') throw rejected(OTHER_PHOTO)
      if (claimResult.kind === 'barred') throw rejected(payerBarred(claimResult.until))
      if (claimResult.kind === 'to settle') return settle(claimResult.payment)
      if (claimResult.kind === 'to read') {
        const answer = await readAndSettle(request)
        if (answer !== undefined) return answer
      }
      await waitForOther(id, deadline)
    }
  }

  /** @returns undefined if the lease expired and another process has taken over the payment */
  async function readAndSettle(request: Work): Promise<PaidPhotoResult | undefined> {
    const { id, catalog, clients } = request
    const payer = `wallet ${request.payment.payload.authorization.from}`
    const freeCards = freeCardLimits(deps, { payer, address: request.address })
    settler.hold(id)
    const by = () => ({ id, owner, now: now() })
    try {
      assertTimeLeft(request.payment, now())
      if (!(await verify(request))) return undefined
      const sender = { network: clientNetwork(request.address), payer }
      await assertFewDamaged(deps, sender.payer)
      const confidenceDay = request.confidence ? dayOf(now()) : undefined
      // After too many photos whose clients left, a photo is read and paid in any case.
      const clientSignal = (await hasFreeCard(deps, freeCards)) ? clients.signal : undefined
      const input = { ...request, id: randomUUID(), sender, confidenceDay, clientSignal }
      const data = await readPhoto({ ...deps, catalog }, input)
      if (!(await payments.markWorked(by(), JSON.stringify(data)))) return undefined
      const kept = await payments.getById(id)
      return kept && (await settle(kept, data.status))
    } catch (cause) {
      if (cause instanceof DamagedPhoto) await countDamagedPhoto(deps, payer)
      if (cause instanceof ClientLeft && cause.hasBegun) await countFreeCard(deps, freeCards)
      // Has no effect after the photo was read, because the payment must then be settled.
      await payments.markReleased(by())
      throw cause
    } finally {
      settler.drop(id)
    }
  }

  /** @returns false if the lease was lost */
  async function verify({ id, payment }: Work): Promise<boolean> {
    if (verifying >= VERIFICATIONS_MAX) throw unavailable(1)
    verifying++
    const answer = await requireX402(deps)
      .facilitator.verify(payment)
      .finally(() => verifying--)
    if (answer.kind === 'invalid') throw rejected(paymentInvalid(answer.reason))
    if (answer.kind === 'unclear') {
      deps.log.warn('failed to verify photo payment', { payment: id, why: answer.why })
      throw unavailable(5)
    }
    const payer = payment.payload.authorization.from
    const verification = JSON.stringify({ verified: true })
    const marked = await payments.markVerified({ id, owner, now: now() }, { payer, verification })
    if (marked === 'too many') throw tooManyUnpaid()
    return marked === 'verified'
  }

  /** Waits for the settlement for as long as a request may; the settlement itself continues after that. */
  async function settle(photo: PhotoPayment, fresh?: VerdictStatus): Promise<PaidPhotoResult> {
    await withTimeout(settler.settle(photo), patienceMs)
    const found = await payments.getById(photo.id)
    if (found?.state === 'settled') return createResult(found, fresh)
    if (found?.state === 'failed') throw rejected(NOT_SETTLED)
    throw pending(5)
  }

  /** Waits until the other process has settled the payment, has failed, or has died. */
  async function waitForOther(id: string, deadline: number): Promise<void> {
    for (;;) {
      if (!(await payments.isLeased(id, now()))) return
      if (performance.now() >= deadline) throw pending(1)
      await settler.pause(POLL_MS)
    }
  }

  return {
    async handle(request) {
      const game = findGame(deps, request.game)
      const catalog = choosePrices(deps, request.choice ?? {})
      assertCountryAllowed(deps, request.country)
      const id = computePaymentId(request.payment)
      const fingerprint = computeRequestFingerprint(request.photo, request)
      for (let current = running.get(id); current !== undefined; current = running.get(id)) {
        if (current.fingerprint !== fingerprint) throw rejected(OTHER_PHOTO)
        const { answer, clients } = current
        if (clients.join(request.clientSignal)) return { ...(await answer), fresh: undefined }
        // All of its clients have left.
        await answer.catch(() => {})
      }
      const clients = createClients()
      clients.join(request.clientSignal)
      const answer = payAndRead({ ...request, id, fingerprint, clients, game, catalog })
      running.set(id, { fingerprint, clients, answer })
      return answer.finally(() => running.delete(id))
    },
    close: () => settler.close(),
  }
}

/** A payment in progress. */
type Running = {
  fingerprint: string
  clients: ReturnType<typeof createClients>
  answer: Promise<PaidPhotoResult>
}

/** Creates the clients that wait for the answer to one payment. Its signal aborts when all of them have left. */
function createClients() {
  const controller = new AbortController()
  let waiting = 0
  return {
    signal: controller.signal,
    /** Adds a client. @returns false if all others have left */
    join(client: AbortSignal | undefined): boolean {
      if (controller.signal.aborted) return false
      waiting++
      const leave = () => {
        waiting--
        if (waiting === 0) controller.abort()
      }
      if (client?.aborted) leave()
      else client?.addEventListener('abort', leave)
      return true
    },
  }
}

/** Interval at which the state of another process's payment is read. */
const POLL_MS = 100

function createResult(
  { result, settlement }: PhotoPayment,
  fresh: VerdictStatus | undefined,
): PaidPhotoResult {
  if (result === null || settlement === null) throw new Error('a settled payment has no result')
  // settle-photo-payment.ts has written this text, so its shape is known.
  return { result, settlement: JSON.parse(settlement) as Settlement, fresh }
}

async function withTimeout(done: Promise<void>, ms: number): Promise<void> {
  let timer: Timer | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([done, late])
  clearTimeout(timer)
}

/** Maximum number of concurrent verifications, because anybody can send invalid payments. */
const VERIFICATIONS_MAX = 64

function unavailable(retryAfter: number): ServiceError {
  return new ServiceError(
    'PAYMENT_UNAVAILABLE',
    'Payments cannot be verified right now, and nothing was paid. Send the same request again.',
    { retryAfter },
  )
}

function pending(retryAfter: number): ServiceError {
  return new ServiceError(
    'PAYMENT_PENDING',
    'The payment is being settled. Send the same photo and PAYMENT-SIGNATURE again; you will not pay twice.',
    { retryAfter },
  )
}

function rejected(message: string): ServiceError {
  return new ServiceError('PAYMENT_REJECTED', message)
}

const OTHER_PHOTO =
  'This payment was used for another photo, or with other options. Sign a new one for this photo.'
const NOT_SETTLED =
  'The payment could not be settled and has expired. Check your balance, and sign a new one.'
const RESULT_DELETED =
  'The result of this payment has been deleted. Sign a new one to read the photo again.'

const paymentInvalid = (reason: string) =>
  `The payment was rejected: the facilitator reported ${reason}. Sign a new payment; nothing was charged.`
const payerBarred = (until: number) =>
  `Too many of your payments could not be settled. Try again after ${new Date(until).toISOString()}.`

function tooManyUnpaid(): ServiceError {
  return new ServiceError(
    'TOO_MANY_ATTEMPTS',
    'You have four photos that are not paid yet. Wait for their responses, then send this one again.',
    { retryAfter: 1 },
  )
}
