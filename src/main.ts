import { join } from 'node:path'
import { type Config, readConfig } from '#config.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { createApp } from '#http/app.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers, type Workers } from '#jobs/workers.ts'
import { failureText } from '#rules/primitives/failure-text.ts'
import { errorMessage } from '#rules/primitives/system-error-code.ts'

const SAMPLE = join(import.meta.dir, '../data/sample')

/** Time for requests in progress when the server stops. */
const DRAIN_MS = 25_000

/** In production, time for a load balancer to notice that /readyz fails, before the server stops. */
const NOTICE_MS = 3_000

/**
 * Bun refuses larger bodies without an explanation, so this is out of reach. Endpoints have their own, much
 * lower limits.
 */
const BODY_BYTES_MAX = 2 ** 40

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
  const deps = openDeps(config)
  const workers = createWorkers(deps)
  if (process.argv.includes('--with-sample')) await loadSampleOnce(deps, workers)

  const { app, drain, flush, close } = createApp(deps)
  const { host, port } = deps.config
  app.listen({ hostname: host, port, idleTimeout: 30, maxRequestBodySize: BODY_BYTES_MAX })
  const jobs = startJobs(deps, workers)
  const flushing = setInterval(() => void flush(), FLUSH_EVERY_MS)
  greet(deps)

  const stop = async (signal: string) => {
    deps.log.info('stopping', { signal })
    drain()
    const jobsClosed = jobs.close()
    clearInterval(flushing)
    if (deps.config.production) await Bun.sleep(NOTICE_MS)
    // A client that never ends its request must not block the exit.
    await Promise.race([app.server?.stop(), Bun.sleep(DRAIN_MS)])
    await jobsClosed
    await close().catch((error) => deps.log.error('failed to return unspent quota', { error }))
    await closeDeps(deps)
    process.exit(0)
  }
  process.once('SIGTERM', () => void stop('SIGTERM'))
  process.once('SIGINT', () => void stop('SIGINT'))
  process.on('unhandledRejection', (error) => deps.log.error('unhandled rejection', { error }))
}

/** Reads the settings, or exits with a message about the invalid ones. */
function settings() {
  try {
    return readConfig()
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`)
    process.exit(1)
  }
}

async function loadSampleOnce({ catalog, config }: Deps, { sync }: Workers): Promise<void> {
  const isEmpty = catalog.games.list({ limit: 1, offset: 0 }).total === 0
  // With an upstream configured, the sample would mix with its cards.
  if (isEmpty && config.upstreamUrl === undefined)
    await sync.run({ kind: 'sample', folder: SAMPLE })
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
