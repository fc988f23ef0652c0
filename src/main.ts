import { join } from 'node:path'
import { repeatDeletions } from '#actions/accounts/delete-account.ts'
import { createSetupToken } from '#actions/accounts/set-up-operator.ts'
import { claimPort } from '#actions/operations/claim-port.ts'
import { type Config, readAttendedConfig, readConfig, servesSnapshots } from '#config.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { createApp } from '#http/app.ts'
import { listen } from '#http/listener.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers, type Workers } from '#jobs/workers.ts'
import { renderGreeting, repeatSetup } from './greeting.ts'
import {
  finishRequests,
  runProcess,
  SHORT_NOTICE_MS,
  type StopStep,
  stopOnSignals,
} from './process.ts'

const SAMPLE = join(import.meta.dir, '../data/sample')

/** In production, time for a load balancer to notice that /readyz fails, before the server stops. */
const NOTICE_MS = 3_000

/** A killed server loses at most the usage statistics of this period. */
const FLUSH_EVERY_MS = 5_000

const isOnTerminal = Boolean(process.stderr.isTTY)

/** True if a person reads the output instead of a log collector: `up` passes the option. */
const isAttended = isOnTerminal || process.argv.includes('--attended')

await runProcess({ readSettings: isAttended ? readAttendedConfig : readConfig, serve })

/** Listens, and stops on a signal. */
async function serve(config: Config): Promise<void> {
  // First, because a server that cannot listen must not change the files of another one.
  await claimPort(config)
  const deps = await openDeps(config)
  const stages: StopStep[][] = [[['close the files', () => closeDeps(deps)]]]
  const isStopping = stopOnSignals(deps.log, stages)
  await deleteAgain(deps)
  const workers = createWorkers(deps)
  if (process.argv.includes('--with-sample')) await loadSampleOnce(deps, workers)
  if (isStopping()) return

  const http = createApp(deps)
  const listener = listen(http, config)
  const noticeMs = config.production ? NOTICE_MS : SHORT_NOTICE_MS
  const finish = () => finishRequests(http.drain, listener, noticeMs)
  const running: StopStep[] = [['finish requests', finish]]
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
  const setupToken = await beginSetup(deps)
  print(await renderGreeting(deps, { isOnTerminal, setupToken }))
  if (isAttended) running.push(['stop repeating the setup', repeatSetup(deps, setupToken, print)])
}

function print(text: string): void {
  process.stderr.write(text)
}

/** Creates the token of the setup. Without one, `bun run setup` still works, so an error does not stop the server. */
async function beginSetup(deps: Deps): Promise<string | undefined> {
  try {
    return await createSetupToken(deps)
  } catch (error) {
    deps.log.error('failed to store a setup token', { error })
    return undefined
  }
}

/** Repeats deletions of accounts that a backup has restored. */
async function deleteAgain(deps: Deps): Promise<void> {
  const accounts = await repeatDeletions(deps)
  if (accounts > 0) deps.log.warn('accounts of a restored backup were deleted again', { accounts })
}

async function loadSampleOnce({ catalog, config }: Deps, { sync }: Workers): Promise<void> {
  const isEmpty = catalog.games.list({ limit: 1, offset: 0 }).total === 0
  // With an upstream, the sample would be mixed with its cards. A replica does not write its catalog.
  const isOwn = config.upstreamUrl === undefined && !servesSnapshots(config)
  if (!isEmpty || !isOwn) return
  if (isAttended) print('Loading the sample…\n')
  await sync.run({ kind: 'sample', folder: SAMPLE })
}
