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
import type { PhotoPayment } from '#store/ledger/photo-payments.ts'

type SettleDeps = Pick<Deps, 'config' | 'ledger' | 'log' | 'now' | 'x402'>

/** What the pauses are made of; a test needs none. */
export type Pause = (ms: number) => Promise<unknown>

/**
 * Settles payments of photos that were read, until it is known of each whether it was paid. What a
 * facilitator says against a payment is never believed: it may have sent it all the same, and an answer
 * that was lost looks like one that never came. Then the chain is asked, which alone knows.
 */
export function createPaymentSettler(
  deps: SettleDeps,
  { pause = Bun.sleep }: { pause?: Pause } = {},
) {
  const { ledger, log, now } = deps
  const owner = randomUUID()
  const held = new Map<string, number>()
  const running = new Map<string, Promise<void>>()
  let renewing: ReturnType<typeof setInterval> | undefined
  let isClosed = false

  const lease = () => {
    const at = now()
    return { owner, now: at, due_at: new Date(at.getTime() + PAYMENT_LEASE_MS) }
  }
  const by = (id: string) => ({ id, owner, now: now() })

  /** Keeps the lease of a payment until each who held it has let it go. */
  function hold(id: string): void {
    held.set(id, (held.get(id) ?? 0) + 1)
    renewing ??= unwaited(setInterval(renew, PAYMENT_LEASE_RENEWAL_MS))
  }

  function drop(id: string): void {
    const holders = (held.get(id) ?? 0) - 1
    if (holders > 0) held.set(id, holders)
    else held.delete(id)
    if (held.size > 0) return
    clearInterval(renewing)
    renewing = undefined
  }

  function renew(): void {
    // One that cannot be renewed ends, and somebody else goes on.
    ledger.photoPayments
      .renewLeases([...held.keys()], owner, lease().due_at)
      .catch((error) => log.warn('payments not held', { error }))
  }

  async function settled(id: string, payment: PaymentPayload, transaction: string) {
    const settlement = createSettlement(payment, transaction)
    const isMine = await ledger.photoPayments.markSettled(by(id), JSON.stringify(settlement))
    if (isMine) log.info('photo payment settled', { payment: id, transaction })
  }

  /** One attempt. Whatever it says but yes is no answer. */
  async function attempt(
    id: string,
    payment: PaymentPayload,
  ): Promise<'refused' | 'open' | 'ended'> {
    if (!(await ledger.photoPayments.markAttempted(by(id)))) return 'ended'
    const answer = await requireX402(deps).facilitator.settle(payment)
    if (isClosed) return 'ended'
    if (answer.kind === 'settled') {
      await settled(id, payment, answer.transaction)
      return 'ended'
    }
    const why = answer.kind === 'refused' ? answer.reason : answer.why
    log.warn('photo payment not settled yet', { payment: id, why })
    return answer.kind === 'refused' ? 'refused' : 'open'
  }

  /**
   * What the chain knows of it.
   *
   * @param isRefused whether the facilitator said no last: a payment that ends without it is not held
   *   against its payer, as nobody could settle it
   */
  async function lookUp(
    { id, valid_before, created_at }: PhotoPayment,
    payment: PaymentPayload,
    isRefused: boolean,
  ): Promise<'open' | 'ended'> {
    const since = Math.floor(created_at / 1_000) - CLOCK_DIFFERENCE_SECONDS
    const { authorization } = payment.payload
    const asked = { ...authorization, asset: payment.accepted.asset }
    const trace = await requireX402(deps).chain.trace(asked, since)
    if (isClosed) return 'ended'
    const at = now().getTime()
    if (trace.kind === 'paid') {
      await settled(id, payment, trace.transaction)
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
    if (trace.kind === 'unknown') log.warn('chain not asked', { payment: id, why: trace.why })
    return 'open'
  }

  async function settle(photo: PhotoPayment): Promise<void> {
    const { id, valid_before } = photo
    // It was written by pay-for-photo.ts, so its shape is known.
    const payment = JSON.parse(photo.payment) as PaymentPayload
    if (payment.accepted.network !== deps.config.x402?.network) return leave(id, 'another network')
    let isRefused = false
    let progress = photo.tries > 0 ? await lookUp(photo, payment, isRefused) : 'open'
    for (let waitMs = SETTLE_BACKOFF_MS_MIN; progress === 'open' && !isClosed; waitMs *= 2) {
      if (now().getTime() < valid_before) {
        const said = await attempt(id, payment)
        if (said === 'ended') return
        isRefused = said === 'refused'
      }
      progress = await lookUp(photo, payment, isRefused)
      if (progress === 'ended') return
      if (isPaymentLongExpired(valid_before, now().getTime())) return leave(id, 'nobody knows')
      await pause(Math.min(waitMs, SETTLE_BACKOFF_MS_MAX))
    }
  }

  async function leave(id: string, why: string): Promise<void> {
    log.error('photo payment not cleared up: it is looked at again', { payment: id, why })
    const again = new Date(now().getTime() + PAYMENT_RECHECK_MS)
    await ledger.photoPayments.releaseLease(by(id), again)
  }

  return {
    owner,
    lease,
    hold,
    drop,
    pause,
    isClosed: () => isClosed,
    /** Settles one payment that is ours; what becomes of it stands in the ledger. Never rejects. */
    settle(photo: PhotoPayment): Promise<void> {
      const { id } = photo
      const known = running.get(id)
      if (known !== undefined) return known
      hold(id)
      const run = settle(photo)
        .catch((error) => log.error('photo payment not settled', { payment: id, error }))
        .finally(() => {
          running.delete(id)
          drop(id)
        })
      running.set(id, run)
      return run
    },
    /** Leaves everything to the next process, at once. */
    async close(): Promise<void> {
      isClosed = true
      clearInterval(renewing)
      for (const id of held.keys()) await ledger.photoPayments.releaseLease(by(id), now())
    },
  }
}

export type PaymentSettler = ReturnType<typeof createPaymentSettler>

/** A block may be dated a little before the payment that it has by our clock. */
const CLOCK_DIFFERENCE_SECONDS = 60

/** Payments are only taken where both machines are named. */
export function requireX402({ x402 }: Pick<Deps, 'x402'>) {
  if (x402 === undefined) throw new Error('photos are not paid one by one here')
  return x402
}

/** A process need not go on because of it. */
function unwaited(timer: ReturnType<typeof setInterval>) {
  timer.unref()
  return timer
}
