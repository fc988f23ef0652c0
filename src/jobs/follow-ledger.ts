// Exchanges state with other servers and commands through the ledger, every few seconds.
import { reportServer } from '#actions/operations/describe-servers.ts'
import { loadReferences } from '#actions/photos/load-references.ts'
import type { Deps } from '#deps.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import type { SyncRunner } from '#store/memory/sync-trigger.ts'

/** A repeated action. */
export type Follower = {
  /** Prevents further runs, and waits for the current one. Never rejects. */
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

/** Reads the stored settings repeatedly. */
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

/**
 * Reads the references repeatedly after a change of the ledger, the catalog or the mode of the service, for the reader of
 * this server.
 */
export function followReferences(deps: Deps): Follower {
  const { catalog, ledger, log, references } = deps
  let loaded: string | undefined
  let isFailing = false
  let restingUntil = 0
  const { run, close } = repeat(async () => {
    const began = performance.now()
    if (began < restingUntil) return
    try {
      const version = await ledger.cardReferences.getVersion()
      const state = `${version} ${catalog.publication.getCurrent().version} ${deps.config.hasLimits}`
      if (state === loaded) return
      references.replace((await loadReferences(deps, deps.embedder())).references)
      loaded = state
      isFailing = false
      const ended = performance.now()
      restingUntil = ended + REST_FACTOR * (ended - began)
    } catch (error) {
      if (!isFailing) log.warn('failed to read the references', { reason: errorMessage(error) })
      isFailing = true
    }
  }, REFERENCES_MS)
  run()
  return { close }
}

const REFERENCES_MS = 5_000
/** Rest after a reading, in durations of it: many references change all the time. */
const REST_FACTOR = 20

/** Starts syncs that operators requested on other servers, while this server leads the fleet and no sync is running. */
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

/**
 * Reports the state of this server to the servers that share its ledger, until it is closed; undefined without a
 * shared ledger.
 */
export function startServerReporter(deps: Deps): Follower | undefined {
  const { ledger, serverName } = deps
  const { shared } = ledger
  if (shared === undefined) return undefined
  // Failures are not logged here: other operations of the ledger fail for the same reason, and log it.
  const { run, close } = repeat(() => reportServer(deps).catch(() => undefined), REPORTS_MS)
  run()
  return {
    async close() {
      await close()
      // A stopped server must not be reported as missing.
      await shared.serverReports.delete(serverName).catch(() => undefined)
    },
  }
}

const REPORTS_MS = 5_000
