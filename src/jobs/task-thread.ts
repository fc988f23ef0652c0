// Thread for one long task, so that no request waits for it. It ends with its task.
import type { Config } from '#config.ts'
import { type Log, openLog } from '#log.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import type { SyncStep } from '#store/memory/sync-trigger.ts'
import { lowerThreadPriority } from '#vision/runtime/thread-priority.ts'
import type { Task, TaskMessage, TaskResponse } from './workers.ts'

declare const self: {
  onmessage: (event: { data: unknown }) => void
  postMessage: (response: TaskResponse<object>) => void
}

const canceling = new AbortController()

self.onmessage = async ({ data }) => {
  // Only workers.ts starts this thread, always with a TaskRequest.
  const message = data as TaskMessage
  if (message.kind === 'cancel') return canceling.abort()
  const { config, task } = message
  const log = openLog(config.logLevel, config.logFormat)
  try {
    self.postMessage({ kind: 'done', report: await runTask(task, config, log) })
  } catch (error) {
    if (!(error instanceof ServiceError)) log.error('task failed', { task: task.kind, error })
    self.postMessage({ kind: 'failed', reason: errorMessage(error) })
  }
}

/** Imports only the modules of this task, so that the thread uses no more memory than needed. */
async function runTask(task: Task, config: Config, log: Log): Promise<object> {
  // Requests wait for the ledger while these tasks write to it, so their threads have normal priority.
  if (!['ledger', 'value'].includes(task.kind)) lowerThreadPriority()
  switch (task.kind) {
    case 'sync':
    case 'sample':
    case 'cardmarket':
      return (await import('./tasks/catalog-tasks.ts')).writeCatalog(config, task, putProgress)
    case 'history':
      return (await import('./tasks/history-task.ts')).importOlderPrices(
        config,
        task,
        canceling.signal,
      )
    case 'rates':
      return (await import('./tasks/catalog-tasks.ts')).fetchRates(config)
    case 'index':
      return (await import('./tasks/picture-task.ts')).runPictureIndex(config, log, {})
    case 'build':
      return (await import('./tasks/bulk-task.ts')).writeBulkFiles(config, log)
    case 'backup':
      return (await import('./tasks/backup-task.ts')).writeBackup(config, log)
    case 'search':
      return (await import('./tasks/search-task.ts')).readSearchIndex(config, task)
    case 'publish':
      return (await import('./tasks/bucket-tasks.ts')).putSnapshot(config, log)
    case 'pack':
      return (await import('./tasks/bucket-tasks.ts')).packVersion(config, log, task)
    case 'rebase':
      return (await import('./tasks/bucket-tasks.ts')).rebaseWork(config, task)
    case 'fetch':
      return (await import('./tasks/bucket-tasks.ts')).fetchSnapshotFile(config, task)
    case 'value':
      return (await import('./tasks/ledger-tasks.ts')).valueCollections(config, log, task)
    case 'ledger':
      return (await import('./tasks/ledger-tasks.ts')).maintainLedger(config, log, task)
  }
}

function putProgress(step: SyncStep): void {
  self.postMessage({ kind: 'progress', step })
}
