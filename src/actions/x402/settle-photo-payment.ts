import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import {
  isPaymentExpired,
  isPaymentLongExpired,
  PAYMENT_LEASE_MS,
  PAYMENT_LEASE_RENEWAL_MS,
  PAYMENT_RECHECK_MS,
  SETTLE_BACKOFF_MS_MAX,
  SETTLE_BACKOFF_MS_MIN,
} from '#rules/x402/payment-timeouts.ts'
import { createSettlement, type PaymentPayload } from '#rules/x402/x402-protocol.ts'
import type { Lease } from '#store/ledger/engine/operation.ts'
import type { PhotoPayment } from '#store/ledger/photo-payments.ts'

type SettleDeps = Pick<Deps, 'config' | 'ledger' | 'log' | 'now' | 'x402'>

export type Pause = (ms: number) => Promise<unknown>

/** Settles payments whose photo was read. */
export type PaymentSettler = {
  /** Name of this process in its leases. */
  owner: string
  /** Returns a new lease for this process. */
  lease(): Lease
  /** Renews the lease of a payment until `drop`; calls can be nested. */
  hold(id: string): void
  drop(id: string): void
  pause: Pause
  isClosed(): boolean
  /** Settles one payment of this process, and stores the outcome in the ledger. Never rejects. */
  settle(photo: PhotoPayment): Promise<void>
  /** Releases every payment to the next process. */
  close(): Promise<void>
}

/**
 * Retries until the outcome of a payment is certain. A refusal by the facilitator is not conclusive: it may have sent
 * the payment anyway, and its response can get lost. The chain decides.
 */
export function createPaymentSettler(
  deps: SettleDeps,
  { pause = Bun.sleep }: { pause?: Pause } = {},
): PaymentSettler {
  const { ledger, log, now } = deps
  const owner = randomUUID()
  const holds = new Map<string, number>()
  const running = new Map<string, Promise<void>>()
  let renewing: Timer | undefined
  let isClosed = false

  const lease = () => ({ owner, now: now(), leaseMs: PAYMENT_LEASE_MS })
  const by = (id: string) => ({ id, owner, now: now() })

  function hold(id: string): void {
    holds.set(id, (holds.get(id) ?? 0) + 1)
    // The timer does not keep the process alive.
    renewing ??= setInterval(renew, PAYMENT_LEASE_RENEWAL_MS).unref()
  }

  function drop(id: string): void {
    const holders = (holds.get(id) ?? 0) - 1
    if (holders > 0) holds.set(id, holders)
    else holds.delete(id)
    if (holds.size > 0) return
    clearInterval(renewing)
    renewing = undefined
  }

  function renew(): void {
    // A lease that cannot be renewed expires, and another process continues.
    ledger.photoPayments
      .renewLeases([...holds.keys()], lease())
      .catch((error) => log.warn('failed to renew payment leases', { error }))
  }

  async function markSettled(id: string, payment: PaymentPayload, transaction: string) {
    const settlement = createSettlement(payment, transaction)
    const isMine = await ledger.photoPayments.markSettled(by(id), JSON.stringify(settlement))
    if (isMine) log.info('photo payment settled', { payment: id, transaction })
  }

  /** Attempts a settlement. Only a success is conclusive. */
  async function attempt(
    id: string,
    payment: PaymentPayload,
  ): Promise<'refused' | 'open' | 'ended'> {
    if (!(await ledger.photoPayments.markAttempted(by(id)))) return 'ended'
    const answer = await requireX402(deps).facilitator.settle(payment)
    if (isClosed) return 'ended'
    if (answer.kind === 'settled') {
      await markSettled(id, payment, answer.transaction)
      return 'ended'
    }
    const why = answer.kind === 'refused' ? answer.reason : answer.why
    log.warn('photo payment is not settled yet', { payment: id, why })
    return answer.kind === 'refused' ? 'refused' : 'open'
  }

  /**
   * Searches the chain for the payment.
   *
   * @param isRefused true if the facilitator's last response was a refusal; otherwise a failure is not counted
   * against the payer
   */
  async function traceOnChain(
    { id, valid_before, created_at }: PhotoPayment,
    payment: PaymentPayload,
    isRefused: boolean,
  ): Promise<'open' | 'ended'> {
    const since = Math.floor(created_at / 1_000) - CLOCK_DIFFERENCE_SECONDS
    const { authorization } = payment.payload
    const tokenPayment = { ...authorization, asset: payment.accepted.asset }
    const trace = await requireX402(deps).chain.trace(tokenPayment, since)
    if (isClosed) return 'ended'
    const at = now().getTime()
    if (trace.kind === 'paid') {
      await markSettled(id, payment, trace.transaction)
      return 'ended'
    }
    const isLost =
      trace.kind === 'lost' ||
      (trace.kind === 'unused' && isPaymentExpired(valid_before, trace.time * 1_000, at))
    if (isLost) {
      const by_payer = isRefused || trace.kind === 'lost'
      const why = JSON.stringify({ success: false, trace: trace.kind, by_payer })
      await ledger.photoPayments.markFailed(by(id), why)
      log.warn('photo payment failed', { payment: id, trace: trace.kind })
      return 'ended'
    }
    if (trace.kind === 'unknown')
      log.warn('failed to query the chain', { payment: id, why: trace.why })
    return 'open'
  }

  async function settle(photo: PhotoPayment): Promise<void> {
    const { id, valid_before } = photo
    // pay-for-photo.ts wrote this text, so its shape is known.
    const payment = JSON.parse(photo.payment) as PaymentPayload
    if (payment.accepted.network !== deps.config.x402?.network)
      return release(id, 'it is for another network')
    let isRefused = false
    let progress = photo.tries > 0 ? await traceOnChain(photo, payment, isRefused) : 'open'
    for (let waitMs = SETTLE_BACKOFF_MS_MIN; progress === 'open' && !isClosed; waitMs *= 2) {
      if (now().getTime() < valid_before) {
        const result = await attempt(id, payment)
        if (result === 'ended') return
        isRefused = result === 'refused'
      }
      progress = await traceOnChain(photo, payment, isRefused)
      if (progress === 'ended') return
      if (isPaymentLongExpired(valid_before, now().getTime()))
        return release(id, 'its outcome is unknown')
      await pause(Math.min(waitMs, SETTLE_BACKOFF_MS_MAX))
    }
  }

  async function release(id: string, why: string): Promise<void> {
    log.error('photo payment is unresolved; it is checked again later', { payment: id, why })
    await ledger.photoPayments.releaseLease(by(id), PAYMENT_RECHECK_MS)
  }

  return {
    owner,
    lease,
    hold,
    drop,
    pause,
    isClosed: () => isClosed,
    settle(photo) {
      const { id } = photo
      const known = running.get(id)
      if (known !== undefined) return known
      hold(id)
      const run = settle(photo)
        .catch((error) => log.error('failed to settle photo payment', { payment: id, error }))
        .finally(() => {
          running.delete(id)
          drop(id)
        })
      running.set(id, run)
      return run
    },
    async close() {
      isClosed = true
      clearInterval(renewing)
      for (const id of holds.keys()) await ledger.photoPayments.releaseLease(by(id), 0)
    },
  }
}

/** The time of a block may be earlier than that of a payment in it. */
const CLOCK_DIFFERENCE_SECONDS = 60

/** @throws Error if x402 is not configured */
export function requireX402({ x402 }: Pick<Deps, 'x402'>) {
  if (x402 === undefined) throw new Error('x402 is not configured')
  return x402
}

/** Settles payments whose photo was read by a process that has died since. */
export async function recoverPendingPayments(
  { ledger, log }: Pick<Deps, 'ledger' | 'log'>,
  settler: PaymentSettler,
): Promise<void> {
  const running = new Set<Promise<void>>()
  while (!settler.isClosed()) {
    const room = CONCURRENT_MAX - running.size
    const batch = room > 0 ? await ledger.photoPayments.leaseAbandoned(settler.lease(), room) : []
    if (batch.length > 0) log.info('photo payments taken over', { payments: batch.length })
    for (const photo of batch) {
      const done = settler.settle(photo).finally(() => running.delete(done))
      running.add(done)
    }
    if (running.size === 0) return
    if (batch.length < room) return void (await Promise.all(running))
    await Promise.race(running)
  }
}

/** A settlement can take minutes if the facilitator does not respond. */
const CONCURRENT_MAX = 64
