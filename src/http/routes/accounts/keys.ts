import { Type } from '@sinclair/typebox'
import { accountUsage, getSubscription, getUsage } from '#actions/accounts/get-usage.ts'
import { createKey, getKey, listKeys, revokeKey } from '#actions/accounts/manage-keys.ts'
import type { Deps } from '#deps.ts'
import { computeOptionalPaging, pagingMeta } from '#rules/primitives/paging.ts'
import type { KeyRecord } from '#store/ledger/keys.ts'
import { label, line, OPTIONAL_PAGING } from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import { KeySchema, NewKeySchema, UsageSchema } from '../../schemas/accounts.ts'
import { PagingSchema, timeText } from '../../schemas/members.ts'
import type { Server } from '../../server.ts'

/** API keys and their usage. */
export function keyRoutes({ endpoint, usage, charger }: Server, deps: Deps): void {
  endpoint('GET /v1/keys', {
    auth: 'session',
    id: 'listApiKeys',
    tag: 'Keys',
    summary: 'List API keys',
    description: 'Includes deactivated keys, but never the key itself.',
    query: OPTIONAL_PAGING,
    returns: 'The keys, or a page of them.',
    reply: Type.Array(KeySchema),
    meta: Type.Optional(PagingSchema),
    async respond({ principal: { account_id }, query }) {
      await usage.flush()
      const paging = computeOptionalPaging(query)
      const { rows, total } = await listKeys(deps, account_id, paging)
      return { data: rows.map(renderKey), meta: paging && pagingMeta(paging, total) }
    },
  })

  endpoint('POST /v1/keys', {
    auth: 'session',
    id: 'createApiKey',
    tag: 'Keys',
    summary: 'Create an API key',
    description: 'Save the key: only this response contains it.',
    body: jsonObject({ name: label({ description: 'Name of the key.', default: 'Default' }) }),
    status: 201,
    refusals: { 409: 'The account has reached its maximum number of active keys.' },
    returns: 'The key, which is only shown here.',
    reply: NewKeySchema,
    async respond({ principal: { account_id }, body: { name }, clientAddress: address }) {
      const { id, key } = await createKey(deps, { account_id, name, address })
      return { data: { ...renderKey(await getKey(deps, account_id, id)), key } }
    },
  })

  endpoint('DELETE /v1/keys/:id', {
    auth: 'session',
    id: 'deactivateApiKey',
    tag: 'Keys',
    summary: 'Deactivate an API key',
    description: 'Permanent. Requests with the key are refused from now on.',
    params: { id: line({ description: 'ID of the key.' }) },
    refusals: { 404: 'Key not found.' },
    returns: 'The deactivated key.',
    reply: KeySchema,
    async respond({ principal: { account_id }, params: { id }, clientAddress: address }) {
      await revokeKey(deps, { id, account_id, address })
      await usage.flush()
      return { data: renderKey(await getKey(deps, account_id, id)) }
    },
  })

  endpoint('GET /v1/usage', {
    auth: 'session',
    id: 'getUsage',
    tag: 'Keys',
    summary: 'Get the usage of the last 30 days',
    description:
      '`account` counts all credits of the day, `days` and `keys` only requests with API keys.',
    returns: 'The usage.',
    reply: UsageSchema,
    async respond({ principal }) {
      const { account_id, tier } = principal
      const quota = await charger.get(principal)
      await usage.flush()
      const { keys, ...rest } = await getUsage(deps, account_id)
      return {
        data: {
          account: accountUsage(tier, quota),
          ...rest,
          keys: keys.map(({ days, ...key }) => ({ ...renderKey(key), days })),
          subscription: await getSubscription(deps, { account_id, tier }),
        },
      }
    },
  })
}

function renderKey({ created_at, last_used_at, ...key }: KeyRecord) {
  return {
    ...key,
    created_at: timeText(created_at),
    last_used_at: timeText(last_used_at),
  }
}
