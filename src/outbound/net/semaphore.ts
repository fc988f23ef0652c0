/** Creates a semaphore with a fixed number of permits, granted in order of arrival. */
export function createSemaphore(most: number) {
  let free = most
  const waiting: (() => void)[] = []

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) free++
    else next()
  }

  return {
    async acquire(): Promise<() => void> {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      return leave
    },
  }
}
