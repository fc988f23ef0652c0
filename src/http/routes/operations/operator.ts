import { Type } from '@sinclair/typebox'
import { listRegistered } from '#actions/accounts/manage-accounts.ts'
import { getStatus } from '#actions/operations/get-status.ts'
import { changeServiceSettings, getServiceSettings } from '#actions/operations/manage-settings.ts'
import { startSync } from '#actions/sync/start-sync.ts'
import type { Deps } from '#deps.ts'
import { SERVICE_MODES } from '#rules/operations/service-settings.ts'
import { line, stringEnum } from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import { timeText } from '../../schemas/members.ts'
import { ServiceSettingsSchema, StatusSchema, SyncStartedSchema } from '../../schemas/operator.ts'
import type { Server } from '../../server.ts'

/** Status of the service and manual syncs, for operators. */
export function operatorRoutes({ endpoint, metrics }: Server, deps: Deps): void {
  endpoint('GET /v1/operator/status', {
    auth: 'operator',
    id: 'getOperatorStatus',
    tag: 'Operator',
    summary: 'Get the status of the service',
    description:
      'Syncs, games, jobs, photo reader, alerts, disk, backups and errors of this server.',
    returns: 'The status of this server.',
    reply: StatusSchema,
    async respond() {
      const { version, started_at, is_port_shared, now, ...rest } = await getStatus(deps)
      const server = { version, started_at, is_port_shared, now }
      return { data: { ...server, requests: metrics.totals(), ...rest } }
    },
  })

  endpoint('POST /v1/operator/sync', {
    auth: 'operator',
    id: 'startSync',
    tag: 'Operator',
    summary: 'Start a sync',
    description:
      'Follow the sync in the status. Without `game`, every game with new data is synced.',
    body: jsonObject({
      game: Type.Optional(line({ description: 'Slug or ID of the only game to sync.' })),
      force: Type.Optional(
        Type.Boolean({ description: 'Fetch everything again, and skip the sanity checks.' }),
      ),
    }),
    status: 202,
    refusals: {
      404: 'Game not found.',
      409: 'A sync is already running (`SYNC_RUNNING`), or no upstream is configured (`SYNC_OFF`).',
    },
    returns: 'The sync has started.',
    reply: SyncStartedSchema,
    async respond({ principal: { account_id }, body, clientAddress: address }) {
      await startSync(deps, { ...body, account_id, address })
      return { data: { state: 'started' as const } }
    },
  })

  endpoint('GET /v1/operator/settings', {
    auth: 'operator',
    id: 'getSettings',
    tag: 'Operator',
    summary: 'Get the settings of the service',
    returns: 'The settings.',
    reply: ServiceSettingsSchema,
    respond: async () => ({ data: await renderSettings() }),
  })

  endpoint('POST /v1/operator/settings', {
    auth: 'operator',
    id: 'changeSettings',
    tag: 'Operator',
    summary: 'Change settings of the service',
    description:
      'Omitted members stay the same. Changes take effect at once; a new mirror is read first.',
    body: jsonObject({
      mode: Type.Optional(stringEnum(SERVICE_MODES)),
      mirror: Type.Optional(
        line({
          minLength: 0,
          maxLength: 500,
          description: 'Root URL of a mirror, with `https://`; empty for no mirror.',
        }),
      ),
      remove_sample: Type.Optional(
        Type.Boolean({ description: 'Delete the sample after the next sync.' }),
      ),
      index_pictures: Type.Optional(Type.Boolean()),
      exchange_rates: Type.Optional(
        Type.Boolean({
          description: 'Fetch the daily reference rates of the European Central Bank.',
        }),
      ),
      finish: Type.Optional(Type.Boolean({ description: '`true` ends the setup.' })),
    }),
    refusals: {
      409: 'The environment of the server sets it (`SETTING_FIXED`), or the mirror cannot be used (`MIRROR_UNUSABLE`).',
    },
    returns: 'The settings.',
    reply: ServiceSettingsSchema,
    async respond({ principal: { account_id }, body, clientAddress: address }) {
      const { mirror, ...rest } = body
      const change = {
        ...rest,
        ...(mirror !== undefined && { mirror: mirror === '' ? null : mirror }),
      }
      await changeServiceSettings(deps, change, { account_id, address })
      return { data: await renderSettings() }
    },
  })

  async function renderSettings() {
    const { accounts, has_more } = await listRegistered(deps)
    const registered = accounts.map(({ id, email, created_at }) => ({
      id,
      email,
      created_at: timeText(created_at),
    }))
    return { ...getServiceSettings(deps), registered_accounts: { accounts: registered, has_more } }
  }
}
