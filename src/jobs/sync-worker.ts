import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import type { Deps } from '#deps.ts'
import type { SyncTask } from './sync-thread.ts'
import { createTaskWorker, type TaskWorker } from './task-thread.ts'

/** The server's hold on the thread that writes the catalog. */
export function createSyncWorker(deps: Pick<Deps, 'config' | 'log' | 'catalog'>): SyncWorker {
  return createTaskWorker('intake', deps, {
    start: () => new Worker(new URL('./sync-thread.ts', import.meta.url)),
    ended: deps.catalog.publication.refresh,
  })
}

export type SyncWorker = TaskWorker<SyncTask, SyncReport>
