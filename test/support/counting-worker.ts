import type { Workers } from '#jobs/workers.ts'

/** Creates a job's thread that only counts its tasks and returns a given result. */
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

/** Creates threads for all jobs that do nothing, except for the given ones. */
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
    imports: { assertRoom() {}, run: async () => undefined, close() {} },
    ledger: idle(),
    ...own,
  }
}
