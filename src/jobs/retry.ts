/** An action that is run again a while after each failure. */
export type Retried<Outcome> = {
  /** Runs the action now. Rejects like the action; the next attempts do not. */
  run(): Promise<Outcome>
  /** Makes no further attempt. */
  close(): void
}

/**
 * Repeats an action until it succeeds.
 *
 * @param isFailure tells if an outcome is a failure, as an exception is
 * @param pauseMs pause after a failure, in milliseconds
 */
export function retryLater<Outcome>(
  action: () => Promise<Outcome>,
  isFailure: (outcome: Outcome) => boolean,
  pauseMs: number,
): Retried<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  function runLater(): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(() => void run().catch(() => undefined), pauseMs)
  }

  async function run(): Promise<Outcome> {
    clearTimeout(timer)
    try {
      const outcome = await action()
      if (isFailure(outcome)) runLater()
      return outcome
    } catch (error) {
      runLater()
      throw error
    }
  }

  return {
    run,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
