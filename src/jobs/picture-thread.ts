// The thread that indexes the cards' pictures, so that neither a request nor a sync waits for it.
import type { IndexReport } from '#actions/index-pictures.ts'
import { openLog } from '#log.ts'
import { ServiceError } from '#rules/errors.ts'
import { runPictureIndex } from './picture-index.ts'
import type { Order, Word } from './task-thread.ts'

/** What the thread is asked to do. */
export type PictureTask = { kind: 'index' }

declare const self: {
  onmessage: (event: { data: Order<PictureTask> }) => void
  postMessage: (word: Word<IndexReport>) => void
}

self.onmessage = async ({ data: { config, task } }) => {
  const log = openLog(config.logLevel)
  try {
    self.postMessage({ kind: 'done', report: await runPictureIndex(config, log, {}) })
  } catch (error) {
    if (!(error instanceof ServiceError)) log.error('pictures failed', { task: task.kind, error })
    const reason = error instanceof Error ? error.message : String(error)
    self.postMessage({ kind: 'failed', reason })
  }
}
