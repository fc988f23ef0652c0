// The thread in which one long task runs, so that no request waits for it. It ends with its task.
import type { Config } from '#config.ts'
import { type Log, openLog } from '#log.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-error-code.ts'
import type { SyncTask, Task, TaskRequest, TaskResponse } from './workers.ts'

declare const self: {
  onmessage: (event: { data: unknown }) => void
  postMessage: (response: TaskResponse<object>) => void
}

self.onmessage = async ({ data }) => {
  // Only workers.ts starts this thread, and this is what it sends.
  const { config, task } = data as TaskRequest
  const log = openLog(config.logLevel)
  try {
    self.postMessage({ kind: 'done', report: await runTask(task, config, log) })
  } catch (error) {
    if (!(error instanceof ServiceError)) log.error('task failed', { task: task.kind, error })
    self.postMessage({ kind: 'failed', reason: errorMessage(error) })
  }
}

/** Imports the modules of this task alone: a thread takes no more memory than its task needs. */
async function runTask(task: Task, config: Config, log: Log): Promise<object> {
  switch (task.kind) {
    case 'sync':
    case 'sample':
      return writeCatalog(config, task)
    case 'index':
      return (await import('./picture-index.ts')).runPictureIndex(config, log, {})
    case 'build':
      return writeBulkFiles(config, log)
    case 'backup':
      return writeBackup(config, log)
  }
}

async function writeCatalog(config: Config, task: SyncTask): Promise<object> {
  const { openCatalogWriterDeps } = await import('#deps.ts')
  const deps = openCatalogWriterDeps(config)
  try {
    if (task.kind === 'sample') {
      const { loadSample } = await import('#actions/sync/load-sample.ts')
      return await loadSample(deps, task.folder)
    }
    const { syncCatalog } = await import('#actions/sync/sync-catalog.ts')
    const { openConfiguredMarketplace } = await import('#outbound/marketplace/open-marketplace.ts')
    const marketplace = openConfiguredMarketplace(config, deps.log)
    return await syncCatalog({ ...deps, marketplace }, task.request)
  } finally {
    deps.close()
  }
}

async function writeBulkFiles({ dataDir, publicUrl }: Config, log: Log): Promise<object> {
  const { buildBulkFiles } = await import('#actions/pricing/build-bulk-files.ts')
  const { createPictureUrl } = await import('#rules/catalog/picture-url.ts')
  const { openCatalog } = await import('#store/index.ts')
  const catalog = openCatalog(dataDir, createPictureUrl(publicUrl))
  try {
    return await buildBulkFiles({ catalog, dataDir, log, now: () => new Date() })
  } finally {
    catalog.close()
  }
}

async function writeBackup({ backups, dataDir }: Config, log: Log): Promise<object> {
  if (backups === undefined) throw new Error('a backup task was started although backups are off')
  const { backUpOnSchedule } = await import('#actions/operations/back-up.ts')
  return backUpOnSchedule({ dataDir, log, now: () => new Date() }, backups)
}
