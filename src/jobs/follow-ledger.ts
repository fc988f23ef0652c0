// Reads and reports, every few seconds, what other servers or a command may change.
import { reportServer } from '#actions/operations/describe-servers.ts'
import type { Deps } from '#deps.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import type { SyncRunner } from '#store/memory/sync-trigger.ts'

/** A repeated action. */
export type Follower = {
  /** Starts it no more, and waits for its end. Never rejects. */
  close(): Promise<void>
}

/** Repeats an action that never rejects, one run at a time. */
function repeat(action: () => Promise<void>, everyMs: number): Follower & { run(): void } {
  let running: Promise<void> | undefined
  function run(): void {
    running ??= action().finally(() => {
      running = undefined
    })
  }
  const timer = setInterval(run, everyMs)
  return {
    run,
    async close() {
      clearInterval(timer)
      await running
    },
  }
}

/** Reads the stored settings again and again. */
export function followStoredSettings({
  liveConfig,
  log,
}: Pick<Deps, 'liveConfig' | 'log'>): Follower {
  let isFailing = false
  return repeat(async () => {
    try {
      await liveConfig.refresh()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn('failed to read the stored settings', { error })
      isFailing = true
    }
  }, SETTINGS_MS)
}

const SETTINGS_MS = 5_000

/** Starts the syncs that operators want on other servers, while this one leads the fleet and runs no sync. */
export function followSyncRequests(
  { ledger, log, now }: Pick<Deps, 'ledger' | 'log' | 'now'>,
  runner: SyncRunner,
): Follower {
  return repeat(async () => {
    if (runner.isElsewhere?.() === true || runner.isRunning()) return
    try {
      const request = await ledger.shared?.syncRequests.take(now())
      if (request === undefined) return
      const { game, force } = request
      runner.start({ force, ...(game !== null && { game }) })
    } catch (error) {
      log.warn('failed to read requests for syncs', { reason: errorMessage(error) })
    }
  }, REQUESTS_MS)
}

const REQUESTS_MS = 1_000

/** Reports this server to those that share its ledger, until it closes; undefined without a shared ledger. */
export function startServerReporter(deps: Deps): Follower | undefined {
  const { ledger, serverName } = deps
  const { shared } = ledger
  if (shared === undefined) return undefined
  // The reason of a failure shows in the operations of the ledger, which fail as well.
  const { run, close } = repeat(() => reportServer(deps).catch(() => undefined), REPORTS_MS)
  run()
  return {
    async close() {
      await close()
      // A server that stops is not missed.
      await shared.serverReports.delete(serverName).catch(() => undefined)
    },
  }
}

const REPORTS_MS = 5_000
