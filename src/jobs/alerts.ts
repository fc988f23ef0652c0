import { type AlertRelay, createAlertRelay } from '#actions/alerts/relay-alerts.ts'
import {
  createDeliveryWorker,
  DELIVERY_TIMING,
  type DeliveryWorker,
} from '#actions/alerts/send-deliveries.ts'
import type { Deps } from '#deps.ts'

export type AlertJob = {
  /** Runs now instead of within the second: something was published. */
  wake(): void
  /** Ends deliveries under way and releases the others. Never rejects. */
  close(): Promise<void>
}

export type AlertParts = {
  relay?: AlertRelay
  sending?: DeliveryWorker
  /** Returns true while this server is the one that sends. */
  isElected?(): boolean
}

/** Relays and sends alerts of every process's publications: each second, one run at a time. */
export function startAlerts(
  deps: Deps,
  {
    isElected = () => true,
    relay = createAlertRelay(deps),
    sending = createDeliveryWorker(deps, DELIVERY_TIMING, isElected),
  }: AlertParts = {},
): AlertJob {
  const { log } = deps
  let running: Promise<void> | undefined
  let isWantedAgain = false
  let isClosed = false

  async function run(): Promise<void> {
    do {
      isWantedAgain = false
      // Alerts that were relayed before are sent even if this fails.
      await relay.run().catch((error) => log.error('failed to relay alerts', { error }))
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
