import { constants, getPriority, setPriority } from 'node:os'

/**
 * Lets the threads of requests go first when all processors are busy. Call it in a thread of long work that
 * holds no lock for which requests wait. Only Linux has priorities of threads.
 */
export function lowerThreadPriority(): void {
  // 0 is the calling thread (setpriority(2), "C library/kernel differences").
  if (process.platform !== 'linux') return
  // A process that was started at a lower priority may not raise it.
  setPriority(0, Math.max(getPriority(0), constants.priority.PRIORITY_BELOW_NORMAL))
}
