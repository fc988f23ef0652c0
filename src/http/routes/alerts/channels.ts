import { Type } from '@sinclair/typebox'
import {
  addChannel,
  deleteChannel,
  listChannels,
  pauseChannel,
  requestChannelConfirmation,
} from '#actions/alerts/manage-channels.ts'
import { testChannel } from '#actions/alerts/send-test.ts'
import type { Deps } from '#deps.ts'
import { tierLimits } from '#rules/accounts/tiers.ts'
import { CHANNEL_ADDRESSES, CHANNEL_KINDS } from '#rules/alerts/channel-kinds.ts'
import { deriveVapidKeys } from '#rules/alerts/vapid.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { WEBHOOK_URL_CHARACTERS_MAX } from '#rules/primitives/webhook-url.ts'
import { line, PAGING, stringEnum } from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import {
  AlertPreferencesSchema,
  ChannelSchema,
  ChannelsMetaSchema,
  ChannelTestSchema,
  renderChannel,
} from '../../schemas/channels.ts'
import type { Server } from '../../server.ts'

const CHANNEL_ID = { id: line({ description: 'ID of the channel.' }) }

const NOT_FOUND = { 404: 'Channel not found.' }

const KEY = line({ maxLength: 200, description: 'Key as encoded by the browser.' })

const ADDRESSES = CHANNEL_KINDS.map((kind) => `\`${kind}\`: ${CHANNEL_ADDRESSES[kind]}`)

/** Channels that deliver the alerts of an account. */
export function channelRoutes({ endpoint }: Server, deps: Deps): void {
  const pushKey = deriveVapidKeys(deps.secrets.hash).publicKey

  endpoint('POST /v1/channels', {
    auth: 'account',
    id: 'createChannel',
    tag: 'Alerts',
    summary: 'Add a channel for alerts',
    description:
      'A mail address gets a mail to confirm it. Adding an address again enables its channel.',
    body: jsonObject({
      kind: stringEnum(CHANNEL_KINDS),
      address: line({
        maxLength: WEBHOOK_URL_CHARACTERS_MAX,
        description: `${ADDRESSES.join('; ')}.`,
      }),
      token: Type.Optional(line({ maxLength: 200, description: 'Access token of an ntfy topic.' })),
      keys: Type.Optional(
        Type.Object({ p256dh: KEY, auth: KEY }, { description: 'Keys of a push subscription.' }),
      ),
    }),
    status: 201,
    refusals: {
      409: 'The tier allows no more channels, or the server sends no mail.',
      429: 'Too many mails were sent to addresses that are not confirmed.',
    },
    returns: 'The channel.',
    reply: ChannelSchema,
    async respond({ body, principal: owner, clientAddress }) {
      return { data: renderChannel(await addChannel(deps, owner, body, clientAddress)) }
    },
  })

  endpoint('GET /v1/channels', {
    auth: 'account',
    id: 'listChannels',
    tag: 'Alerts',
    summary: 'List channels for alerts, oldest first',
    query: PAGING,
    returns: 'A page of the channels, and what the account can add.',
    reply: Type.Array(ChannelSchema),
    meta: ChannelsMetaSchema,
    async respond({ principal: owner, query }) {
      const paging = computePaging(query)
      const { rows, total } = await listChannels(deps, owner.account_id, paging)
      return {
        data: rows.map(renderChannel),
        meta: {
          ...pagingMeta(paging, total),
          channels_max: tierLimits(owner).channels,
          sends_mail: deps.mailer !== undefined,
          push_key: pushKey,
        },
      }
    },
  })

  endpoint('PATCH /v1/channels/:id', {
    auth: 'account',
    id: 'updateChannel',
    tag: 'Alerts',
    summary: 'Pause or resume a channel',
    description: 'Resuming also enables a disabled channel. Pausing discards its waiting messages.',
    params: CHANNEL_ID,
    body: jsonObject({ is_paused: Type.Boolean() }),
    refusals: NOT_FOUND,
    returns: 'The channel.',
    reply: ChannelSchema,
    async respond({ principal: { account_id }, params: { id }, body: { is_paused } }) {
      return { data: renderChannel(await pauseChannel(deps, { id, account_id }, is_paused)) }
    },
  })

  endpoint('DELETE /v1/channels/:id', {
    auth: 'account',
    id: 'deleteChannel',
    tag: 'Alerts',
    summary: 'Delete a channel with its messages',
    params: CHANNEL_ID,
    refusals: NOT_FOUND,
    returns: 'The deleted channel.',
    reply: ChannelSchema,
    async respond({ principal: { account_id }, params: { id } }) {
      return { data: renderChannel(await deleteChannel(deps, { id, account_id })) }
    },
  })

  endpoint('POST /v1/channels/:id/test', {
    auth: 'account',
    id: 'testChannel',
    tag: 'Alerts',
    summary: 'Send a test to a channel',
    params: CHANNEL_ID,
    refusals: { ...NOT_FOUND, 409: 'The mail address is not confirmed.', 429: 'Too many tests.' },
    returns: 'The result.',
    reply: ChannelTestSchema,
    async respond({ principal: { account_id }, params: { id } }) {
      return { data: { error: await testChannel(deps, { id, account_id }) } }
    },
  })

  endpoint('POST /v1/channels/:id/confirmation', {
    auth: 'account',
    id: 'requestChannelConfirmation',
    tag: 'Alerts',
    summary: 'Send the mail that confirms an address again',
    params: CHANNEL_ID,
    status: 202,
    refusals: {
      ...NOT_FOUND,
      409: 'The channel needs no confirmation, or the server sends no mail.',
      429: 'Too many mails.',
    },
    returns: 'The channel.',
    reply: ChannelSchema,
    async respond({ principal: { account_id }, params: { id }, clientAddress }) {
      const key = { id, account_id }
      return { data: renderChannel(await requestChannelConfirmation(deps, key, clientAddress)) }
    },
  })

  endpoint('GET /v1/alert-preferences', {
    auth: 'account',
    id: 'getAlertPreferences',
    tag: 'Alerts',
    summary: 'Get the hour of the daily digest',
    returns: 'The preferences.',
    reply: AlertPreferencesSchema,
    async respond({ principal: { account_id } }) {
      const hour = await deps.ledger.channels.getDigestHour(account_id)
      return { data: { digest_hour: hour ?? null } }
    },
  })

  endpoint('PATCH /v1/alert-preferences', {
    auth: 'account',
    id: 'updateAlertPreferences',
    tag: 'Alerts',
    summary: 'Choose a daily digest, or single messages',
    body: jsonObject({
      digest_hour: Type.Union([Type.Null(), Type.Integer({ minimum: 0, maximum: 23 })], {
        description: 'Hour (UTC) of the digest; null for single messages.',
      }),
    }),
    returns: 'The preferences.',
    reply: AlertPreferencesSchema,
    async respond({ principal: { account_id }, body: { digest_hour } }) {
      await deps.ledger.channels.setDigestHour(account_id, digest_hour ?? undefined)
      return { data: { digest_hour } }
    },
  })
}
