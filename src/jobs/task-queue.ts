/** Runs tasks one at a time. */
export type TaskQueue<Task, Report> = {
  /**
   * Runs a task after those that are running or waiting. A task that equals a waiting one shares its run, so
   * the queue never grows beyond the number of different tasks.
   */
  add(task: Task): Promise<Report>
  /** Returns true while a task runs or waits. */
  isBusy(): boolean
}

/** @param run starts a task; never rejects */
export function createTaskQueue<Task, Report>(
  run: (task: Task) => Promise<Report>,
): TaskQueue<Task, Report> {
  const waiting: { task: Task; report: Promise<Report> }[] = []
  /** Ends with the last task; undefined without one. */
  let end: Promise<Report> | undefined

  function append(report: Promise<Report>): Promise<Report> {
    end = report
    void report.finally(() => {
      if (end === report) end = undefined
    })
    return report
  }

  return {
    add(task) {
      if (end === undefined) return append(run(task))
      const same = waiting.find((other) => Bun.deepEquals(other.task, task))
      if (same !== undefined) return same.report
      const report = end.then(() => {
        waiting.shift()
        return run(task)
      })
      waiting.push({ task, report })
      return append(report)
    },
    isBusy: () => end !== undefined,
  }
}
