import { existsSync } from 'node:fs'
import type { Deps } from '#deps.ts'
import { staleSince } from '#rules/catalog/freshness.ts'
import { areRatesStale } from '#rules/pricing/rate-schedule.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { redact } from '#rules/primitives/redact.ts'
import { mirrorLabel } from '#rules/sync/mirror-address.ts'
import { listBackups, measureBackups } from '#store/backup/folder.ts'
import type { SyncRun } from '#store/catalog/sync-log.ts'
import { readDiskSpace, readFileSizes } from '#store/files/file-sizes.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { describePictureIndex } from '../photos/describe-picture-index.ts'
import { describeSources } from '../pricing/describe-sources.ts'
import { getLastSync, isSyncRunning, parseSyncReport } from '../sync/get-last-sync.ts'
import { ALL_GAMES } from '../sync/sync-findings.ts'
import {
  describeServers,
  mergeErrors,
  mergeJobs,
  readerState,
  type ServerDescription,
  SILENT_MS,
} from './describe-servers.ts'

/**
 * Returns the state of the service, for operators. Times are ISO 8601, or null. The status names neither
 * accounts nor folders of the machine.
 */
export async function getStatus(deps: Deps) {
  const { config, catalog, ledger, startedAt, now } = deps
  const servers = await describeServers(deps)
  return {
    version: packageJson.version,
    started_at: startedAt.toISOString(),
    is_port_shared: config.sharePort,
    now: now().toISOString(),
    catalog: getCatalogStatus(catalog),
    sync: getSyncStatus(deps),
    games: getGamesStatus(deps),
    sources: getSourcesStatus(deps),
    exchange_rates: getRatesStatus(deps),
    servers: ledger.shared === undefined ? null : servers.map((one) => serverStatus(one, now())),
    jobs: mergeJobs(servers),
    reader: getReaderStatus(deps),
    pictures: describePictureIndex(deps),
    deliveries: await getDeliveriesStatus(deps),
    accounts: await getAccountsStatus(deps),
    disk: getDiskStatus(config),
    backups: getBackupsStatus(config),
    errors: mergeErrors(servers),
  }
}

function getCatalogStatus({ publication }: Deps['catalog']) {
  const { version, published_at, changed_at } = publication.getCurrent()
  return { version, published_at, changed_at }
}

function getSyncStatus(deps: Deps) {
  const { upstreamUrl } = deps.config
  const run = getLastSync(deps)
  return {
    upstream: upstreamUrl === undefined ? null : mirrorLabel(upstreamUrl),
    is_replica: deps.config.service.isReplica,
    is_running: isSyncRunning(deps),
    progress: deps.triggers.sync.getProgress() ?? null,
    last: run === undefined ? null : runStatus(run),
  }
}

function runStatus(run: SyncRun) {
  const { started_at, finished_at: ended_at, outcome, published_at } = run
  if (ended_at === null || outcome === null) return null
  const { failures, games, sets_read, cards_read, prices_changed, bad_records } =
    parseSyncReport(run)
  return {
    started_at,
    ended_at,
    outcome,
    published_at,
    games,
    sets_read,
    cards_read,
    prices_changed,
    bad_records,
    failure_count: failures.length,
    failures: failures.slice(0, FAILURES_LISTED).map(({ game, set, reason }) => {
      return { game, set_id: set ?? null, message: redact(reason) }
    }),
  }
}

const FAILURES_LISTED = 20

function getGamesStatus({ catalog, now }: Deps) {
  const named = new Map(catalog.games.listAll().map((game) => [game.id, game]))
  const fresh = catalog.games.listFreshness()
  const isFailing = fresh.some(({ stale_since }) => stale_since !== null)
  const errorOf = isFailing
    ? createFailureLookup(catalog.syncLog.listFailed(FAILED_RUNS_READ))
    : () => null
  return fresh.map((game) => {
    const since = staleSince(game, now())
    return {
      slug: game.slug,
      name: named.get(game.id)?.name ?? game.slug,
      priority: game.priority,
      set_count: named.get(game.id)?.set_count ?? 0,
      card_count: game.card_count,
      last_synced_at: game.last_synced_at,
      published_at: game.published_at,
      is_stale: since !== undefined,
      stale_since: since?.toISOString() ?? null,
      // A failed run marks its games as stale, and a successful run removes the mark.
      last_error: game.stale_since === null ? null : errorOf(game.slug),
    }
  })
}

const FAILED_RUNS_READ = 50

/** @param runs newest first */
function createFailureLookup(runs: readonly SyncRun[]) {
  const failed = runs.flatMap((run) =>
    run.finished_at === null
      ? []
      : { at: run.finished_at, failures: parseSyncReport(run).failures },
  )
  return (slug: string) => {
    for (const { at, failures } of failed) {
      const failure = failures.find(({ game }) => game === slug || game === ALL_GAMES)
      if (failure !== undefined) return { at, message: redact(failure.reason) }
    }
    return null
  }
}

function getSourcesStatus({ catalog }: Deps) {
  const { sources = [] } = describeSources({ catalog })
  return sources.map(({ source, game, published_at, stale, reason }) => {
    const last_error = reason === null ? null : redact(reason)
    return { source, game, published_at, is_stale: stale, last_error }
  })
}

/** Returns the age of the reference rates; null on a server that neither has rates nor fetches any. */
function getRatesStatus({ catalog, config, now }: Deps) {
  const newest = catalog.sources.rates.getNewestDay()
  if (newest === undefined) {
    return config.exchangeRatesUrl === undefined ? null : { newest_date: null, is_stale: true }
  }
  return { newest_date: formatDate(newest), is_stale: areRatesStale(newest, now()) }
}

function serverStatus({ name, version, startedAt, ageMs, state }: ServerDescription, now: Date) {
  return {
    name: name ?? '',
    version,
    started_at: startedAt.toISOString(),
    seen_at: new Date(now.getTime() - ageMs).toISOString(),
    is_silent: ageMs > SILENT_MS,
    reader: state?.reader ?? null,
  }
}

function getReaderStatus({ config, reader }: Deps) {
  const { ready: _, threads: workers, ...counts } = reader.state()
  return { workers, state: readerState({ config, reader }), ...counts }
}

async function getDeliveriesStatus({ config, ledger: { messages, webhooks }, now }: Deps) {
  const { pending, first_due_at } = await messages.getBacklog('webhooks')
  const late = first_due_at === null ? 0 : now().getTime() - first_due_at
  return {
    network: config.webhookNetwork,
    watches: await webhooks.count(),
    pending,
    due: await messages.countDue(now()),
    oldest_due_seconds: Math.max(0, Math.round(late / 1000)),
    dead: await messages.countDead(),
  }
}

async function getAccountsStatus({ ledger: { accounts, scans }, now }: Deps) {
  return { total: await accounts.count(), scans_today: await scans.countByDay(dayOf(now())) }
}

function getDiskStatus({ dataDir }: Deps['config']) {
  // The folder may be missing, which may be why the operator looks at the status.
  const disk = existsSync(dataDir) ? readDiskSpace(dataDir) : { bytes: null, free_bytes: null }
  const files = Object.entries(readFileSizes(dataDir)).map(([name, bytes]) => ({ name, bytes }))
  return { files, total_bytes: disk.bytes, free_bytes: disk.free_bytes }
}

function getBackupsStatus({ backups }: Deps['config']) {
  if (backups === undefined) return null
  const complete = readOr([], () => listBackups(backups.dir))
  return {
    newest_at: formatTime(complete[0]?.begunAt),
    count: complete.length,
    bytes: measureBackups(complete),
  }
}

/** An unreadable file must not hide the rest of the status. */
function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

function formatTime(time: Date | undefined): string | null {
  return time?.toISOString() ?? null
}
