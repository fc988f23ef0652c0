// The thread that writes the catalog, so that no request waits for a sync. It lives for one task and
// takes its memory with it.
import { loadSample } from '#actions/sync/load-sample.ts'
import { type SyncReport, type SyncRequest, syncCatalog } from '#actions/sync/sync-catalog.ts'
import type { Config } from '#config.ts'
import { openCatalogWriterDeps } from '#deps.ts'
import { openConfiguredMarketplace } from '#outbound/marketplace/open-marketplace.ts'
import { serveTasks } from './task-thread.ts'

/** What the thread is asked to do. */
export type SyncTask =
  | { kind: 'sync'; request: Omit<SyncRequest, 'onProgress'> }
  | { kind: 'sample'; folder: string }

serveTasks<SyncTask, SyncReport>('intake', ({ config, task }) => perform(config, task))

async function perform(config: Config, task: SyncTask): Promise<SyncReport> {
  const deps = openCatalogWriterDeps(config)
  try {
    if (task.kind === 'sample') return await loadSample(deps, task.folder)
    const marketplace = openConfiguredMarketplace(config, deps.log)
    return await syncCatalog({ ...deps, marketplace }, task.request)
  } finally {
    deps.close()
  }
}
