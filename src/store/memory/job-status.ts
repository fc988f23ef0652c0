/** What became of one job since this process started. */
export type JobStatus = {
  name: string
  runs: number
  failures: number
  running_since: Date | undefined
  last_started_at: Date | undefined
  last_success_at: Date | undefined
  last_failure_at: Date | undefined
  /** When its turn comes; undefined: whenever somebody asks for it. */
  next_at: Date | undefined
}

export type JobRegistry = ReturnType<typeof createJobRegistry>

type Kept = Omit<JobStatus, 'next_at'> & { nextAt: () => Date | undefined }

/** Keeps what became of the jobs of this process, for the operator. Nothing of it outlives the process. */
export function createJobRegistry() {
  const states = new Map<string, Kept>()

  function stateOf(name: string): Kept {
    let state = states.get(name)
    if (state === undefined) {
      state = {
        name,
        runs: 0,
        failures: 0,
        running_since: undefined,
        last_started_at: undefined,
        last_success_at: undefined,
        last_failure_at: undefined,
        nextAt: () => undefined,
      }
      states.set(name, state)
    }
    return state
  }

  return {
    /**
     * Makes a job known that has not run yet: a figure that is missing cannot be seen to stand still.
     *
     * @param nextAt asked for its next turn whenever the record is
     */
    register(name: string, nextAt: () => Date | undefined = () => undefined): void {
      stateOf(name).nextAt = nextAt
    },
    started(name: string, at: Date): void {
      const state = stateOf(name)
      state.running_since = at
      state.last_started_at = at
    },
    finished(name: string, at: Date, outcome: 'done' | 'failed'): void {
      const state = stateOf(name)
      state.running_since = undefined
      state.runs++
      if (outcome === 'done') state.last_success_at = at
      else {
        state.failures++
        state.last_failure_at = at
      }
    },
    /** Every job, in the order in which they became known. */
    list: (): JobStatus[] =>
      [...states.values()].map(({ nextAt, ...state }) => ({ ...state, next_at: nextAt() })),
  }
}
