import { SILENT_MS } from '#actions/operations/describe-servers.ts'
import { getLastSync, parseSyncReport } from '#actions/sync/get-last-sync.ts'
import type { Deps } from '#deps.ts'
import { staleSince } from '#rules/catalog/freshness.ts'
import { dayOf, MS_PER_DAY } from '#rules/primitives/days.ts'
import { listBackups } from '#store/backup/folder.ts'
import { readDiskSpace, readFileSizes } from '#store/files/file-sizes.ts'
import type { MessageBacklog } from '#store/ledger/alerts/message-queue.ts'
import type { SharedLedger } from '#store/ledger/ledger.ts'
import type { StorageHealth } from '#store/memory/storage-health.ts'
import type { Metric, MetricsRegistry } from './registry.ts'

/** Registers metrics that are read from the service's state on each scrape. */
export function registerGauges(metrics: MetricsRegistry, deps: Deps): void {
  metrics.registerGroup('catalog', () => catalogMetrics(deps))
  metrics.registerGroup('sync', () => syncMetrics(deps))
  metrics.registerGroup('reader', () => readerMetrics(deps))
  metrics.registerGroup('alerts', () => alertMetrics(deps))
  metrics.registerGroup('accounts', () => accountMetrics(deps))
  metrics.registerGroup('jobs', () => jobMetrics(deps))
  metrics.registerGroup('files', () => fileMetrics(deps))
  const { shared } = deps.ledger
  if (shared !== undefined) metrics.registerGroup('ledger', () => ledgerMetrics(shared, deps))
  const { backups } = deps.config
  if (backups !== undefined) metrics.registerGroup('backups', () => backupMetrics(backups.dir))
}

/** Registers the count of requests that failed because of the disk. */
export function registerStorageMetrics(metrics: MetricsRegistry, storage: StorageHealth): void {
  const help = 'Requests that failed because a file could not be read or written, by fault.'
  metrics.registerGroup('storage', () => [
    counter('cardstock_storage_failures_total', help, 'fault', Object.entries(storage.counts())),
  ])
}

function catalogMetrics({ catalog, now }: Deps): Metric[] {
  const games = catalog.games.listFreshness().map((game) => {
    return { ...game, isStale: staleSince(game, now()) === undefined ? 0 : 1 }
  })
  type Game = (typeof games)[number]
  function byGame(name: string, help: string, pick: (game: Game) => number | undefined) {
    const entries = games.map((game) => [game.slug, pick(game)] as const)
    return labeled(name, help, 'game', entries)
  }
  const version = catalog.publication.getCurrent().version
  const newestRates = catalog.sources.rates.getNewestDay() ?? 0
  const stale = games.reduce((count, game) => count + game.isStale, 0)
  return [
    gauge('cardstock_catalog_version', 'Published version of the catalog.', version),
    gauge(
      'cardstock_exchange_rates_timestamp_seconds',
      'Day of the newest reference rates; 0 without any.',
      (newestRates * MS_PER_DAY) / 1000,
    ),
    gauge('cardstock_stale_games', 'Games that missed their refresh.', stale),
    byGame('cardstock_cards', 'Cards and sealed products, by game.', (game) => game.card_count),
    byGame(
      'cardstock_game_last_sync_timestamp_seconds',
      'Time of the last complete sync of a game.',
      (game) => toSeconds(game.last_synced_at),
    ),
    byGame(
      'cardstock_game_published_timestamp_seconds',
      'Time at which the upstream published the current prices of a game.',
      (game) => toSeconds(game.published_at),
    ),
    byGame(
      'cardstock_game_stale',
      '1 if a game missed its refresh, else 0.',
      (game) => game.isStale,
    ),
  ]
}

function syncMetrics(deps: Deps): Metric[] {
  const run = getLastSync(deps)
  const report = run && parseSyncReport(run)
  const started = toSeconds(run?.started_at)
  const ended = toSeconds(run?.finished_at)
  const duration =
    started === undefined || ended === undefined ? undefined : Math.max(0, ended - started)
  const is = (outcome: string) => (run?.outcome === outcome ? 1 : 0)
  const outcomes = ['complete', 'incomplete', 'failed']
  return [
    gauge(
      'cardstock_last_sync_complete',
      '1 if the last sync was complete, else 0.',
      is('complete'),
    ),
    labeled(
      'cardstock_last_sync_outcome',
      '1 for the outcome of the last sync, else 0.',
      'outcome',
      outcomes.map((outcome) => [outcome, is(outcome)]),
    ),
    gauge(
      'cardstock_last_sync_failures',
      'Games, sets and other parts that the last sync could not refresh.',
      report?.failures.length,
    ),
    gauge(
      'cardstock_last_sync_internal_errors',
      'Errors of Cardstock or its machine in the last sync; see the log.',
      report?.internal_errors,
    ),
    gauge('cardstock_last_sync_duration_seconds', 'Duration of the last sync.', duration),
    gauge('cardstock_last_sync_end_timestamp_seconds', 'End of the last sync.', ended),
  ]
}

function readerMetrics({ reader }: Deps): Metric[] {
  const { ready, waiting, reading, replaced, pictures } = reader.state()
  const crashed = 'Workers that were replaced after a crash or timeout.'
  return [
    gauge('cardstock_reader_ready', '1 if the photo reader is ready, else 0.', ready ? 1 : 0),
    gauge('cardstock_reader_waiting', 'Photos that wait for a worker.', waiting),
    gauge('cardstock_reader_reading', 'Photos in progress.', reading),
    gauge('cardstock_reader_replaced', crashed, replaced),
    gauge('cardstock_reader_pictures', 'Indexed card images.', pictures),
  ]
}

async function alertMetrics({ ledger, now }: Deps): Promise<Metric[]> {
  const deliveries = await ledger.messages.getBacklog('webhooks')
  const messages = await ledger.messages.getBacklog('people')
  return [
    counter(
      'cardstock_delivery_attempts_total',
      'Delivery attempts of this process, by outcome: delivered, again, dead.',
      'outcome',
      Object.entries(ledger.messages.getCounts()),
    ),
    gauge(
      'cardstock_deliveries_pending',
      'Deliveries that wait for their first or next attempt.',
      deliveries.pending,
    ),
    gauge(
      'cardstock_deliveries_overdue_seconds',
      'Age of the oldest overdue delivery, in seconds; 0 if none is overdue.',
      secondsOverdue(deliveries, now()),
    ),
    gauge(
      'cardstock_channel_messages_pending',
      'Messages to channels of people that wait for their first or next attempt.',
      messages.pending,
    ),
    gauge(
      'cardstock_channel_messages_overdue_seconds',
      'Age of the oldest overdue message to a channel, in seconds; 0 if none is overdue.',
      secondsOverdue(messages, now()),
    ),
    gauge('cardstock_watches', 'Webhooks for price alerts.', await ledger.webhooks.count()),
  ]
}

function secondsOverdue({ first_due_at }: MessageBacklog, now: Date): number {
  return first_due_at === null ? 0 : Math.max(0, now.getTime() - first_due_at) / 1000
}

async function accountMetrics({ ledger, now }: Deps): Promise<Metric[]> {
  const scans = await ledger.scans.countByDay(dayOf(now()))
  return [
    gauge('cardstock_accounts', 'Registered accounts.', await ledger.accounts.count()),
    gauge('cardstock_scans_today', 'Scans used on this UTC day.', scans),
  ]
}

async function ledgerMetrics(
  { describeConnection, serverReports }: SharedLedger,
  { now }: Deps,
): Promise<Metric[]> {
  const { silentMs, open, waiting, repeated } = describeConnection()
  // Comes first and handles its own failure, because servers cannot be counted while the database does not respond.
  const servers = await serverReports.list(now()).catch(() => undefined)
  const reporting = servers?.filter(({ age_ms }) => age_ms <= SILENT_MS).length
  const missed = 'Transactions that were repeated because of conflicts, since the start.'
  return [
    gauge(
      'cardstock_ledger_silent_seconds',
      'Time since the database of the ledger last answered this server.',
      silentMs / 1000,
    ),
    gauge('cardstock_ledger_connections', 'Open connections of this server.', open),
    gauge('cardstock_ledger_waiting', 'Operations that wait for a connection.', waiting),
    { name: 'cardstock_ledger_repeated_total', help: missed, type: 'counter', value: repeated },
    gauge('cardstock_servers', 'Servers that share the ledger and report.', reporting),
  ]
}

/** The label is not `job`, which Prometheus itself uses. */
function jobMetrics({ jobs }: Deps): Metric[] {
  const list = jobs.list()
  type Job = (typeof list)[number]
  const byJob = (pick: (job: Job) => number | undefined) =>
    list.map((job) => [job.name, pick(job)] as const)
  const runs = byJob((job) => job.runs)
  const failures = byJob((job) => job.failures)
  const running = byJob((job) => (job.running_since === undefined ? 0 : 1))
  const successes = byJob((job) => toSeconds(job.last_success_at))
  const success = 'Time of the last successful run of a job since the start.'
  return [
    counter('cardstock_job_runs_total', 'Finished runs of a job since the start.', 'task', runs),
    counter(
      'cardstock_job_failures_total',
      'Failed runs of a job since the start.',
      'task',
      failures,
    ),
    labeled('cardstock_job_running', '1 while a job is running, else 0.', 'task', running),
    labeled('cardstock_job_last_success_timestamp_seconds', success, 'task', successes),
  ]
}

function fileMetrics({ config }: Deps): Metric[] {
  const { bytes, free_bytes } = readDiskSpace(config.dataDir)
  const files = Object.entries(readFileSizes(config.dataDir))
  const sizes = 'Sizes of the database files and their write-ahead logs.'
  const free = 'Free disk space available to this process.'
  return [
    labeled('cardstock_file_bytes', sizes, 'file', files),
    gauge('cardstock_disk_bytes', 'Size of the disk with the data folder.', bytes),
    gauge('cardstock_disk_free_bytes', free, free_bytes),
  ]
}

function backupMetrics(folder: string): Metric[] {
  return [
    gauge(
      'cardstock_backup_timestamp_seconds',
      'Start time of the newest complete backup in BACKUP_DIR; 0 before the first one.',
      toSeconds(listBackups(folder)[0]?.begunAt) ?? 0,
    ),
  ]
}

function gauge(name: string, help: string, value: number | undefined): Metric {
  return { name, help, value }
}

/** Gauge with a value per label; undefined values are omitted. */
function labeled(
  name: string,
  help: string,
  label: string,
  entries: readonly (readonly [string, number | undefined])[],
): Metric {
  const known = entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))
  return { name, help, label, value: Object.fromEntries(known) }
}

function counter(...metric: Parameters<typeof labeled>): Metric {
  return { ...labeled(...metric), type: 'counter' }
}

/** Converts a time to epoch seconds, the unit of Prometheus. */
function toSeconds(time: Date | string | null | undefined): number | undefined {
  return time === null || time === undefined ? undefined : new Date(time).getTime() / 1000
}
