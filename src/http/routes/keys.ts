import { Type } from '@sinclair/typebox'
import { accountUsage, getSubscription, getUsage } from '#actions/accounts/get-usage.ts'
import { createKey, getKey, listKeys, revokeKey } from '#actions/accounts/manage-keys.ts'
import type { UsageCounter } from '#actions/accounts/record-usage.ts'
import type { Deps } from '#deps.ts'
import type { KeyRecord } from '#store/ledger/keys.ts'
import type { SessionEndpoints } from '../endpoint/session-endpoints.ts'
import { line } from '../input/fields.ts'
import { KeySchema, NewKeySchema, UsageSchema } from '../schemas/catalog.ts'

const TAG = 'Keys'

/** An account's keys, and what they were used for. */
export function keyRoutes(doors: SessionEndpoints, deps: Deps, usage: UsageCounter): void {
  doors.session('GET', '/v1/keys', {
    tag: TAG,
    summary: 'List the keys',
    description: 'Deactivated ones, too. A key itself is only told when it is made.',
    reply: Type.Array(KeySchema),
    async answer({ session }) {
      await usage.flush()
      return { data: (await listKeys(deps, session.account_id)).map(told) }
    },
  })

  doors.session('POST', '/v1/keys', {
    tag: TAG,
    summary: 'Make a key',
    description: 'The key is in this answer and in no other: keep it.',
    body: { name: line({ description: 'What you call it.', default: 'Default' }) },
    status: 201,
    refusals: { 409: 'The account has as many active keys as it may.' },
    reply: NewKeySchema,
    async answer({ session: { account_id }, body: { name }, address }) {
      const { id, key } = await createKey(deps, { account_id, name, address })
      return { data: { ...told(await getKey(deps, account_id, id)), key } }
    },
  })

  doors.session('DELETE', '/v1/keys/:id', {
    tag: TAG,
    summary: 'Deactivate a key',
    description: 'For good: its next request is refused.',
    params: { id: line({ description: "The key's id." }) },
    refusals: { 404: 'The account has no such key.' },
    reply: KeySchema,
    async answer({ session: { account_id }, params: { id }, address }) {
      await revokeKey(deps, { id, account_id, address })
      await usage.flush()
      return { data: told(await getKey(deps, account_id, id)) }
    },
  })

  doors.session('GET', '/v1/usage', {
    tag: TAG,
    summary: 'What the keys were used for in the last 30 days',
    description:
      '`account` counts the credits of the day, whoever spent them. `days` and `keys` count requests with keys: what our own pages ask for whoever is logged in is in `account` alone.',
    reply: UsageSchema,
    async answer({ session: { account_id, tier }, quota }) {
      await usage.flush()
      const { keys, ...rest } = await getUsage(deps, account_id)
      return {
        data: {
          account: accountUsage(tier, quota),
          ...rest,
          keys: keys.map(({ days, ...key }) => ({ ...told(key), days })),
          subscription: await getSubscription(deps, { account_id, tier }),
        },
      }
    },
  })
}

function told({ created_at, last_used_at, ...key }: KeyRecord) {
  return {
    ...key,
    created_at: new Date(created_at).toISOString(),
    last_used_at: last_used_at === null ? null : new Date(last_used_at).toISOString(),
  }
}
