import { join } from 'node:path'
import { claimPort } from '#actions/operations/claim-port.ts'
import { type Config, readConfig, servesSnapshots } from '#config.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { createApp, type HttpApp } from '#http/app.ts'
import { type Listener, listen } from '#http/listener.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers, type Workers } from '#jobs/workers.ts'
import type { Log } from '#log.ts'
import { failureText } from '#rules/primitives/failure-text.ts'
import { errorMessage } from '#rules/primitives/system-error-code.ts'

const SAMPLE = join(import.meta.dir, '../data/sample')

/** Time for requests in progress when the server stops. */
const DRAIN_MS = 25_000

/** In production, time for a load balancer to notice that /readyz fails, before the server stops. */
const NOTICE_MS = 3_000

/** Without a load balancer, time for clients to learn that they have to close their connections. */
const SHORT_NOTICE_MS = 500

/** A step that never ends must not keep the process (docs/reference/choices.md, row 29). */
const STOP_MS_MAX = 30_000

/** A server that is killed loses usage statistics of at most this time. */
const FLUSH_EVERY_MS = 5_000

const USAGE = `Usage: bun run start
       bun run up     installs, and loads the sample into an empty catalog

Starts the server. docs/reference/configuration.md lists its settings.`

if (process.argv.includes('--help')) process.stdout.write(`${USAGE}\n`)
else await start(settings())

/** Starts the process, or ends it with a line for the operator. */
async function start(config: Config): Promise<void> {
  try {
    await serve(config)
  } catch (error) {
    process.stderr.write(`${failureText(error, config.logLevel === 'debug')}\n`)
    process.exit(1)
  }
}

/** Listens, and stops on a signal. */
async function serve(config: Config): Promise<void> {
  // First: a server that cannot listen must not change the files of another one.
  await claimPort(config)
  const deps = await openDeps(config)
  const stages: StopStep[][] = [[['close the files', () => closeDeps(deps)]]]
  const isStopping = stopOnSignals(deps.log, stages)
  const workers = createWorkers(deps)
  if (process.argv.includes('--with-sample')) await loadSampleOnce(deps, workers)
  if (isStopping()) return

  const http = createApp(deps)
  const listener = listen(http, config)
  const running: StopStep[] = [['finish requests', () => finishRequests(http, listener, config)]]
  stages.unshift(running, [['return unspent quota', http.close]])
  if (config.sharePort) {
    deps.log.info('the port is shared', { port: config.port, setting: 'SHARE_PORT' })
    // Another server may have started at the same moment.
    await claimPort(config).catch((error) => {
      if (!isStopping()) throw error
    })
  }
  if (isStopping()) return
  const jobs = startJobs(deps, workers)
  running.push(['stop the jobs', jobs.close])
  setInterval(() => void http.flush(), FLUSH_EVERY_MS).unref()
  greet(deps)
}

/** Answers the requests in progress. A client that never ends its request must not block the exit. */
async function finishRequests(
  { drain }: HttpApp,
  listener: Listener,
  { production }: Config,
): Promise<void> {
  drain.begin()
  const noticeMs = production ? NOTICE_MS : SHORT_NOTICE_MS
  await Promise.race([listener.close(noticeMs), Bun.sleep(noticeMs + DRAIN_MS)])
}

/** A step of the shutdown, as in "failed to close the files". */
type StopStep = [task: string, run: () => unknown]

/**
 * Stops the process on a signal or an uncaught exception. Stages run in order, and the steps of a stage at
 * once, even if others failed. The exit code is 1 after any failure, so that a supervisor notices. A second
 * signal ends the process immediately.
 *
 * @param stages may get more while the server starts
 * @returns a function that is true once the process stops
 */
function stopOnSignals(log: Log, stages: readonly StopStep[][]): () => boolean {
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
  // After an exception nobody knows what state was left behind, so a new process continues.
  process.on('uncaughtException', (error) => {
    exitCode = 1
    log.error('uncaught exception', { error })
    void stop('uncaught exception')
  })
  // A rejection has unwound its own task; while the process stops, it may be the stop that failed.
  process.on('unhandledRejection', (error) => {
    if (isStopping) exitCode = 1
    log.error('unhandled rejection', { error })
  })
  return () => isStopping
}

/** Reads the settings, or exits with a message about the invalid ones. */
function settings(): Config {
  try {
    return readConfig()
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`)
    process.exit(1)
  }
}

async function loadSampleOnce({ catalog, config }: Deps, { sync }: Workers): Promise<void> {
  const isEmpty = catalog.games.list({ limit: 1, offset: 0 }).total === 0
  // With an upstream configured, the sample would mix with its cards. A replica writes none.
  const isOwn = config.upstreamUrl === undefined && !servesSnapshots(config)
  if (isEmpty && isOwn) await sync.run({ kind: 'sample', folder: SAMPLE })
}

function greet({ config, catalog }: Deps): void {
  const { total } = catalog.games.list({ limit: 1, offset: 0 })
  process.stderr.write(
    [
      '',
      `  Cardstock serves ${total} games at ${config.publicUrl}`,
      '',
      `  Dashboard:  ${config.publicUrl}`,
      `  Get a key:  ${config.publicUrl}/register`,
      `  Try it:     curl ${config.publicUrl}/v1/games (API reference: ${config.publicUrl}/docs)`,
      '',
      '',
    ].join('\n'),
  )
}
