/** Status of one job since the process started. */
export type JobStatus = {
  name: string
  runs: number
  failures: number
  running_since: Date | undefined
  last_started_at: Date | undefined
  last_success_at: Date | undefined
  last_failure_at: Date | undefined
  /** Time of the next run; undefined if the job only runs on request. */
  next_at: Date | undefined
}

/** Status of the jobs of this process. Nothing is stored on disk. */
export type JobRegistry = {
  /** Adds a job before its first run, so that metrics include it. `nextAt` is called by `list`. */
  register(name: string, nextAt?: () => Date | undefined): void
  /** Records the start of a run. */
  started(name: string, at: Date): void
  /** Records the end of a run. */
  finished(name: string, at: Date, outcome: 'done' | 'failed'): void
  /** Lists all jobs in the order of their registration. */
  list(): JobStatus[]
}

/** Creates an empty registry. */
export function createJobRegistry(): JobRegistry {
  const jobs = new Map<string, Omit<JobStatus, 'next_at'> & { nextAt: () => Date | undefined }>()

  function getOrAdd(name: string) {
    const job = jobs.get(name) ?? {
      name,
      runs: 0,
      failures: 0,
      running_since: undefined,
      last_started_at: undefined,
      last_success_at: undefined,
      last_failure_at: undefined,
      nextAt: () => undefined,
    }
    jobs.set(name, job)
    return job
  }

  return {
    register(name, nextAt = () => undefined) {
      getOrAdd(name).nextAt = nextAt
    },
    started(name, at) {
      const job = getOrAdd(name)
      job.running_since = at
      job.last_started_at = at
    },
    finished(name, at, outcome) {
      const job = getOrAdd(name)
      job.running_since = undefined
      job.runs++
      if (outcome === 'done') job.last_success_at = at
      else {
        job.failures++
        job.last_failure_at = at
      }
    },
    list: () => [...jobs.values()].map(({ nextAt, ...job }) => ({ ...job, next_at: nextAt() })),
  }
}
