import { Type } from '@sinclair/typebox'
import { DateTime, nullable } from './catalog.ts'

const Count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description !== undefined && { description }) })

const Outcome = Type.Union([
  Type.Literal('complete'),
  Type.Literal('incomplete'),
  Type.Literal('failed'),
])

const LastSync = Type.Object({
  started_at: DateTime,
  ended_at: DateTime,
  outcome: Outcome,
  published_at: nullable(DateTime),
  games: Count(),
  sets_read: Count(),
  cards_read: Count(),
  prices_changed: Count(),
  bad_records: Count('Records that were left out.'),
  failure_count: Count(),
  failures: Type.Array(
    Type.Object({
      game: Type.String({ description: 'A slug, or `all`.' }),
      set_id: nullable(Type.Integer()),
      message: Type.String(),
    }),
    { description: 'The first 20 of them.' },
  ),
})

const GameStatus = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  priority: Type.Integer(),
  set_count: Count(),
  card_count: Count(),
  last_synced_at: nullable(DateTime),
  published_at: nullable(DateTime),
  is_stale: Type.Boolean({ description: 'Whether it has missed its refresh.' }),
  stale_since: nullable(DateTime),
  last_error: nullable(
    Type.Object(
      { at: DateTime, message: Type.String() },
      { description: 'Why the last sync could not refresh it; null since it could.' },
    ),
  ),
})

const JobStatus = Type.Object({
  name: Type.String(),
  is_running: Type.Boolean(),
  runs: Count('Since the start, as are failures.'),
  failures: Count(),
  last_started_at: nullable(DateTime),
  last_ended_at: nullable(DateTime),
  last_outcome: nullable(Type.Union([Type.Literal('done'), Type.Literal('failed')])),
  next_at: nullable(DateTime),
})

const ReaderStatus = Type.Object({
  workers: Count('Threads that read photos.'),
  state: Type.Union([Type.Literal('off'), Type.Literal('ready'), Type.Literal('not ready')]),
  waiting: Count('Photos that wait for a thread.'),
  reading: Count('Photos that are being read.'),
  replaced: Count('Threads that took the place of a dead one since the start.'),
  pictures: Count('Pictures that photos are compared with.'),
})

const DeliveryStatus = Type.Object({
  watches: Count(),
  pending: Count('Messages that wait to be sent, or sent again.'),
  due: Count('Those of them whose time has come.'),
  oldest_due_seconds: Count('How long the first of them has been due; 0 when none is.'),
  dead: Count('Messages that were given up within 30 days.'),
})

/** Everything that an operator wants to see on one page. */
export const StatusSchema = Type.Object({
  version: Type.String({ description: 'Of the program.' }),
  started_at: DateTime,
  now: DateTime,
  requests: Type.Object({
    answered: Count('Since the start.'),
    failed: Count('Those of them that were answered with a 5xx.'),
  }),
  catalog: Type.Object({
    version: Count(),
    published_at: nullable(DateTime),
    changed_at: DateTime,
  }),
  sync: Type.Object({
    upstream: nullable(
      Type.String({ description: 'Host and path of the mirror; null: none is set.' }),
    ),
    is_running: Type.Boolean({ description: 'Also an import, or a sync beside the server.' }),
    last: nullable(LastSync),
  }),
  games: Type.Array(GameStatus),
  jobs: Type.Array(JobStatus),
  reader: ReaderStatus,
  deliveries: DeliveryStatus,
  accounts: Type.Object({ total: Count(), scans_today: Count('Scans taken on this UTC day.') }),
  disk: Type.Object({
    files: Type.Array(Type.Object({ name: Type.String(), bytes: Count() })),
    total_bytes: nullable(Count('Null: the data folder is gone.')),
    free_bytes: nullable(Count('What this process may still fill.')),
  }),
  backups: nullable(
    Type.Object(
      { newest_at: nullable(DateTime), count: Count(), bytes: Count() },
      { description: 'Whole ones on the disk; null: the server makes none.' },
    ),
  ),
  errors: Type.Array(
    Type.Object({
      at: DateTime,
      event: Type.String(),
      message: Type.String(),
      request_id: nullable(Type.String()),
    }),
    { description: 'The last 50 of this process, newest first.' },
  ),
})

export const SyncStartedSchema = Type.Object({ state: Type.Literal('started') })
