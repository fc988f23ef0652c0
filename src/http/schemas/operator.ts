import { Type } from '@sinclair/typebox'
import { SERVICE_MODES } from '#rules/operations/service-settings.ts'
import { stringEnum } from '../input/fields.ts'
import { namedObject } from '../openapi/schemas.ts'
import { PictureIndexSchema } from './identify.ts'
import { DateTime, Day, Described, nullable } from './members.ts'

const Count = (description?: string) =>
  Type.Integer(description === undefined ? {} : { description })

const LastSync = namedObject('SyncStatus', {
  started_at: DateTime,
  ended_at: DateTime,
  outcome: stringEnum(['complete', 'incomplete', 'failed']),
  published_at: nullable(DateTime),
  games: Count(),
  sets_read: Count(),
  cards_read: Count(),
  prices_changed: Count(),
  bad_records: Count('Invalid records that were skipped.'),
  failure_count: Count(),
  failures: Type.Array(
    namedObject('SyncFailure', {
      game: Described('Slug of the game, or `all`.'),
      set_id: nullable(Type.Integer()),
      message: Type.String(),
    }),
    { description: 'The first 20 failures.' },
  ),
})

const GameStatus = namedObject('GameStatus', {
  slug: Type.String(),
  name: Type.String(),
  priority: Type.Integer(),
  set_count: Count(),
  card_count: Count(),
  last_synced_at: nullable(DateTime),
  published_at: nullable(DateTime),
  is_stale: Type.Boolean({ description: 'True if the game missed its refresh.' }),
  stale_since: nullable(DateTime),
  last_error: nullable(
    namedObject(
      'GameError',
      { at: DateTime, message: Type.String() },
      {
        description: 'Why the last sync could not refresh the game; null if it did.',
      },
    ),
  ),
})

const ServerStatus = namedObject('ServerStatus', {
  name: Described('Machine and port, as in `cards-1:8080`.'),
  version: Described('Version of Cardstock.'),
  started_at: DateTime,
  seen_at: DateTime,
  is_silent: Type.Boolean({
    description: 'True after 30 seconds without a report: the server may have been killed.',
  }),
  reader: nullable(
    stringEnum(
      ['off', 'ready', 'not ready'],
      'State of the photo reader; null if the server has another version.',
    ),
  ),
})

const Server = nullable(
  Described('Server of the last run or the error; null if no other server shares the ledger.'),
)

const JobStatus = namedObject('JobStatus', {
  name: Type.String(),
  is_running: Type.Boolean(),
  runs: Count('Runs since the start, like `failures`.'),
  failures: Count(),
  last_started_at: nullable(DateTime),
  last_ended_at: nullable(DateTime),
  last_outcome: nullable({ ...stringEnum(['done', 'failed']), $id: 'JobOutcome' }),
  next_at: nullable(DateTime),
  server: Server,
})

const ReaderStatus = namedObject('ReaderStatus', {
  workers: Count('Workers that read photos.'),
  state: stringEnum(['off', 'ready', 'not ready']),
  waiting: Count('Photos that wait for a worker.'),
  reading: Count('Photos in progress.'),
  replaced: Count('Workers that were replaced since the start.'),
  pictures: Count('Indexed card images.'),
})

const DeliveryStatus = namedObject('DeliveryStatus', {
  network: Described('Allowed receivers: `public`, or `loopback-ok` for this machine, too.'),
  watches: Count(),
  pending: Count('Deliveries that wait for their first or next attempt.'),
  due: Count('Pending deliveries that are due.'),
  oldest_due_seconds: Count('Age of the oldest due delivery; 0 if none is due.'),
  dead: Count('Deliveries that failed permanently in the last 30 days.'),
})

/** Status of the service, for the operator page. */
export const StatusSchema = namedObject('OperatorStatus', {
  version: Described('Version of Cardstock.'),
  started_at: DateTime,
  is_port_shared: Type.Boolean({
    description: 'True if several servers may listen on the port.',
  }),
  now: DateTime,
  requests: namedObject('RequestCounts', {
    answered: Count('Responses since the start.'),
    failed: Count('Responses with a 5xx status.'),
  }),
  catalog: namedObject('CatalogStatus', {
    version: Count(),
    published_at: nullable(DateTime),
    changed_at: DateTime,
  }),
  sync: namedObject('SyncState', {
    upstream: nullable(Described('Host and path of the mirror; null if none is configured.')),
    is_replica: Type.Boolean({ description: 'True if the catalog comes from a bucket.' }),
    is_running: Type.Boolean({
      description: 'True if a sync or import is running, also outside the server.',
    }),
    progress: nullable(
      namedObject(
        'SyncProgress',
        { done: Count('Sets read.'), total: Count('Sets to read.') },
        { description: 'Progress of a sync that this server runs; null if none does.' },
      ),
    ),
    last: nullable(LastSync),
  }),
  games: Type.Array(GameStatus),
  sources: Type.Array(
    namedObject('SourceStatus', {
      source: Type.String(),
      game: nullable(Described('Slug of the game of the file; null: all games.')),
      published_at: nullable(DateTime),
      is_stale: Type.Boolean({ description: 'True if the last import failed.' }),
      last_error: nullable(Described('Reason of the failed import.')),
    }),
    { description: 'Further sources of prices.' },
  ),
  exchange_rates: nullable(
    namedObject(
      'ExchangeRateStatus',
      {
        newest_date: nullable(Day),
        is_stale: Type.Boolean({
          description: 'True if the rates are older than four working days.',
        }),
      },
      { description: 'Null on a server that neither has rates nor fetches any.' },
    ),
  ),
  servers: nullable(
    Type.Array(ServerStatus, {
      description:
        'Servers that share the ledger, this one first, with their jobs and errors; null without `LEDGER_URL`.',
    }),
  ),
  jobs: Type.Array(JobStatus),
  reader: ReaderStatus,
  pictures: PictureIndexSchema,
  deliveries: DeliveryStatus,
  accounts: namedObject('AccountCounts', {
    total: Count(),
    scans_today: Count('Scans used on this UTC day.'),
  }),
  disk: namedObject('DiskStatus', {
    files: Type.Array(namedObject('FileSize', { name: Type.String(), bytes: Count() })),
    total_bytes: nullable(Count('Null: the data folder is missing.')),
    free_bytes: nullable(Count('Free space available to this process.')),
  }),
  backups: nullable(
    namedObject(
      'BackupStatus',
      { newest_at: nullable(DateTime), count: Count(), bytes: Count() },
      { description: 'Complete backups on the disk; null if backups are disabled.' },
    ),
  ),
  errors: Type.Array(
    namedObject('LoggedError', {
      at: DateTime,
      event: Type.String(),
      message: Type.String(),
      request_id: nullable(Type.String()),
      server: Server,
    }),
    { description: 'The last 50 errors since the start, newest first.' },
  ),
})

const SettingSource = stringEnum(
  ['environment', 'stored', 'default'],
  '`environment`: cannot be changed here. `default`: no choice was made.',
)

export const ServiceSettingsSchema = namedObject('ServiceSettings', {
  is_finished: Type.Boolean({ description: 'True if the setup is finished.' }),
  mode: namedObject('ModeSetting', { value: stringEnum(SERVICE_MODES), source: SettingSource }),
  mirror: namedObject('MirrorSetting', {
    value: nullable(Described('Host and path of the mirror, or null.')),
    source: SettingSource,
  }),
  index_pictures: namedObject('PictureSetting', { value: Type.Boolean(), source: SettingSource }),
  exchange_rates: namedObject('RatesSetting', {
    value: Type.Boolean({ description: 'True if reference rates are fetched.' }),
    source: SettingSource,
  }),
  is_replica: Type.Boolean({ description: 'True if the catalog comes from a bucket.' }),
  has_sample: Type.Boolean({ description: 'True if the catalog has the games of the sample.' }),
  registered_accounts: namedObject(
    'RegisteredAccounts',
    {
      accounts: Type.Array(
        namedObject('RegisteredAccount', {
          id: Type.Integer(),
          email: Type.String(),
          created_at: DateTime,
        }),
      ),
      has_more: Type.Boolean({ description: 'True if only the first 100 are listed.' }),
    },
    {
      description:
        'Accounts that people registered themselves. On a private server only they have limits.',
    },
  ),
})

export const SyncStartedSchema = namedObject('SyncStarted', { state: Type.Literal('started') })
