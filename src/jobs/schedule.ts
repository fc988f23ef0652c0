import type { Cron } from 'croner'
import { createPaymentSettler } from '#actions/x402/settle-photo-payment.ts'
import type { Deps } from '#deps.ts'
import type { SyncRunner } from '#store/memory/sync-trigger.ts'
import { type AlertJob, startAlerts } from './alerts.ts'
import { type Fleet, joinFleet } from './fleet.ts'
import {
  type Follower,
  followReferences,
  followStoredSettings,
  followSyncRequests,
  startServerReporter,
} from './follow-ledger.ts'
import { createJobLeases, type JobLeases } from './job-leases.ts'
import { startReplica } from './replica.ts'
import { createTasks } from './start-tasks.ts'
import { listJobs, runJob, SYNC_DUE, scheduleJob } from './timetable.ts'
import { createWorkers, type Workers } from './workers.ts'

/** The jobs of a server that is running. */
export type Jobs = {
  /**
   * Prevents further runs. Resolves when running deliveries have ended or are released. Worker threads end with the
   * process.
   */
  close(): Promise<void>
}

const SYNC_ON_REQUEST = 'sync on request'
const HISTORY_ON_REQUEST = 'import older prices'

/** Reads the search index into memory whenever documents change. Until it is read, searches use SQLite. */
function keepSearchInMemory(
  { catalog: { publication, search } }: Pick<Deps, 'catalog'>,
  worker: Workers['search'],
): void {
  const read = async () => {
    const index = await worker.run({ kind: 'search' })
    if (index !== undefined) search.useInMemory(index)
  }
  // Otherwise the first check would count as a change.
  publication.refresh()
  publication.onChange(() => {
    // Prices do not change the documents.
    if (search.isInMemory()) return
    search.useInMemory(undefined)
    void read()
  })
  void read()
}

/** Starts the jobs, and catches up on runs that were missed while the server was stopped. */
export function startJobs(
  deps: Deps,
  workers: Workers = createWorkers(deps),
  alerts?: AlertJob,
  leases: JobLeases | undefined = createJobLeases(deps),
): Jobs {
  const { log, triggers } = deps
  const sending = leases?.add('send alerts')
  const sender = alerts ?? startAlerts(deps, sending && { isElected: sending.isHeld })
  const publish = () =>
    runJob(deps, { name: 'publish snapshots', run: async () => void (await tasks.publish()) })
  const fleet: Fleet | undefined = joinFleet(deps, workers, leases, {
    onLeading: () => void publish(),
    onTakenOver() {
      sender.wake()
      if (fleet?.isLeading() !== true) return
      void tasks.build()
      // The catalog may have changed while this version was pending.
      void publish()
    },
  })
  const tasks = createTasks(deps, workers, { alerts: sender, fleet })
  const settler = createPaymentSettler(deps)
  deps.triggers.valuations.attach((collection) =>
    workers.collections.run({ kind: 'value', collection }),
  )
  deps.triggers.imports.attach(workers.imports)
  deps.triggers.history.attach({
    isElsewhere: () => fleet?.isLeading() === false,
    start: (path, signal) =>
      runJob(deps, { name: HISTORY_ON_REQUEST, run: () => tasks.importHistory(path, signal) }),
  })
  const sharing = { leases, fleet }
  const jobs = new Map<string, Cron>()
  let requests: Follower | undefined

  function offerSyncs(): void {
    deps.jobs.register(SYNC_ON_REQUEST)
    const runner: SyncRunner = {
      isRunning: workers.sync.isRunning,
      isElsewhere: () => fleet?.isLeading() === false,
      start: (options) =>
        void runJob(deps, { name: SYNC_ON_REQUEST, run: () => tasks.sync(options) }),
    }
    triggers.sync.attach(runner)
    if (fleet !== undefined) requests = followSyncRequests(deps, runner)
  }

  /** Schedules the enabled jobs. A job that is disabled later does nothing. */
  function arrange(): void {
    for (const job of listJobs(deps, settler, tasks)) {
      if (jobs.has(job.name)) continue
      jobs.set(job.name, scheduleJob(deps, sharing, job))
      if (job.name === SYNC_DUE) offerSyncs()
    }
  }

  arrange()
  if (!jobs.has(SYNC_DUE)) log.info('sync is off', { reason: 'no mirror is set' })
  deps.liveConfig.onChange(arrange)
  const settings = followStoredSettings(deps)
  // Photo workers get the references with their copy of the picture index.
  const references = deps.config.identifyWorkers > 0 ? followReferences(deps) : undefined
  keepSearchInMemory(deps, workers.search)
  const reporter = startServerReporter(deps)
  const replica = startReplica(deps, workers, sender.wake)
  return {
    async close() {
      triggers.sync.attach(undefined)
      triggers.history.attach(undefined)
      deps.triggers.valuations.attach(undefined)
      deps.triggers.imports.attach(undefined)
      workers.imports.close()
      void settings.close()
      for (const job of jobs.values()) job.stop()
      tasks.close()
      settler.close().catch((error) => log.error('failed to release payment leases', { error }))
      await references?.close()
      await sender.close()
      await requests?.close()
      await leases?.close()
      await reporter?.close()
      await replica?.close()
      await fleet?.close()
    },
  }
}
