import {
  createMessageWorker,
  type MessageWorker,
  SEND_TIMING,
} from '#actions/alerts/message-worker.ts'
import { type AlertRelay, createAlertRelay, makeDigests } from '#actions/alerts/relay-alerts.ts'
import type { Deps } from '#deps.ts'

export type AlertJob = {
  /** Runs immediately instead of within the next second, because something was published. */
  wake(): void
  /** Ends running attempts and releases the other messages. Never rejects. */
  close(): Promise<void>
}

export type AlertParts = {
  relay?: AlertRelay
  sending?: MessageWorker
  /** Returns true while this server is the one that sends alerts. */
  isElected?(): boolean
}

/**
 * Relays and sends the alerts that any process has published, to programs and people: every second, one run at a
 * time.
 */
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

  /** Checks for due digests once a minute. */
  async function makeDueDigests(): Promise<void> {
    const minute = Math.floor(now().getTime() / 60_000)
    if (minute === digestMinute) return
    digestMinute = minute
    await makeDigests(deps).catch((error) => log.error('failed to make digests', { error }))
  }

  async function run(): Promise<void> {
    do {
      isWantedAgain = false
      // If this fails, alerts that were already relayed are still sent.
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
