import { Type } from '@sinclair/typebox'
import { getStatus } from '#actions/operations/get-status.ts'
import { startSync } from '#actions/sync/start-sync.ts'
import type { Deps } from '#deps.ts'
import type { SessionEndpoints } from '../endpoint/session-endpoints.ts'
import { line } from '../input/fields.ts'
import type { MetricsRegistry } from '../metrics/registry.ts'
import { StatusSchema, SyncStartedSchema } from '../schemas/operator.ts'

const TAG = 'Operator'

/** How the service fares, and a sync now: for accounts that are marked as operator. */
export function operatorRoutes(doors: SessionEndpoints, deps: Deps, meter: MetricsRegistry): void {
  doors.session('GET', '/v1/operator/status', {
    tag: TAG,
    summary: 'How the service fares',
    description: 'Syncs, games, jobs, the reader, alerts, disk, backups and errors of this server.',
    operator: true,
    reply: StatusSchema,
    async answer() {
      const { version, started_at, now, ...rest } = await getStatus(deps)
      return { data: { version, started_at, now, requests: meter.totals(), ...rest } }
    },
  })

  doors.session('POST', '/v1/operator/sync', {
    tag: TAG,
    summary: 'Start a sync',
    description:
      'Answers at once; the status tells how it goes. Without a game, all that have something new.',
    operator: true,
    body: {
      game: Type.Optional(line({ description: 'Only this game: its slug or id.' })),
      force: Type.Optional(
        Type.Boolean({
          description: 'Fetch everything again, and accept what the guards would refuse.',
        }),
      ),
    },
    status: 202,
    refusals: {
      404: 'There is no such game.',
      409: 'A sync is running (`SYNC_RUNNING`), or there is no upstream (`SYNC_OFF`).',
    },
    reply: SyncStartedSchema,
    async answer({ session: { account_id }, body, address }) {
      await startSync(deps, { ...body, account_id, address })
      return { data: { state: 'started' } }
    },
  })
}
