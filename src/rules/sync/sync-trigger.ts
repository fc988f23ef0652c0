/** Which sync an operator wants: of one game, by its slug, or of all that have something new. */
export type SyncWish = {
  game?: string
  /** Fetch everything again, and accept what the guards would refuse. */
  force?: boolean
}

/** Who runs syncs. */
export type SyncRunner = {
  isRunning(): boolean
  /** Starts one, and does not wait for its end. */
  start(wish: SyncWish): void
}

export type SyncDesk = ReturnType<typeof openSyncDesk>

/** Where syncs are asked for, and where whoever runs them sits: neither needs to know the other. */
export function openSyncDesk() {
  let runner: SyncRunner | undefined

  return {
    /** From now on this one runs what is asked for; undefined: nobody does. */
    serve(next: SyncRunner | undefined): void {
      runner = next
    },
    isRunning: (): boolean => runner?.isRunning() === true,
    /** @returns what came of it; `closed`: nobody runs any, as the process is starting or stopping */
    start(wish: SyncWish): 'started' | 'running' | 'closed' {
      if (runner === undefined) return 'closed'
      if (runner.isRunning()) return 'running'
      runner.start(wish)
      return 'started'
    },
  }
}
