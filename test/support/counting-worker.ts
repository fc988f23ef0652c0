import type { Workers } from '#jobs/workers.ts'

/** A job's thread that only counts its tasks; its result is given. */
export function createCountingWorker<Report>(report: Report | undefined) {
  const notes = { runs: 0, isRunning: false }
  const thread = {
    run: async () => {
      notes.runs++
      return report
    },
    isRunning: () => notes.isRunning,
  }
  return { notes, thread }
}

/** Threads of all jobs that do nothing, but for those given. */
export function createIdleWorkers(own: Partial<Workers> = {}): Workers {
  const idle = () => createCountingWorker<never>(undefined).thread
  return {
    sync: idle(),
    rates: idle(),
    pictures: idle(),
    bulk: idle(),
    backups: idle(),
    search: idle(),
    publishing: idle(),
    packing: idle(),
    rebasing: idle(),
    fetching: idle(),
    collections: idle(),
    imports: idle(),
    ledger: idle(),
    ...own,
  }
}
