import type { Deps } from '#deps.ts'
import { staleSince } from '#rules/catalog/freshness.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { listBackups } from '#store/backup/folder.ts'
import { readDiskSpace, readFileSizes } from '#store/files/file-sizes.ts'
import type { MetricsRegistry } from './registry.ts'

/** What /metrics tells besides requests: read when Prometheus asks, never counted along the way. */
export function registerGauges(meter: MetricsRegistry, deps: Deps): void {
  catalogFigures(meter, deps)
  syncFigures(meter, deps)
  readerFigures(meter, deps)
  alertFigures(meter, deps)
  accountFigures(meter, deps)
  jobFigures(meter, deps)
  fileFigures(meter, deps)
  backupFigures(meter, deps)
}

function catalogFigures(meter: MetricsRegistry, { catalog, now }: Deps): void {
  meter.registerGroup(
    'catalog',
    {
      cardstock_catalog_version: { help: 'The published version of the catalog.' },
      cardstock_stale_games: { help: 'Games that have missed their refresh.' },
      cardstock_cards: { help: 'Cards and sealed products, by game.', label: 'game' },
      cardstock_game_last_sync_timestamp_seconds: {
        help: 'When a sync last had everything of a game in.',
        label: 'game',
      },
      cardstock_game_published_timestamp_seconds: {
        help: 'When the upstream published the prices of a game that are in.',
        label: 'game',
      },
      cardstock_game_stale: { help: '1 for a game that has missed its refresh.', label: 'game' },
    },
    () => {
      const games = catalog.games.listFreshness()
      const isStale = (game: (typeof games)[number]) => staleSince(game, now()) !== undefined
      const bySlug = <Of>(list: Of[], of: (item: Of) => [string, number | undefined]) =>
        present(list.map(of))
      return {
        cardstock_catalog_version: catalog.publication.getCurrent().version,
        cardstock_stale_games: games.filter(isStale).length,
        cardstock_cards: bySlug(games, ({ slug, card_count }) => [slug, card_count]),
        cardstock_game_last_sync_timestamp_seconds: bySlug(games, ({ slug, last_synced_at }) => [
          slug,
          secondsOf(last_synced_at),
        ]),
        cardstock_game_published_timestamp_seconds: bySlug(games, ({ slug, published_at }) => [
          slug,
          secondsOf(published_at),
        ]),
        cardstock_game_stale: bySlug(games, (game) => [game.slug, isStale(game) ? 1 : 0]),
      }
    },
  )
}

function syncFigures(meter: MetricsRegistry, { catalog }: Deps): void {
  meter.registerGroup(
    'sync',
    {
      cardstock_last_sync_complete: { help: '1 when the last sync got everything, else 0.' },
      cardstock_last_sync_outcome: { help: '1 for what the last sync came to.', label: 'outcome' },
      cardstock_last_sync_duration_seconds: { help: 'How long the last sync took.' },
      cardstock_last_sync_end_timestamp_seconds: { help: 'When the last sync ended.' },
    },
    () => {
      const run = catalog.syncLog.getLastFinished()
      const started = secondsOf(run?.started_at)
      const ended = secondsOf(run?.finished_at)
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

function readerFigures(meter: MetricsRegistry, { reader }: Deps): void {
  meter.registerGroup(
    'reader',
    {
      cardstock_reader_ready: { help: '1 when photos can be read, else 0.' },
      cardstock_reader_waiting: { help: 'Photos that wait for a thread.' },
      cardstock_reader_reading: { help: 'Photos that are being read.' },
      cardstock_reader_replaced: { help: 'Threads that died or hung, and were replaced.' },
      cardstock_reader_pictures: { help: 'Pictures of cards that photos are compared with.' },
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

function alertFigures(meter: MetricsRegistry, { ledger, now }: Deps): void {
  meter.registerGroup(
    'alerts',
    {
      cardstock_delivery_attempts_total: {
        help: 'Attempts of this process at messages, by what followed: delivered, again, dead.',
        label: 'outcome',
        type: 'counter',
      },
      cardstock_deliveries_pending: { help: 'Messages that wait to be sent, or sent again.' },
      cardstock_deliveries_overdue_seconds: {
        help: 'How long the message has been due that has been due longest; 0 when none is.',
      },
      cardstock_watches: { help: 'Watches of prices.' },
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

function accountFigures(meter: MetricsRegistry, { ledger, now }: Deps): void {
  meter.registerGroup(
    'accounts',
    {
      cardstock_accounts: { help: 'Accounts.' },
      cardstock_scans_today: { help: 'Scans taken on this UTC day.' },
    },
    async () => ({
      cardstock_accounts: await ledger.accounts.count(),
      cardstock_scans_today: await ledger.scans.countByDay(dayOf(now())),
    }),
  )
}

/** The label is not `job`: that one is Prometheus' own. */
function jobFigures(meter: MetricsRegistry, { jobs }: Deps): void {
  meter.registerGroup(
    'jobs',
    {
      cardstock_job_runs_total: {
        help: 'Runs of a job that have ended since the start.',
        label: 'task',
        type: 'counter',
      },
      cardstock_job_failures_total: {
        help: 'Those of them that failed.',
        label: 'task',
        type: 'counter',
      },
      cardstock_job_running: { help: '1 while a job runs, else 0.', label: 'task' },
      cardstock_job_last_success_timestamp_seconds: {
        help: 'When a job last ended well since the start.',
        label: 'task',
      },
    },
    () => {
      const list = jobs.list()
      return {
        cardstock_job_runs_total: present(list.map(({ name, runs }) => [name, runs])),
        cardstock_job_failures_total: present(list.map(({ name, failures }) => [name, failures])),
        cardstock_job_running: present(
          list.map(({ name, running_since }) => [name, running_since === undefined ? 0 : 1]),
        ),
        cardstock_job_last_success_timestamp_seconds: present(
          list.map(({ name, last_success_at }) => [name, secondsOf(last_success_at)]),
        ),
      }
    },
  )
}

function fileFigures(meter: MetricsRegistry, { config }: Deps): void {
  meter.registerGroup(
    'files',
    {
      cardstock_file_bytes: { help: 'Sizes of both files and of their logs.', label: 'file' },
      cardstock_disk_bytes: { help: 'Size of the disk that has the data folder.' },
      cardstock_disk_free_bytes: { help: 'What of it this process may still fill.' },
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

function backupFigures(meter: MetricsRegistry, { config }: Deps): void {
  const { backups } = config
  if (backups === undefined) return
  meter.registerGroup(
    'backups',
    {
      cardstock_backup_timestamp_seconds: {
        help: 'When the newest whole backup in BACKUP_DIR was begun; 0 while there is none.',
      },
    },
    () => ({
      cardstock_backup_timestamp_seconds: secondsOf(listBackups(backups.dir)[0]?.begunAt) ?? 0,
    }),
  )
}

function present(entries: [string, number | undefined][]): Record<string, number> {
  const known = entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return Object.fromEntries(known)
}

/** Epoch seconds, as Prometheus wants moments. */
function secondsOf(time: Date | string | null | undefined): number | undefined {
  return time === null || time === undefined ? undefined : new Date(time).getTime() / 1000
}
