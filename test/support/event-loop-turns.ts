/**
 * Returns the number of turns of the event loop during an operation, and the milliseconds of processor time that this
 * thread spent on it. A busy machine interrupts turns, which makes them longer but does not affect that time.
 */
export async function countTurns<T>(
  work: Promise<T>,
): Promise<{ result: T; turns: number; cpuMs: number }> {
  const clock = startTurnClock()
  const cpuMs = startCpuClock()
  const result = await work
  clock.stop()
  return { result, turns: clock.turn(), cpuMs: cpuMs() }
}

/** Numbers the turns of the event loop until it is stopped. */
export function startTurnClock(): { turn(): number; stop(): void } {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return {
    turn: () => turns,
    stop() {
      isOver = true
    },
  }
}

/** Returns the milliseconds of processor time that this thread spends on a function. */
export function measureCpuMs(work: () => unknown): number {
  const cpuMs = startCpuClock()
  work()
  return cpuMs()
}

/** Like `measureCpuMs`, without the time for which the work waits. */
export async function measureWorkCpuMs(work: () => Promise<unknown>): Promise<number> {
  const cpuMs = startCpuClock()
  await work()
  return cpuMs()
}

function startCpuClock(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}
