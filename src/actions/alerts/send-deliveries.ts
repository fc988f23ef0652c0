import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import {
  DELIVERY_LEASE_MS,
  PAUSED_RECHECK_MS,
  RETRY_DELAY_MS_MAX,
  retryDelayMs,
} from '#rules/alerts/retry-schedule.ts'
import type { DueCursor, MessageHead, MessageQueue } from '#store/ledger/alerts/message-queue.ts'
import type { DeliveryLease, DueDelivery } from '#store/ledger/deliveries.ts'
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts'
import {
  type ConcurrencyOptions,
  createDeliveryQueue,
  DELIVERY_CONCURRENCY,
} from './delivery-queue.ts'

/** Times in milliseconds. */
export type DeliveryTiming = {
  wait: typeof retryDelayMs
  /** A process that holds a delivery longer than this has died. */
  leaseMs: number
  /** Duration after which an attempt counts as slow. */
  slowMs: number
  /** Interval at which deliveries of paused webhooks are checked again. */
  pausedRecheckMs: number
  /** Time that attempts get to end when the worker is closed. */
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

/** Queue of messages whose leases return what an attempt needs. */
type LeasedQueue<Due> = MessageQueue & {
  lease(lease: DeliveryLease, ids: readonly string[]): Promise<Due[]>
}

/** Attempt to send a leased message; it records its outcome. */
type SendAttempt<Due> = {
  due: Due
  owner: string
  wait: typeof retryDelayMs
  signal: AbortSignal
}

/** Messages that a worker sends, and how it sends one. */
export type WorkerSource<Due> = Pick<Deps, 'log' | 'now'> & {
  queue: LeasedQueue<Due>
  attempt(input: SendAttempt<Due>): Promise<void>
}

export type DeliveryWorker = {
  /** Name of this worker in the leases of its deliveries. */
  owner: string
  /** Starts the deliveries that are due. Never rejects. Call it every second. */
  tick(): Promise<void>
  /** Ends the attempts under way and releases the other deliveries. Never rejects. */
  close(): Promise<void>
}

/** Sends deliveries of webhooks that are due. Parameters are those of `createMessageWorker`. */
export function createDeliveryWorker(
  deps: DeliveryDeps,
  timing?: DeliveryTiming,
  isElected?: () => boolean,
): DeliveryWorker {
  const { ledger, log, now } = deps
  const attempt = (input: SendAttempt<DueDelivery>) => attemptDelivery(deps, input)
  return createMessageWorker({ queue: ledger.deliveries, attempt, log, now }, timing, isElected)
}

/**
 * Sends messages that are due, as many at once as the limits allow.
 *
 * @param isElected returns false while another server sends: then no further delivery starts
 */
export function createMessageWorker<Due extends MessageHead>(
  { queue: deliveries, attempt, log, now }: WorkerSource<Due>,
  timing: DeliveryTiming = DELIVERY_TIMING,
  isElected: () => boolean = () => true,
): DeliveryWorker {
  const owner = randomUUID()
  const queue = createDeliveryQueue(timing.limits)
  const running = new Set<Promise<void>>()
  const aborts = new Set<AbortController>()
  /** Receivers whose attempt has ended: their next delivery may start. */
  const finished = new Set<string>()
  /** Receivers that are paused, or leased by another process: checked again at the next tick. */
  const blocked = new Set<string>()
  let continuing: Timer | undefined
  /** Epoch milliseconds: deliveries due by then have been scanned. */
  let scannedAt = 0
  let ticksToFullScan = 0
  let isClosed = false

  /** Queues deliveries that came due, in batches: each query blocks this process. */
  async function scan(since: number): Promise<void> {
    let after: DueCursor | undefined = { next_at: since, id: '' }
    while (after !== undefined && !isClosed) {
      const found = await deliveries.listDue(now(), { after, limit: SCAN_BATCH })
      queue.add(found.heads)
      await startDue()
      await nextTurn()
      after = found.next
    }
  }

  /** Starts queued deliveries, as far as the limits allow. */
  async function startDue(): Promise<void> {
    for (;;) {
      const queued = isClosed || !isElected() ? [] : queue.takeAll()
      if (queued.length === 0) return
      for (const due of await leaseAll(queued)) start(due)
      // Refused deliveries free their slots immediately, and there may be very many.
      await nextTurn()
    }
  }

  /** Leases deliveries; those that are refused release their slots. */
  async function leaseAll(queued: readonly MessageHead[]): Promise<Due[]> {
    const refused = new Map(queued.map(({ id, receiver_id }) => [id, receiver_id]))
    try {
      const { leaseMs, pausedRecheckMs: pausedMs } = timing
      const lease = { owner, now: now(), leaseMs, pausedMs }
      const dues = await deliveries.lease(lease, [...refused.keys()])
      // `close` releases leases of deliveries that were not started.
      if (isClosed) return []
      for (const { id } of dues) refused.delete(id)
      return dues
    } finally {
      for (const [id, receiverId] of refused) {
        queue.release(id)
        blocked.add(receiverId)
      }
    }
  }

  /** Continues shortly after an attempt has ended, once for several that end together. */
  function continueSoon(): void {
    if (isClosed) return
    continuing ??= setTimeout(() => {
      continuing = undefined
      void logErrors('failed to lease deliveries', continueNow)
    }, CONTINUE_DELAY_MS)
  }

  async function continueNow(): Promise<void> {
    for (const receiverId of finished) {
      const head = await deliveries.getFirstDue(receiverId, now())
      if (head !== undefined) queue.add([head])
      finished.delete(receiverId)
    }
    await startDue()
  }

  function start(delivery: Due): void {
    const slow = setTimeout(() => {
      queue.markSlow(delivery.id)
      continueSoon()
    }, timing.slowMs)
    const abort = new AbortController()
    aborts.add(abort)
    const input = { due: delivery, owner, wait: timing.wait, signal: abort.signal }
    const done = attempt(input)
      .catch((error) => log.error('failed to record delivery', { delivery: delivery.id, error }))
      .finally(() => {
        clearTimeout(slow)
        queue.release(delivery.id)
        aborts.delete(abort)
        running.delete(done)
        finished.add(delivery.receiver_id)
        continueSoon()
      })
    running.add(done)
  }

  async function tickOnce(): Promise<void> {
    const nowMs = await deliveries.getTime(now())
    const isFullScan = ticksToFullScan === 0
    if (isFullScan) {
      const longest = { dueMs: RETRY_DELAY_MS_MAX, leaseMs: timing.leaseMs, owner }
      await deliveries.resetMisdated(now(), longest)
    }
    for (const receiverId of blocked) finished.add(receiverId)
    blocked.clear()
    await continueNow()
    await scan(isFullScan ? 0 : Math.min(scannedAt, nowMs) - RESCAN_MS)
    scannedAt = nowMs
    ticksToFullScan = isFullScan ? TICKS_PER_FULL_SCAN : ticksToFullScan - 1
  }

  async function logErrors(what: string, action: () => Promise<void>): Promise<void> {
    await action().catch((error) => log.error(what, { error }))
  }

  return {
    owner,
    async tick() {
      // After an error the other deliveries wait for the next tick.
      if (!isClosed) await logErrors('failed to send deliveries', tickOnce)
    },
    async close() {
      isClosed = true
      clearTimeout(continuing)
      const over = Promise.all(running)
      await Promise.race([over, Bun.sleep(timing.graceMs)])
      for (const abort of aborts) abort.abort()
      await Promise.race([over, Bun.sleep(timing.graceMs)])
      await logErrors('failed to release deliveries', () => deliveries.release(owner, now()))
    },
  }
}

const SCAN_BATCH = 200
const CONTINUE_DELAY_MS = 10

/** Deliveries of another process become visible some time after their due time. */
const RESCAN_MS = 5_000

/** Ticks between scan only recent deliveries: very many may wait for a host that hangs. */
const TICKS_PER_FULL_SCAN = 60
