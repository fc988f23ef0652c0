import { constants, getPriority, setPriority } from 'node:os'

/** Priority of imports, below that of photos, for which people wait with a card in their hand. */
export const IMPORT_PRIORITY = 15

/**
 * Lowers the priority of this thread, so that those of requests run first when all processors are busy. Then it may be
 * interrupted for some hundred milliseconds at any point, so it must hold nothing for which requests wait: it does not
 * write the ledger, and makes few transactions on the catalog, because SQLite takes a mutex of the process for each, and
 * for each query outside of one. Only Linux has thread priorities.
 *
 * @param priority from 0 to 19, the lowest
 */
export function lowerThreadPriority(
  priority: number = constants.priority.PRIORITY_BELOW_NORMAL,
): void {
  // 0 is the calling thread (setpriority(2), "C library/kernel differences").
  if (process.platform !== 'linux') return
  // A process that was started at a lower priority may not raise it.
  setPriority(0, Math.max(getPriority(0), priority))
}
