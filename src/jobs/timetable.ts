import { Cron } from 'croner'
import { tidyLedger } from '#actions/tidy-ledger.ts'
import type { Deps } from '#deps.ts'
import { SCHEDULE, SCHEDULE_TIMEZONE } from '#rules/schedule.ts'
import type { IntakeThread } from './intake.ts'

type Job = { name: string; cron: string; run(): Promise<unknown> }

/** Every job of the server: name, cron line, what it does. */
function timetable(deps: Deps, intake: IntakeThread): Job[] {
  const tidy = { name: 'tidy the ledger', cron: '30 4 * * *', run: () => tidyLedger(deps) }
  const syncs = SCHEDULE.map(({ priority, cron }) => ({
    name: `sync games of priority ${priority}`,
    cron,
    run: () => intake.run({ kind: 'sync', request: { due: [priority] } }),
  }))
  return deps.config.upstreamUrl === undefined ? [tidy] : [tidy, ...syncs]
}

/** Starts the jobs, and catches up what was missed while the server was not running. */
export function startJobs(deps: Deps, intake: IntakeThread) {
  const { config, log } = deps
  const jobs = timetable(deps, intake).map(
    ({ name, cron, run }) =>
      new Cron(
        cron,
        {
          name,
          timezone: SCHEDULE_TIMEZONE,
          protect: true,
          catch: (error) => log.error('job failed', { job: name, error }),
        },
        async () => {
          await run()
        },
      ),
  )
  if (config.upstreamUrl === undefined) {
    log.info('sync is off', { reason: 'UPSTREAM_URL is not set' })
  } else {
    const request = config.syncOnStart ? {} : { due: SCHEDULE.map(({ priority }) => priority) }
    void intake.run({ kind: 'sync', request })
  }
  return {
    close(): void {
      for (const job of jobs) job.stop()
      intake.close()
    },
  }
}
