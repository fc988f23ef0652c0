// Start and stop of a process: of a server or of a photo worker.
import type { Config } from '#config.ts'
import type { Log } from '#log.ts'
import { errorMessage, failureText } from '#rules/primitives/system-errors.ts'

/** Time for requests in progress when the server stops. */
const DRAIN_MS = 25_000

/** Without a load balancer, time for clients to learn that they must close their connections. */
export const SHORT_NOTICE_MS = 500

/** The process ends after this time, even if a step has not finished (docs/reference/choices.md, row 29). */
const STOP_MS_MAX = 30_000

/** Starts the process. If that fails, ends it with a message for the operator. */
export async function runProcess<Settings extends Pick<Config, 'logLevel'>>({
  readSettings,
  serve,
}: {
  /** Throws an error about invalid settings. */
  readSettings: () => Settings
  serve: (settings: Settings) => Promise<void>
}): Promise<void> {
  const settings = readOrExit(readSettings)
  try {
    await serve(settings)
  } catch (error) {
    exitWith(failureText(error, settings.logLevel === 'debug'))
  }
}

/** Reads the settings, or exits with a message about the invalid ones. */
function readOrExit<Settings>(readSettings: () => Settings): Settings {
  try {
    return readSettings()
  } catch (error) {
    return exitWith(errorMessage(error))
  }
}

function exitWith(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/**
 * Waits for requests in progress, up to a limit, so that a client that never ends its request does not block the
 * exit.
 */
export async function finishRequests(
  drain: { begin(): void },
  listener: { close(noticeMs: number): Promise<void> },
  noticeMs: number,
): Promise<void> {
  drain.begin()
  await Promise.race([listener.close(noticeMs), Bun.sleep(noticeMs + DRAIN_MS)])
}

/** A step of the shutdown, as in "failed to close the files". */
export type StopStep = [task: string, run: () => unknown]

/**
 * Stops the process on a signal or an uncaught exception. Stages run in order, and the steps of a stage concurrently,
 * even if others failed. The exit code is 1 after any failure, so that a supervisor notices. A second signal ends the
 * process immediately.
 *
 * @param stages may be extended while the server starts
 * @returns a function that returns true once the process is stopping
 */
export function stopOnSignals(log: Log, stages: readonly StopStep[][]): () => boolean {
  let isStopping = false
  let exitCode = 0

  async function stop(reason: string): Promise<void> {
    if (isStopping) return
    isStopping = true
    log.info('stopping', { reason })
    const overdue = () => {
      log.error('stopping takes too long', { limit_ms: STOP_MS_MAX })
      process.exit(1)
    }
    setTimeout(overdue, STOP_MS_MAX).unref()
    for (const stage of stages) await Promise.all(stage.map(runStep))
    process.exit(exitCode)
  }

  async function runStep([task, run]: StopStep): Promise<void> {
    try {
      await run()
    } catch (error) {
      exitCode = 1
      log.error(`failed to ${task}`, { error })
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop(signal))
  // The state after an uncaught exception is unknown, so the process is replaced.
  process.on('uncaughtException', (error) => {
    exitCode = 1
    log.error('uncaught exception', { error })
    void stop('uncaught exception')
  })
  // A rejection affects only its own task, so the process continues. During the stop, the failed task may be part of
  // it.
  process.on('unhandledRejection', (error) => {
    if (isStopping) exitCode = 1
    log.error('unhandled rejection', { error })
  })
  return () => isStopping
}
