import {
  createMessageWorker,
  type MessageWorker,
  SEND_TIMING,
} from '#actions/alerts/message-worker.ts'
import { type AlertRelay, createAlertRelay, makeDigests } from '#actions/alerts/relay-alerts.ts'
import type { Deps } from '#deps.ts'

export type AlertJob = {
  /** Runs now instead of within the second: something was published. */
  wake(): void
  /** Ends attempts under way and releases the other messages. Never rejects. */
  close(): Promise<void>
}

export type AlertParts = {
  relay?: AlertRelay
  sending?: MessageWorker
  /** Returns true while this server is the one that sends. */
  isElected?(): boolean
}

/** Relays and sends alerts, for programs and people, of every process's publications: each second, one run at a time. */
export function startAlerts(
  deps: Deps,
  {
    isElected = () => true,
    relay = createAlertRelay(deps),
    sending = createMessageWorker(deps, SEND_TIMING, isElected),
  }: AlertParts = {},
): AlertJob {
  const { log, now } = deps
  let running: Promise<void> | undefined
  let isWantedAgain = false
  let isClosed = false
  let digestMinute: number | undefined

  /** Looks for digests once a minute. */
  async function makeDueDigests(): Promise<void> {
    const minute = Math.floor(now().getTime() / 60_000)
    if (minute === digestMinute) return
    digestMinute = minute
    await makeDigests(deps).catch((error) => log.error('failed to make digests', { error }))
  }

  async function run(): Promise<void> {
    do {
      isWantedAgain = false
      // Alerts that were relayed before are sent even if this fails.
      await relay.run().catch((error) => log.error('failed to relay alerts', { error }))
      await makeDueDigests()
      await sending.tick()
    } while (isWantedAgain && !isClosed)
  }

  function wake(): void {
    if (isClosed || !isElected()) return
    isWantedAgain = running !== undefined
    running ??= run().finally(() => {
      running = undefined
    })
  }

  const timer = setInterval(wake, INTERVAL_MS)
  wake()

  return {
    wake,
    async close() {
      isClosed = true
      clearInterval(timer)
      const closing = sending.close()
      await running
      await closing
    },
  }
}

const INTERVAL_MS = 1_000
