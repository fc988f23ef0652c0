import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openLine } from '#rules/delivery-line.ts'
import { HELD_MS, PUT_OFF_MS, WAIT_MS_MAX, waitAfter } from '#rules/delivery-schedule.ts'
import { openSlots, SLOT_LIMITS, type SlotLimits } from '#rules/delivery-slots.ts'
import type { Due, Head } from '#store/ledger/deliveries.ts'
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
  let refill: Timer | undefined
  let pumps = 0
  let isClosed = false

  const later = (ms: number) => new Date(now().getTime() + ms)

  /** Finds what is due, a few watches at a time: everything else of this process waits meanwhile. */
  async function look(): Promise<void> {
    let after: string | undefined = ''
    while (after !== undefined && !isClosed) {
      const found = await deliveries.look(now(), { after, limit: WATCHES_A_LOOK })
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
    }
  }

  /** Those of them that are ours now; the others give their room back. */
  async function taken(wanted: readonly Head[]): Promise<Due[]> {
    const refused = new Set(wanted.map(({ id }) => id))
    try {
      const hold = { owner, now: now(), until: later(pace.heldMs) }
      const dues = await deliveries.take(hold, [...refused])
      // What is taken and not begun is left when this is closed.
      if (isClosed) return []
      for (const { id } of dues) refused.delete(id)
      return dues
    } finally {
      for (const id of refused) slots.give(id)
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
    const watches = [...ended]
    ended.clear()
    for (const watch of watches) line.add(present(await deliveries.headOf(watch, now())))
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
    if (pumps % PUMPS_A_LOOK === 0) {
      const latest = { due: later(WAIT_MS_MAX), held: later(pace.heldMs), owner }
      await deliveries.bringBack(now(), latest)
    }
    pumps++
    await deliveries.putOff(now(), later(pace.putOffMs))
    await look()
  }

  async function tryOrLog(what: string, deed: () => Promise<void>): Promise<void> {
    await deed().catch((error) => log.error(what, { error }))
  }

  return {
    owner,
    /** Begins what is due; never rejects. Call it every second: what is paused is put off here. */
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

const WATCHES_A_LOOK = 200
const REFILL_MS = 10

/** A wrong clock is looked for when sending begins, and every ten minutes. */
const PUMPS_A_LOOK = 600
