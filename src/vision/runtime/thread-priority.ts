import { constants, getPriority, setPriority } from 'node:os'

/**
 * Lowers the priority of this thread, so that those of requests run first when all processors are busy. Call it in a
 * thread with a long task that holds no lock for which requests wait. Only Linux has thread priorities.
 */
export function lowerThreadPriority(): void {
  // 0 is the calling thread (setpriority(2), "C library/kernel differences").
  if (process.platform !== 'linux') return
  // A process that was started at a lower priority may not raise it.
  setPriority(0, Math.max(getPriority(0), constants.priority.PRIORITY_BELOW_NORMAL))
}
