import type { Deps } from '#deps.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import type { SyncRunner } from '#store/memory/sync-trigger.ts'

/** Starts the syncs that operators want on other servers of the fleet. */
export type RequestedSyncs = {
  /** Looks for no further request. */
  close(): Promise<void>
}

/** Looks for requests every second, while this server leads the fleet and runs no sync. */
export function followSyncRequests(
  { ledger, log, now }: Pick<Deps, 'ledger' | 'log' | 'now'>,
  runner: SyncRunner,
): RequestedSyncs {
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    if (runner.isElsewhere?.() === true || runner.isRunning()) return
    try {
      const request = await ledger.shared?.syncRequests.take(now())
      if (request === undefined) return
      const { game, force } = request
      runner.start({ force, ...(game !== null && { game }) })
    } catch (error) {
      log.warn('failed to read requests for syncs', { reason: errorMessage(error) })
    }
  }

  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined
    })
  }, LOOK_MS)
  return {
    async close() {
      clearInterval(timer)
      await looking
    },
  }
}

const LOOK_MS = 1_000
