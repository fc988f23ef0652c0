import { attemptMessage } from '#actions/alerts/attempt-message.ts'
import { makeDigests } from '#actions/alerts/make-digests.ts'
import { type AlertRelay, createAlertRelay } from '#actions/alerts/relay-alerts.ts'
import {
  createDeliveryWorker,
  createMessageWorker,
  DELIVERY_TIMING,
  type DeliveryTiming,
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
  /** Sends the messages of channels. */
  messaging?: DeliveryWorker
  /** Returns true while this server is the one that sends. */
  isElected?(): boolean
}

/** Relays and sends alerts, for programs and people, of every process's publications: each second, one run at a time. */
export function startAlerts(
  deps: Deps,
  {
    isElected = () => true,
    relay = createAlertRelay(deps),
    sending = createDeliveryWorker(deps, DELIVERY_TIMING, isElected),
    messaging = createChannelWorker(deps, DELIVERY_TIMING, isElected),
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
      await messaging.tick()
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
      const closing = Promise.all([sending.close(), messaging.close()])
      await running
      await closing
    },
  }
}

/** Creates the worker that sends the messages of channels. */
export function createChannelWorker(
  deps: Deps,
  timing: DeliveryTiming,
  isElected?: () => boolean,
): DeliveryWorker {
  const { ledger, log, now } = deps
  return createMessageWorker(
    {
      queue: ledger.channelMessages,
      attempt: async (input) => void (await attemptMessage(deps, input)),
      ...{ log, now },
    },
    { ...timing, limits: CHANNEL_CONCURRENCY },
    isElected,
  )
}

/** Beside DELIVERY_CONCURRENCY, below the 256 requests of Bun. Many channels have the same host. */
const CHANNEL_CONCURRENCY = { perHost: 8, perAccount: 4, quick: 24, slow: 24 }

const INTERVAL_MS = 1_000
