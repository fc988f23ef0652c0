// Thread that reads the files of imports. It stays while imports come, so that they do not wait for its start.
import { openLog } from '#log.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { createRemoteImportStores } from './import-storage.ts'
import type { ImportThreadRequest, ImportThreadResponse, StartedImport } from './import-worker.ts'
import { createImportTasks } from './tasks/import-task.ts'

declare const self: {
  onmessage: (event: { data: unknown }) => void
  postMessage: (response: ImportThreadResponse) => void
}

const remote = createRemoteImportStores((id, call) => self.postMessage({ kind: 'store', id, call }))
const tasks = createImportTasks(remote.stores)
const running = new Map<number, { controller: AbortController; ended: Promise<void> }>()

self.onmessage = ({ data }) => {
  // Only import-worker.ts starts this thread, always with these requests.
  const request = data as ImportThreadRequest
  if (request.kind === 'end') return void end()
  if (request.kind === 'stored') return remote.settle(request.id, request.result)
  if (request.kind === 'cancel') return running.get(request.id)?.controller.abort()
  const controller = new AbortController()
  running.set(request.id, { controller, ended: run(request, controller.signal) })
}

async function run(started: StartedImport, signal: AbortSignal): Promise<void> {
  const { id, config } = started
  try {
    self.postMessage({ kind: 'done', id, outcome: await tasks.run(started, signal) })
  } catch (error) {
    openLog(config.logLevel, config.logFormat).error('import failed', { error })
    self.postMessage({ kind: 'failed', id, reason: errorMessage(error) })
  } finally {
    running.delete(id)
  }
}

async function end(): Promise<void> {
  await Promise.all([...running.values()].map(({ ended }) => ended))
  tasks.close()
  self.postMessage({ kind: 'ended' })
}
