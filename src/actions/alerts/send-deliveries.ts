import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type ConcurrencyOptions,
  createConcurrencyLimits,
  DELIVERY_CONCURRENCY,
} from '#actions/alerts/delivery-concurrency.ts'
import { createFairQueue } from '#actions/alerts/delivery-queue.ts'
import {
  DELIVERY_LEASE_MS,
  PAUSED_RECHECK_MS,
  RETRY_DELAY_MS_MAX,
  retryDelayMs,
} from '#rules/alerts/retry-schedule.ts'
import type { DeliveryHead, DueCursor, DueDelivery } from '#store/ledger/deliveries.ts'
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts'

/** How fast things go, in milliseconds; a test may be quicker. */
export type DeliveryTiming = {
  wait: typeof retryDelayMs
  /** Who has a message longer than this is gone. */
  leaseMs: number
  /** An attempt that takes longer than this is a slow one. */
  slowMs: number
  /** What is paused is looked at again so much later. */
  pausedRecheckMs: number
  /** Attempts under way have so long to end when sending ends. */
  graceMs: number
  limits: ConcurrencyOptions
}

export const DELIVERY_TIMING: DeliveryTiming = {
  wait: retryDelayMs,
  leaseMs: DELIVERY_LEASE_MS,
  slowMs: 2_000,
  pausedRecheckMs: PAUSED_RECHECK_MS,
  graceMs: 3_000,
  limits: DELIVERY_CONCURRENCY,
}

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>

/** Sends what is due, as much at once as the limits allow, until it is closed. */
export function createDeliveryWorker(deps: DeliveryDeps, timing: DeliveryTiming = DELIVERY_TIMING) {
  const { ledger, log, now } = deps
  const { deliveries } = ledger
  const owner = randomUUID()
  const slots = createConcurrencyLimits(timing.limits)
  const line = createFairQueue()
  const running = new Set<Promise<void>>()
  const endings = new Set<AbortController>()
  /** Watches of which a message was sent: the next one may go. */
  const ended = new Set<string>()
  /** Watches of which somebody else has a message, or that tell nothing: asked again with the next turn. */
  const refusing = new Set<string>()
  let refill: Timer | undefined
  /** Epoch milliseconds: what was due by then has been looked at. */
  let lookedAt = 0
  /** Turns until everything is looked at once more; 0: with this one. */
  let turnsLeft = 0
  let isClosed = false

  const later = (ms: number) => new Date(now().getTime() + ms)

  /** Finds what has come due since, a few at a time: everything else of this process waits meanwhile. */
  async function look(since: number): Promise<void> {
    let after: DueCursor | undefined = { next_at: since, id: '' }
    while (after !== undefined && !isClosed) {
      const found = await deliveries.listDue(now(), { after, limit: MESSAGES_A_LOOK })
      line.add(found.heads)
      await begin()
      await nextTurn()
      after = found.next
    }
  }

  /** Begins what stands in the line, as far as there is room. */
  async function begin(): Promise<void> {
    for (;;) {
      const wanted = isClosed ? [] : line.dequeue(slots)
      if (wanted.length === 0) return
      for (const dueDelivery of await taken(wanted)) start(dueDelivery)
      // What is refused makes room at once: very much of it may stand in the line.
      await nextTurn()
    }
  }

  /** Those of them that are ours now; the others give their room back. */
  async function taken(wanted: readonly DeliveryHead[]): Promise<DueDelivery[]> {
    const refused = new Map(wanted.map(({ id, webhook_id }) => [id, webhook_id]))
    try {
      const times = { until: later(timing.leaseMs), pausedUntil: later(timing.pausedRecheckMs) }
      const hold = { owner, now: now(), ...times }
      const dues = await deliveries.lease(hold, [...refused.keys()])
      // What is taken and not begun is left when this is closed.
      if (isClosed) return []
      for (const { id } of dues) refused.delete(id)
      return dues
    } finally {
      for (const [id, watch] of refused) {
        slots.release(id)
        refusing.add(watch)
      }
    }
  }

  /** Goes on soon after an attempt has ended, once for all that end meanwhile. */
  function refillSoon(): void {
    if (isClosed) return
    refill ??= setTimeout(() => {
      refill = undefined
      void tryOrLog('messages not taken', goOn)
    }, REFILL_MS)
  }

  async function goOn(): Promise<void> {
    for (const watch of ended) {
      line.add(present(await deliveries.getFirstDue(watch, now())))
      ended.delete(watch)
    }
    await begin()
  }

  function start(delivery: DueDelivery): void {
    const slow = setTimeout(() => {
      slots.markSlow(delivery.id)
      refillSoon()
    }, timing.slowMs)
    const ending = new AbortController()
    endings.add(ending)
    const done = attemptDelivery(deps, {
      due: delivery,
      owner,
      wait: timing.wait,
      signal: ending.signal,
    })
      .catch((error) => log.error('message not written down', { message: delivery.id, error }))
      .finally(() => {
        clearTimeout(slow)
        slots.release(delivery.id)
        endings.delete(ending)
        running.delete(done)
        ended.add(delivery.webhook_id)
        refillSoon()
      })
    running.add(done)
  }

  async function pumpOnce(): Promise<void> {
    const nowMs = now().getTime()
    const isWhole = turnsLeft === 0
    if (isWhole) {
      const latest = { due: later(RETRY_DELAY_MS_MAX), held: later(timing.leaseMs), owner }
      await deliveries.resetMisdated(now(), latest)
    }
    for (const watch of refusing) ended.add(watch)
    refusing.clear()
    await goOn()
    await look(isWhole ? 0 : Math.min(lookedAt, nowMs) - LOOKED_AGAIN_MS)
    lookedAt = nowMs
    turnsLeft = isWhole ? TURNS_A_WHOLE : turnsLeft - 1
  }

  async function tryOrLog(what: string, deed: () => Promise<void>): Promise<void> {
    await deed().catch((error) => log.error(what, { error }))
  }

  return {
    owner,
    /** Begins what is due; never rejects. Call it every second. */
    async tick(): Promise<void> {
      // One that cannot be written makes everything else wait: then the rest is for the next time.
      if (!isClosed) await tryOrLog('messages not sent', pumpOnce)
    },
    /** Ends what is under way, and leaves what is not sent to whoever comes. Never rejects. */
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(refill)
      const over = Promise.all(running)
      await Promise.race([over, Bun.sleep(timing.graceMs)])
      for (const ending of endings) ending.abort()
      await Promise.race([over, Bun.sleep(timing.graceMs)])
      await tryOrLog('messages not left', () => deliveries.release(owner, now()))
    },
  }
}

const present = (deliveryHead: DeliveryHead | undefined) =>
  deliveryHead === undefined ? [] : [deliveryHead]

const MESSAGES_A_LOOK = 200
const REFILL_MS = 10

/** What another process made due has the time at which it began to write, and is there somewhat later. */
const LOOKED_AGAIN_MS = 5_000

/** In between, only what has come due lately is looked at: very much may wait for a host that hangs. */
const TURNS_A_WHOLE = 60
