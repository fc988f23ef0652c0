import type { SyncReport } from '#actions/sync-catalog.ts'
import type { Deps } from '#deps.ts'
import type { IntakeOrder, IntakeTask, IntakeWord } from './intake-thread.ts'

/**
 * The server's hold on the writing thread: one task at a time, a thread a task.
 */
export function openIntakeThread({ config, log, catalog }: Deps) {
  let current: { worker: Worker; done: Promise<SyncReport | undefined> } | undefined

  function begin(task: IntakeTask): Promise<SyncReport | undefined> {
    const worker = new Worker(new URL('./intake-thread.ts', import.meta.url))
    const done = new Promise<SyncReport | undefined>((resolve) => {
      worker.onmessage = ({ data: word }: MessageEvent<IntakeWord>) => {
        if (word.kind === 'progress') return
        if (word.kind === 'failed') log.error('intake task failed', { reason: word.reason })
        resolve(word.kind === 'done' ? word.report : undefined)
      }
      worker.onerror = ({ message }) => {
        log.error('intake thread failed', { reason: message })
        resolve(undefined)
      }
      worker.addEventListener('close', () => resolve(undefined))
      const order: IntakeOrder = { config, task }
      worker.postMessage(order)
    }).finally(() => {
      worker.terminate()
      current = undefined
      catalog.publication.refresh()
    })
    current = { worker, done }
    return done
  }

  return {
    /**
     * Runs a task in its thread.
     *
     * @returns its report; undefined where it failed (the log says why), or another one is running
     */
    async run(task: IntakeTask): Promise<SyncReport | undefined> {
      if (current !== undefined) {
        log.warn('intake task skipped', { task: task.kind, reason: 'another one is running' })
        return undefined
      }
      log.info('intake task started', { task: task.kind })
      const report = await begin(task)
      if (report !== undefined) log.info('intake task ended', { task: task.kind, ...report })
      return report
    },
    isRunning: () => current !== undefined,
    /** Ends the thread where it stands: the catalog stays as it was, the next run goes on. */
    close(): void {
      current?.worker.terminate()
    },
  }
}

export type IntakeThread = ReturnType<typeof openIntakeThread>
