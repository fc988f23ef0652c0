import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openSlots, SLOT_LIMITS, type SlotLimits } from '#rules/alerts/delivery-concurrency.ts'
import { openLine } from '#rules/alerts/delivery-queue.ts'
import { HELD_MS, PUT_OFF_MS, WAIT_MS_MAX, waitAfter } from '#rules/alerts/retry-schedule.ts'
import type { Due, DuePlace, Head } from '#store/ledger/deliveries.ts'
import { type AttemptDeps, attemptDelivery } from './attempt-delivery.ts'

/** How fast things go, in milliseconds; a test may be quicker. */
export type Pace = {
  wait: typeof waitAfter
  /** Who has a message longer than this is gone. */
  heldMs: number
  /** An attempt that takes longer than this is a slow one. */
  slowMs: number
  /** What is paused is looked at again so much later. */
  putOffMs: number
  /** Attempts under way have so long to end when sending ends. */
  graceMs: number
  limits: SlotLimits
}

export const PACE: Pace = {
  wait: waitAfter,
  heldMs: HELD_MS,
  slowMs: 2_000,
  putOffMs: PUT_OFF_MS,
  graceMs: 3_000,
  limits: SLOT_LIMITS,
}

export type Sending = ReturnType<typeof openSending>

/** Sends what is due, as much at once as the limits allow, until it is closed. */
export function openSending(deps: AttemptDeps, pace: Pace = PACE) {
  const { ledger, log, now } = deps
  const { deliveries } = ledger
  const owner = randomUUID()
  const slots = openSlots(pace.limits)
  const line = openLine()
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
    let after: DuePlace | undefined = { next_at: since, id: '' }
    while (after !== undefined && !isClosed) {
      const found = await deliveries.look(now(), { after, limit: MESSAGES_A_LOOK })
      line.add(found.heads)
      await begin()
      await nextTurn()
      after = found.next
    }
  }

  /** Begins what stands in the line, as far as there is room. */
  async function begin(): Promise<void> {
    for (;;) {
      const wanted = isClosed ? [] : line.next(slots)
      if (wanted.length === 0) return
      for (const due of await taken(wanted)) start(due)
      // What is refused makes room at once: very much of it may stand in the line.
      await nextTurn()
    }
  }

  /** Those of them that are ours now; the others give their room back. */
  async function taken(wanted: readonly Head[]): Promise<Due[]> {
    const refused = new Map(wanted.map(({ id, webhook_id }) => [id, webhook_id]))
    try {
      const times = { until: later(pace.heldMs), quietUntil: later(pace.putOffMs) }
      const hold = { owner, now: now(), ...times }
      const dues = await deliveries.take(hold, [...refused.keys()])
      // What is taken and not begun is left when this is closed.
      if (isClosed) return []
      for (const { id } of dues) refused.delete(id)
      return dues
    } finally {
      for (const [id, watch] of refused) {
        slots.give(id)
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
      line.add(present(await deliveries.headOf(watch, now())))
      ended.delete(watch)
    }
    await begin()
  }

  function start(due: Due): void {
    const slow = setTimeout(() => {
      slots.markSlow(due.id)
      refillSoon()
    }, pace.slowMs)
    const ending = new AbortController()
    endings.add(ending)
    const done = attemptDelivery(deps, { due, owner, wait: pace.wait, signal: ending.signal })
      .catch((error) => log.error('message not written down', { message: due.id, error }))
      .finally(() => {
        clearTimeout(slow)
        slots.give(due.id)
        endings.delete(ending)
        running.delete(done)
        ended.add(due.webhook_id)
        refillSoon()
      })
    running.add(done)
  }

  async function pumpOnce(): Promise<void> {
    const nowMs = now().getTime()
    const isWhole = turnsLeft === 0
    if (isWhole) {
      const latest = { due: later(WAIT_MS_MAX), held: later(pace.heldMs), owner }
      await deliveries.bringBack(now(), latest)
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
    async pump(): Promise<void> {
      // One that cannot be written makes everything else wait: then the rest is for the next time.
      if (!isClosed) await tryOrLog('messages not sent', pumpOnce)
    },
    /** Ends what is under way, and leaves what is not sent to whoever comes. Never rejects. */
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(refill)
      const over = Promise.all(running)
      await Promise.race([over, Bun.sleep(pace.graceMs)])
      for (const ending of endings) ending.abort()
      await Promise.race([over, Bun.sleep(pace.graceMs)])
      await tryOrLog('messages not left', () => deliveries.leave(owner, now()))
    },
  }
}

const present = (head: Head | undefined) => (head === undefined ? [] : [head])

const MESSAGES_A_LOOK = 200
const REFILL_MS = 10

/** What another process made due has the time at which it began to write, and is there somewhat later. */
const LOOKED_AGAIN_MS = 5_000

/** In between, only what has come due lately is looked at: very much may wait for a host that hangs. */
const TURNS_A_WHOLE = 60
