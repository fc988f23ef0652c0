/** Limits concurrency to a number of permits. */
export type Semaphore = {
  /** Waits for a permit, in order of arrival, and returns the function that releases it. */
  acquire(): Promise<() => void>
}

/** Creates a semaphore whose permits are all free. */
export function createSemaphore(permits: number): Semaphore {
  let free = permits
  const waiting: (() => void)[] = []

  function release(): void {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }

  return {
    async acquire() {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      return release
    },
  }
}
