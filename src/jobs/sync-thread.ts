// The thread that writes the catalog, so that no request waits for a sync. It lives for one task and
// takes its memory with it.
import { loadSample } from '#actions/sync/load-sample.ts'
import { type SyncReport, type SyncRequest, syncCatalog } from '#actions/sync/sync-catalog.ts'
import type { Config } from '#config.ts'
import { openIntakeDeps } from '#deps.ts'
import { openMirrorOf } from '#outbound/marketplace/open-marketplace.ts'
import { serveTasks } from './task-thread.ts'

/** What the thread is asked to do. */
export type IntakeTask =
  | { kind: 'sync'; request: Omit<SyncRequest, 'onProgress'> }
  | { kind: 'sample'; folder: string }

serveTasks<IntakeTask, SyncReport>('intake', ({ config, task }) => perform(config, task))

async function perform(config: Config, task: IntakeTask): Promise<SyncReport> {
  const deps = openIntakeDeps(config)
  try {
    if (task.kind === 'sample') return await loadSample(deps, task.folder)
    const marketplace = openMirrorOf(config, deps.log)
    return await syncCatalog({ ...deps, marketplace }, task.request)
  } finally {
    deps.close()
  }
}
