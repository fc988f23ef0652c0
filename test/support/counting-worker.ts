/** A job's thread that only counts its tasks; its result is given. */
export function createCountingWorker<Report>(report: Report | undefined) {
  const notes = { runs: 0, isRunning: false }
  const thread = {
    run: async () => {
      notes.runs++
      return report
    },
    isRunning: () => notes.isRunning,
  }
  return { notes, thread }
}
