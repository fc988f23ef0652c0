import type { BulkReport } from '#actions/pricing/build-bulk-files.ts'
import type { Deps } from '#deps.ts'
import type { BulkTask } from './bulk-thread.ts'
import { createTaskWorker, type TaskWorker } from './task-thread.ts'

/** The server's hold on the thread that makes the files of the whole catalog. */
export function createBulkWorker(deps: Pick<Deps, 'config' | 'log'>): BulkWorker {
  return createTaskWorker('bulk files', deps, {
    start: () => new Worker(new URL('./bulk-thread.ts', import.meta.url)),
    // Whoever downloads looks at the folder.
    ended: () => {},
  })
}

export type BulkWorker = TaskWorker<BulkTask, BulkReport>
