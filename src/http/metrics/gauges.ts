import type { Deps } from '#deps.ts'
import { staleSince } from '#rules/catalog/freshness.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { listBackups } from '#store/backup/folder.ts'
import { readDiskSpace, readFileSizes } from '#store/files/file-sizes.ts'
import type { MetricsRegistry } from './registry.ts'

/** Registers the metrics that are read from the state of the service on each scrape. */
export function registerGauges(metrics: MetricsRegistry, deps: Deps): void {
  catalogMetrics(metrics, deps)
  syncMetrics(metrics, deps)
  readerMetrics(metrics, deps)
  alertMetrics(metrics, deps)
  accountMetrics(metrics, deps)
  jobMetrics(metrics, deps)
  fileMetrics(metrics, deps)
  backupMetrics(metrics, deps)
}

function catalogMetrics(metrics: MetricsRegistry, { catalog, now }: Deps): void {
  metrics.registerGroup(
    'catalog',
    {
      cardstock_catalog_version: { help: 'Published version of the catalog.' },
      cardstock_stale_games: { help: 'Games that missed their refresh.' },
      cardstock_cards: { help: 'Cards and sealed products, by game.', label: 'game' },
      cardstock_game_last_sync_timestamp_seconds: {
        help: 'Time of the last complete sync of a game.',
        label: 'game',
      },
      cardstock_game_published_timestamp_seconds: {
        help: 'Time at which the upstream published the current prices of a game.',
        label: 'game',
      },
      cardstock_game_stale: { help: '1 if a game missed its refresh, else 0.', label: 'game' },
    },
    () => {
      const games = catalog.games.listFreshness()
      const isStale = (game: (typeof games)[number]) => staleSince(game, now()) !== undefined
      const bySlug = <Of>(list: Of[], of: (item: Of) => [string, number | undefined]) =>
        withoutUndefined(list.map(of))
      return {
        cardstock_catalog_version: catalog.publication.getCurrent().version,
        cardstock_stale_games: games.filter(isStale).length,
        cardstock_cards: bySlug(games, ({ slug, card_count }) => [slug, card_count]),
        cardstock_game_last_sync_timestamp_seconds: bySlug(games, ({ slug, last_synced_at }) => [
          slug,
          toSeconds(last_synced_at),
        ]),
        cardstock_game_published_timestamp_seconds: bySlug(games, ({ slug, published_at }) => [
          slug,
          toSeconds(published_at),
        ]),
        cardstock_game_stale: bySlug(games, (game) => [game.slug, isStale(game) ? 1 : 0]),
      }
    },
  )
}

function syncMetrics(metrics: MetricsRegistry, { catalog }: Deps): void {
  metrics.registerGroup(
    'sync',
    {
      cardstock_last_sync_complete: { help: '1 if the last sync was complete, else 0.' },
      cardstock_last_sync_outcome: {
        help: '1 for the outcome of the last sync, else 0.',
        label: 'outcome',
      },
      cardstock_last_sync_duration_seconds: { help: 'Duration of the last sync.' },
      cardstock_last_sync_end_timestamp_seconds: { help: 'End of the last sync.' },
    },
    () => {
      const run = catalog.syncLog.getLastFinished()
      const started = toSeconds(run?.started_at)
      const ended = toSeconds(run?.finished_at)
      const outcomes = ['complete', 'incomplete', 'failed'] as const
      return {
        cardstock_last_sync_complete: run?.outcome === 'complete' ? 1 : 0,
        cardstock_last_sync_outcome: Object.fromEntries(
          outcomes.map((outcome) => [outcome, run?.outcome === outcome ? 1 : 0]),
        ),
        cardstock_last_sync_duration_seconds:
          started === undefined || ended === undefined ? undefined : Math.max(0, ended - started),
        cardstock_last_sync_end_timestamp_seconds: ended,
      }
    },
  )
}

function readerMetrics(metrics: MetricsRegistry, { reader }: Deps): void {
  metrics.registerGroup(
    'reader',
    {
      cardstock_reader_ready: { help: '1 if the photo reader is ready, else 0.' },
      cardstock_reader_waiting: { help: 'Photos that wait for a worker.' },
      cardstock_reader_reading: { help: 'Photos in progress.' },
      cardstock_reader_replaced: { help: 'Workers that were replaced after a crash or timeout.' },
      cardstock_reader_pictures: { help: 'Indexed card images.' },
    },
    () => {
      const { ready, waiting, reading, replaced, pictures } = reader.state()
      return {
        cardstock_reader_ready: ready ? 1 : 0,
        cardstock_reader_waiting: waiting,
        cardstock_reader_reading: reading,
        cardstock_reader_replaced: replaced,
        cardstock_reader_pictures: pictures,
      }
    },
  )
}

function alertMetrics(metrics: MetricsRegistry, { ledger, now }: Deps): void {
  metrics.registerGroup(
    'alerts',
    {
      cardstock_delivery_attempts_total: {
        help: 'Delivery attempts of this process, by outcome: delivered, again, dead.',
        label: 'outcome',
        type: 'counter',
      },
      cardstock_deliveries_pending: {
        help: 'Deliveries that wait for their first or next attempt.',
      },
      cardstock_deliveries_overdue_seconds: {
        help: 'Age of the oldest overdue delivery, in seconds; 0 if none is overdue.',
      },
      cardstock_watches: { help: 'Webhooks for price alerts.' },
    },
    async () => {
      const { pending, first_due_at } = await ledger.deliveries.getBacklog()
      const late = first_due_at === null ? 0 : now().getTime() - first_due_at
      return {
        cardstock_delivery_attempts_total: ledger.deliveries.getCounts(),
        cardstock_deliveries_pending: pending,
        cardstock_deliveries_overdue_seconds: Math.max(0, late) / 1000,
        cardstock_watches: await ledger.webhooks.count(),
      }
    },
  )
}

function accountMetrics(metrics: MetricsRegistry, { ledger, now }: Deps): void {
  metrics.registerGroup(
    'accounts',
    {
      cardstock_accounts: { help: 'Registered accounts.' },
      cardstock_scans_today: { help: 'Scans used on this UTC day.' },
    },
    async () => ({
      cardstock_accounts: await ledger.accounts.count(),
      cardstock_scans_today: await ledger.scans.countByDay(dayOf(now())),
    }),
  )
}

/** The label is not `job`, which Prometheus uses itself. */
function jobMetrics(metrics: MetricsRegistry, { jobs }: Deps): void {
  metrics.registerGroup(
    'jobs',
    {
      cardstock_job_runs_total: {
        help: 'Finished runs of a job since the start.',
        label: 'task',
        type: 'counter',
      },
      cardstock_job_failures_total: {
        help: 'Failed runs of a job since the start.',
        label: 'task',
        type: 'counter',
      },
      cardstock_job_running: { help: '1 while a job is running, else 0.', label: 'task' },
      cardstock_job_last_success_timestamp_seconds: {
        help: 'Time of the last successful run of a job since the start.',
        label: 'task',
      },
    },
    () => {
      const list = jobs.list()
      return {
        cardstock_job_runs_total: withoutUndefined(list.map(({ name, runs }) => [name, runs])),
        cardstock_job_failures_total: withoutUndefined(
          list.map(({ name, failures }) => [name, failures]),
        ),
        cardstock_job_running: withoutUndefined(
          list.map(({ name, running_since }) => [name, running_since === undefined ? 0 : 1]),
        ),
        cardstock_job_last_success_timestamp_seconds: withoutUndefined(
          list.map(({ name, last_success_at }) => [name, toSeconds(last_success_at)]),
        ),
      }
    },
  )
}

function fileMetrics(metrics: MetricsRegistry, { config }: Deps): void {
  metrics.registerGroup(
    'files',
    {
      cardstock_file_bytes: {
        help: 'Sizes of the database files and their write-ahead logs.',
        label: 'file',
      },
      cardstock_disk_bytes: { help: 'Size of the disk with the data folder.' },
      cardstock_disk_free_bytes: { help: 'Free disk space available to this process.' },
    },
    () => {
      const { bytes, free_bytes } = readDiskSpace(config.dataDir)
      return {
        cardstock_file_bytes: readFileSizes(config.dataDir),
        cardstock_disk_bytes: bytes,
        cardstock_disk_free_bytes: free_bytes,
      }
    },
  )
}

function backupMetrics(metrics: MetricsRegistry, { config }: Deps): void {
  const { backups } = config
  if (backups === undefined) return
  metrics.registerGroup(
    'backups',
    {
      cardstock_backup_timestamp_seconds: {
        help: 'Start time of the newest complete backup in BACKUP_DIR; 0 before the first one.',
      },
    },
    () => ({
      cardstock_backup_timestamp_seconds: toSeconds(listBackups(backups.dir)[0]?.begunAt) ?? 0,
    }),
  )
}

function withoutUndefined(entries: [string, number | undefined][]): Record<string, number> {
  const known = entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return Object.fromEntries(known)
}

/** Converts a time to epoch seconds, the unit of Prometheus. */
function toSeconds(time: Date | string | null | undefined): number | undefined {
  return time === null || time === undefined ? undefined : new Date(time).getTime() / 1000
}
