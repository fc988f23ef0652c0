import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import type { Deps } from '#deps.ts'
import type { IntakeTask } from './sync-thread.ts'
import { openTaskThread, type TaskThread } from './task-thread.ts'

/** The server's hold on the thread that writes the catalog. */
export function openIntakeThread(deps: Pick<Deps, 'config' | 'log' | 'catalog'>): IntakeThread {
  return openTaskThread('intake', deps, {
    start: () => new Worker(new URL('./sync-thread.ts', import.meta.url)),
    ended: deps.catalog.publication.refresh,
  })
}

export type IntakeThread = TaskThread<IntakeTask, SyncReport>
