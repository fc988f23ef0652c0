import { Type } from '@sinclair/typebox'
import { getStatus } from '#actions/operations/get-status.ts'
import { startSync } from '#actions/sync/start-sync.ts'
import type { Deps } from '#deps.ts'
import type { Endpoints } from '../endpoint/endpoints.ts'
import { line } from '../input/fields.ts'
import type { MetricsRegistry } from '../metrics/registry.ts'
import { StatusSchema, SyncStartedSchema } from '../schemas/operator.ts'

const TAG = 'Operator'

/** Status of the service and manual syncs, for operators. */
export function operatorRoutes(endpoints: Endpoints, deps: Deps, metrics: MetricsRegistry): void {
  endpoints.session('GET', '/v1/operator/status', {
    id: 'getOperatorStatus',
    tag: TAG,
    summary: 'Get the status of the service',
    description:
      'Syncs, games, jobs, photo reader, alerts, disk, backups and errors of this server.',
    operator: true,
    returns: 'The status of this server.',
    reply: StatusSchema,
    async answer() {
      const { version, started_at, is_port_shared, now, ...rest } = await getStatus(deps)
      const server = { version, started_at, is_port_shared, now }
      return { data: { ...server, requests: metrics.totals(), ...rest } }
    },
  })

  endpoints.session('POST', '/v1/operator/sync', {
    id: 'startSync',
    tag: TAG,
    summary: 'Start a sync',
    description:
      'Responds at once; follow the sync in the status. Without `game`, it covers every game with new data.',
    operator: true,
    body: {
      game: Type.Optional(line({ description: 'Slug or ID of the only game to sync.' })),
      force: Type.Optional(
        Type.Boolean({ description: 'Fetch everything again, and skip the sanity checks.' }),
      ),
    },
    status: 202,
    refusals: {
      404: 'Game not found.',
      409: 'A sync is already running (`SYNC_RUNNING`), or no upstream is configured (`SYNC_OFF`).',
    },
    returns: 'The sync has started.',
    reply: SyncStartedSchema,
    async answer({ session: { account_id }, body, clientAddress: address }) {
      await startSync(deps, { ...body, account_id, address })
      return { data: { state: 'started' as const } }
    },
  })
}
