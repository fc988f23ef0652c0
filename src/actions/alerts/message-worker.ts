import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  DELIVERY_LEASE_MS,
  PAUSED_RECHECK_MS,
  RETRY_DELAY_MS_MAX,
  retryDelayMs,
} from '#rules/alerts/retry-schedule.ts'
import type { DueCursor, MessageHead } from '#store/ledger/alerts/message-queue.ts'
import type { DueMessage } from '#store/ledger/alerts/messages.ts'
import { attemptMessage } from './attempt-message.ts'
import {
  type AttemptQueue,
  type ConcurrencyOptions,
  createDeliveryQueue,
  DELIVERY_CONCURRENCY,
  type QueuedDelivery,
} from './delivery-queue.ts'
import type { SendDeps } from './send-message.ts'

/** Times in milliseconds. */
export type SendTiming = {
  wait: typeof retryDelayMs
  /** A process that holds a message for longer is considered dead. */
  leaseMs: number
  /** Duration after which an attempt counts as slow. */
  slowMs: number
  /** Interval at which deliveries of paused webhooks are checked again. */
  pausedRecheckMs: number
  /** Time for running attempts to end when the worker is closed. */
  graceMs: number
  /** Limits of deliveries to webhooks, and separate limits of messages to the channels of people. */
  limits: { webhooks: ConcurrencyOptions; people: ConcurrencyOptions }
}

/** Together with `DELIVERY_CONCURRENCY`, stays below Bun's limit of 256 requests. Many channels have the same host. */
const CHANNEL_CONCURRENCY: ConcurrencyOptions = {
  perHost: 8,
  perAccount: 4,
  quick: 24,
  slow: 24,
}

export const SEND_TIMING: SendTiming = {
  wait: retryDelayMs,
  leaseMs: DELIVERY_LEASE_MS,
  slowMs: 2_000,
  pausedRecheckMs: PAUSED_RECHECK_MS,
  graceMs: 3_000,
  limits: { webhooks: DELIVERY_CONCURRENCY, people: CHANNEL_CONCURRENCY },
}

export type MessageWorker = {
  /** Name of this worker in the leases of its messages. */
  owner: string
  /** Starts due messages. Never rejects. Call it every second. */
  tick(): Promise<void>
  /** Ends running attempts and releases the other messages. Never rejects. */
  close(): Promise<void>
}

/**
 * Sends due messages, as many at once as the limits allow.
 *
 * @param isElected returns false while another server sends, so that no further message starts
 */
export function createMessageWorker(
  deps: SendDeps,
  timing: SendTiming = SEND_TIMING,
  isElected: () => boolean = () => true,
): MessageWorker {
  const { log, now } = deps
  const { messages } = deps.ledger
  const owner = randomUUID()
  const queues = {
    webhooks: createDeliveryQueue(timing.limits.webhooks),
    people: createDeliveryQueue(timing.limits.people),
  }
  const queueOf = ({ channel_kind }: Pick<MessageHead, 'channel_kind'>) =>
    channel_kind === 'webhook' ? queues.webhooks : queues.people
  const running = new Set<Promise<void>>()
  const aborts = new Set<AbortController>()
  /** Receivers whose attempt has ended, so that their next message may start. */
  const finished = new Set<string>()
  /** Receivers that are paused, or leased by another process; checked again at the next tick. */
  const blocked = new Set<string>()
  let continuing: Timer | undefined
  /** Epoch milliseconds: all messages due by then have been scanned. */
  let scannedAt = 0
  let ticksToFullScan = 0
  let isClosed = false

  function enqueue(heads: readonly MessageHead[]): void {
    for (const head of heads) queueOf(head).add([head])
  }

  /** Queues due messages in batches, because each query blocks this process. */
  async function scan(since: number): Promise<void> {
    let after: DueCursor | undefined = { next_at: since, id: '' }
    while (after !== undefined && !isClosed) {
      const found = await messages.listDue(now(), { after, limit: SCAN_BATCH })
      enqueue(found.heads)
      await startDue()
      await nextTurn()
      after = found.next
    }
  }

  async function startDue(): Promise<void> {
    await startQueued(queues.webhooks)
    await startQueued(queues.people)
  }

  /** Starts queued messages, as far as the limits allow. */
  async function startQueued(queue: AttemptQueue): Promise<void> {
    for (;;) {
      const queued = isClosed || !isElected() ? [] : queue.takeAll()
      if (queued.length === 0) return
      for (const due of await leaseAll(queued, queue)) start(due)
      // Refused messages free their slots immediately, and there may be very many of them.
      await nextTurn()
    }
  }

  /** Leases messages, and releases the slots of refused ones. */
  async function leaseAll(
    queued: readonly QueuedDelivery[],
    queue: AttemptQueue,
  ): Promise<DueMessage[]> {
    const refused = new Map(queued.map(({ id, receiver_id }) => [id, receiver_id]))
    try {
      const { leaseMs, pausedRecheckMs: pausedMs } = timing
      const lease = { owner, now: now(), leaseMs, pausedMs }
      const dues = await messages.lease(lease, [...refused.keys()])
      // `close` releases leases of messages that were not started.
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

  /** Continues shortly after an attempt has ended; only once if several end together. */
  function continueSoon(): void {
    if (isClosed) return
    continuing ??= setTimeout(() => {
      continuing = undefined
      void logErrors('failed to lease deliveries', continueNow)
    }, CONTINUE_DELAY_MS)
  }

  async function continueNow(): Promise<void> {
    for (const receiverId of finished) {
      const head = await messages.getFirstDue(receiverId, now())
      if (head !== undefined) enqueue([head])
      finished.delete(receiverId)
    }
    await startDue()
  }

  function start(due: DueMessage): void {
    const queue = queueOf(due)
    const slow = setTimeout(() => {
      queue.markSlow(due.id)
      continueSoon()
    }, timing.slowMs)
    const abort = new AbortController()
    aborts.add(abort)
    const input = { due, owner, wait: timing.wait, signal: abort.signal }
    const done = attemptMessage(deps, input)
      .then(
        () => {},
        (error) => log.error('failed to record delivery', { delivery: due.id, error }),
      )
      .finally(() => {
        clearTimeout(slow)
        queue.release(due.id)
        aborts.delete(abort)
        running.delete(done)
        finished.add(due.receiver_id)
        continueSoon()
      })
    running.add(done)
  }

  async function tickOnce(): Promise<void> {
    const nowMs = await messages.getTime(now())
    const isFullScan = ticksToFullScan === 0
    if (isFullScan) {
      const longest = { dueMs: RETRY_DELAY_MS_MAX, leaseMs: timing.leaseMs, owner }
      await messages.resetMisdated(now(), longest)
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
      // After an error, the other messages wait for the next tick.
      if (!isClosed) await logErrors('failed to send deliveries', tickOnce)
    },
    async close() {
      isClosed = true
      clearTimeout(continuing)
      const over = Promise.all(running)
      await Promise.race([over, Bun.sleep(timing.graceMs)])
      for (const abort of aborts) abort.abort()
      await Promise.race([over, Bun.sleep(timing.graceMs)])
      await logErrors('failed to release deliveries', () => messages.release(owner, now()))
    },
  }
}

const SCAN_BATCH = 200
const CONTINUE_DELAY_MS = 10

/** Messages of another process become visible some time after their due time. */
const RESCAN_MS = 5_000

/**
 * Ticks between two full scans. The others read only recent deliveries, because very many may wait for a hanging
 * host.
 */
const TICKS_PER_FULL_SCAN = 60
