/** Which sync an operator wants: of one game, by its slug, or of all that have something new. */
export type SyncOptions = {
  game?: string
  /** Fetch everything again, and accept what the guards would refuse. */
  force?: boolean
}

/** Who runs syncs. */
export type SyncRunner = {
  isRunning(): boolean
  /** Starts one, and does not wait for its end. */
  start(wish: SyncOptions): void
}

export type SyncTrigger = ReturnType<typeof createSyncTrigger>

/** Where syncs are asked for, and where whoever runs them sits: neither needs to know the other. */
export function createSyncTrigger() {
  let runner: SyncRunner | undefined

  return {
    /** From now on this one runs what is asked for; undefined: nobody does. */
    attach(next: SyncRunner | undefined): void {
      runner = next
    },
    isRunning: (): boolean => runner?.isRunning() === true,
    /** @returns what came of it; `closed`: nobody runs any, as the process is starting or stopping */
    start(wish: SyncOptions): 'started' | 'running' | 'closed' {
      if (runner === undefined) return 'closed'
      if (runner.isRunning()) return 'running'
      runner.start(wish)
      return 'started'
    },
  }
}
