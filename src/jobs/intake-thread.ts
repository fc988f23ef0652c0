// The thread that writes the catalog, so that no request waits for a sync. It lives for one task and
// takes its memory with it.
import { loadSample } from '#actions/load-sample.ts'
import {
  type Progress,
  type SyncReport,
  type SyncRequest,
  syncCatalog,
} from '#actions/sync-catalog.ts'
import type { Config } from '#config.ts'
import { openIntakeDeps } from '#deps.ts'
import { openLog } from '#log.ts'
import { openMirrorOf } from '#outbound/mirror-of.ts'
import { ServiceError } from '#rules/errors.ts'
import type { Order, Word } from './task-thread.ts'

/** What the thread is asked to do. */
export type IntakeTask =
  | { kind: 'sync'; request: Omit<SyncRequest, 'onProgress'> }
  | { kind: 'sample'; folder: string }

declare const self: {
  onmessage: (event: { data: Order<IntakeTask> }) => void
  postMessage: (word: Word<SyncReport>) => void
}

self.onmessage = async ({ data: { config, task } }) => {
  const log = openLog(config.logLevel)
  try {
    const report = await perform(config, task)
    self.postMessage({ kind: 'done', report })
  } catch (error) {
    if (!(error instanceof ServiceError)) log.error('intake failed', { task: task.kind, error })
    const reason = error instanceof Error ? error.message : String(error)
    self.postMessage({ kind: 'failed', reason })
  }
}

async function perform(config: Config, task: IntakeTask): Promise<SyncReport> {
  const deps = openIntakeDeps(config)
  try {
    if (task.kind === 'sample') return await loadSample(deps, task.folder)
    const marketplace = openMirrorOf(config, deps.log)
    const onProgress = (progress: Progress) => self.postMessage({ kind: 'progress', progress })
    return await syncCatalog({ ...deps, marketplace }, { ...task.request, onProgress })
  } finally {
    deps.close()
  }
}
