import { createAlertRelay } from '#actions/alerts/relay-alerts.ts'
import { createDeliveryWorker } from '#actions/alerts/send-deliveries.ts'
import type { Deps } from '#deps.ts'

export type AlertJob = ReturnType<typeof startAlerts>

/**
 * Takes over what publications have to tell, of this process and of others, and sends it: each second,
 * and never twice at once.
 */
export function startAlerts(
  deps: Deps,
  { relay = createAlertRelay(deps), sending = createDeliveryWorker(deps) } = {},
) {
  const { log } = deps
  let ticking: Promise<void> | undefined
  let isWantedAgain = false
  let isClosed = false

  async function tick(): Promise<void> {
    do {
      isWantedAgain = false
      // What was taken over before is sent even if this fails.
      await relay.run().catch((error) => log.error('alerts not taken over', { error }))
      await sending.tick()
    } while (isWantedAgain && !isClosed)
  }

  function wake(): void {
    if (isClosed) return
    isWantedAgain = ticking !== undefined
    ticking ??= tick().finally(() => {
      ticking = undefined
    })
  }

  const timer = setInterval(wake, EVERY_MS)
  wake()

  return {
    /** Does not wait for the next second: something was published. */
    wake,
    /** Ends what is under way and leaves the rest to the next process. Never rejects. */
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      const closing = sending.close()
      await ticking
      await closing
    },
  }
}

const EVERY_MS = 1_000
