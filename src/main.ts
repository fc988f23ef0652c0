import { join } from 'node:path'
import { repeatDeletions } from '#actions/accounts/delete-account.ts'
import { createSetupToken, findSetupStage } from '#actions/accounts/set-up-operator.ts'
import { claimPort } from '#actions/operations/claim-port.ts'
import { type Config, readConfig, readTerminalConfig, servesSnapshots } from '#config.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { createApp } from '#http/app.ts'
import { listen } from '#http/listener.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers, type Workers } from '#jobs/workers.ts'
import {
  finishRequests,
  runProcess,
  SHORT_NOTICE_MS,
  type StopStep,
  stopOnSignals,
} from './process.ts'

const SAMPLE = join(import.meta.dir, '../data/sample')

/** In production, time for a load balancer to notice that /readyz fails before the server stops. */
const NOTICE_MS = 3_000

/** A server that is killed loses the usage statistics of this period at most. */
const FLUSH_EVERY_MS = 5_000

const isOnTerminal = Boolean(process.stderr.isTTY)

await runProcess({ readSettings: isOnTerminal ? readTerminalConfig : readConfig, serve })

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
  await greet(deps)
}

/** Deletes accounts that were deleted before, and restored by a backup. */
async function deleteAgain(deps: Deps): Promise<void> {
  const accounts = await repeatDeletions(deps)
  if (accounts > 0) deps.log.warn('accounts of a restored backup were deleted again', { accounts })
}

async function loadSampleOnce({ catalog, config }: Deps, { sync }: Workers): Promise<void> {
  const isEmpty = catalog.games.list({ limit: 1, offset: 0 }).total === 0
  // With an upstream, the sample would be mixed with its cards. A replica does not write its catalog.
  const isOwn = config.upstreamUrl === undefined && !servesSnapshots(config)
  if (isEmpty && isOwn) await sync.run({ kind: 'sample', folder: SAMPLE })
}

/** Prints the addresses of the server, and the next step of the setup if there is one. */
async function greet(deps: Deps): Promise<void> {
  const { publicUrl } = deps.config
  const { total } = deps.catalog.games.list({ limit: 1, offset: 0 })
  const rows = [
    ...(await listNextSteps(deps, total)),
    ['Try it', `curl ${publicUrl}/v1/games`],
    ['API reference', `${publicUrl}/docs`],
    ...(isOnTerminal ? [['Stop it', 'Ctrl-C']] : []),
  ]
  const lines = rows.map(([label = '', text]) => `  ${label && `${label}:`}`.padEnd(18) + text)
  const games = total === 1 ? '1 game' : `${total} games`
  process.stderr.write(`\n  Cardstock serves ${games} at ${publicUrl}\n\n${lines.join('\n')}\n\n`)
}

async function listNextSteps(deps: Deps, games: number): Promise<[label: string, text: string][]> {
  const { publicUrl, upstreamUrl } = deps.config
  const stage = await findSetupStage(deps)
  if (stage !== 'finished') {
    const token = stage === 'account' ? `#token=${createSetupToken(deps)}` : ''
    return [
      ['Set it up', `${publicUrl}/setup${token}`],
      ['', `or in another terminal: ${setupCommand()}`],
    ]
  }
  if (games > 0 || servesSnapshots(deps.config)) return [['Dashboard', publicUrl]]
  return upstreamUrl === undefined
    ? [['Next step', `choose a mirror at ${publicUrl}/operator/settings`]]
    : [['First sync', `in the background; ${publicUrl}/operator shows its progress`]]
}

/**
 * Returns the command that starts the setup: with the executable, with Bun, or with Bun through npx, as this process
 * was started.
 */
function setupCommand(): string {
  if (Bun.main.startsWith('/$bunfs/')) return 'cardstock setup'
  const isNpx = /[\\/]_npx[\\/]/.test(process.execPath)
  return isNpx ? `npx -y bun@${Bun.version} run setup` : 'bun run setup'
}
