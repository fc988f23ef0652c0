/** Shutdown of a server: tracks and delays the requests that still arrive. */
export type Drain = {
  /** Begins the shutdown: from now on each response closes its connection, and /readyz fails. */
  begin(): void
  isDraining(): boolean
  /** Holds requests that arrive from now on. @returns a function that releases them */
  hold(): () => void
  /** Number of requests that have arrived since `begin`. */
  arrived(): number
  /** Counts a request. @returns a promise that the request has to await, if it is held */
  waitForTurn(): Promise<void> | undefined
}

export function createDrain(): Drain {
  let isDraining = false
  let arrived = 0
  let held: Promise<void> | undefined

  return {
    begin() {
      isDraining = true
    },
    isDraining: () => isDraining,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    arrived: () => arrived,
    waitForTurn() {
      if (isDraining) arrived++
      return held
    },
  }
}
