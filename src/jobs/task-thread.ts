import type { Config } from '#config.ts'
import { type Log, openLog } from '#log.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/** What a thread is sent. */
type TaskRequest<Task> = { config: Config; task: Task }

/** What it says once: how it ended. */
type TaskResponse<Report> = { kind: 'done'; report: Report } | { kind: 'failed'; reason: string }

export type TaskWorker<Task, Report> = {
  /**
   * Runs a task in its thread.
   *
   * @returns its report; undefined where it failed (the log says why), or another one is running
   */
  run(task: Task): Promise<Report | undefined>
  isRunning(): boolean
}

/**
 * The server's hold on a writing thread: one task at a time, a thread a task, which takes its memory
 * with it. A thread that works when the server stops ends with the process, which leaves what it wrote
 * whole. To terminate it before could meet it in a call of SQLite, and would then abort the process
 * (Bun 1.4.5: a fatal error of the native interface, in one of some 150 stops).
 *
 * @param name stands in the log
 */
export function createTaskWorker<Task extends { kind: string }, Report extends object>(
  name: string,
  { config, log }: { config: Config; log: Log },
  { start, ended }: { start: () => Worker; ended: () => void },
): TaskWorker<Task, Report> {
  let current: Worker | undefined

  function begin(task: Task): Promise<Report | undefined> {
    const worker = start()
    current = worker
    return new Promise<Report | undefined>((resolve) => {
      worker.onmessage = ({ data: word }: MessageEvent<TaskResponse<Report>>) => {
        if (word.kind === 'failed') log.error(`${name} task failed`, { reason: word.reason })
        resolve(word.kind === 'done' ? word.report : undefined)
      }
      worker.onerror = ({ message }) => {
        log.error(`${name} thread failed`, { reason: message })
        resolve(undefined)
      }
      worker.addEventListener('close', () => resolve(undefined))
      const taskRequest: TaskRequest<Task> = { config, task }
      worker.postMessage(taskRequest)
    }).finally(() => {
      worker.terminate()
      current = undefined
      ended()
    })
  }

  return {
    async run(task) {
      if (current !== undefined) {
        log.warn(`${name} task skipped`, { task: task.kind, reason: 'another one is running' })
        return undefined
      }
      log.info(`${name} task started`, { task: task.kind })
      const report = await begin(task)
      if (report !== undefined) log.info(`${name} task ended`, { task: task.kind, ...report })
      return report
    },
    isRunning: () => current !== undefined,
  }
}

declare const self: {
  onmessage: (event: { data: unknown }) => void
  postMessage: (taskResponse: TaskResponse<object>) => void
}

/**
 * The thread's own side: performs what it is sent, and says how that ended.
 *
 * @param name stands in the log
 */
export function serveTasks<Task extends { kind: string }, Report extends object>(
  name: string,
  perform: (taskRequest: TaskRequest<Task> & { log: Log }) => Promise<Report>,
): void {
  self.onmessage = async ({ data }) => {
    // Only `openTaskThread` starts such a thread, and this is what it sends.
    const { config, task } = data as TaskRequest<Task>
    const log = openLog(config.logLevel)
    try {
      self.postMessage({ kind: 'done', report: await perform({ config, task, log }) })
    } catch (error) {
      if (!(error instanceof ServiceError)) log.error(`${name} failed`, { task: task.kind, error })
      const reason = error instanceof Error ? error.message : String(error)
      self.postMessage({ kind: 'failed', reason })
    }
  }
}
