/** A fixed number of places; who finds none free waits for one, first come first served. */
export function createSemaphore(most: number) {
  let free = most
  const waiting: (() => void)[] = []

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }

  return {
    /** @returns what leaves the place again */
    async acquire(): Promise<() => void> {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      return leave
    },
  }
}
