import { Type } from '@sinclair/typebox'
import {
  addChannel,
  deleteChannel,
  listChannels,
  pauseChannel,
  requestChannelConfirmation,
} from '#actions/alerts/manage-channels.ts'
import { setDigestHour } from '#actions/alerts/set-digest-hour.ts'
import { testChannel } from '#actions/alerts/test-channel.ts'
import type { Deps } from '#deps.ts'
import { tierLimits } from '#rules/accounts/tier-limits.ts'
import { CHANNEL_KINDS } from '#rules/alerts/channel-kinds.ts'
import { deriveVapidKeys } from '#rules/alerts/vapid.ts'
import { WEBHOOK_URL_CHARACTERS_MAX } from '#rules/primitives/webhook-url.ts'
import type { Endpoints } from '../../endpoint/endpoints.ts'
import { line, stringEnum } from '../../input/fields.ts'
import {
  AlertPreferencesSchema,
  ChannelSchema,
  ChannelsMetaSchema,
  ChannelTestSchema,
  renderChannel,
} from '../../schemas/channels.ts'

const TAG = 'Alerts'

const CHANNEL_ID = { id: line({ description: 'ID of the channel.' }) }

const NOT_FOUND = { 404: 'Channel not found.' }

const KEY = line({ maxLength: 200, description: 'As the browser encodes it.' })

/** Channels that deliver the alerts of an account. */
export function channelRoutes(endpoints: Endpoints, deps: Deps): void {
  const pushKey = deriveVapidKeys(deps.secrets.hash).publicKey

  endpoints.account('POST', '/v1/channels', {
    id: 'createChannel',
    tag: TAG,
    summary: 'Add a channel for alerts',
    description:
      'A mail address gets a mail with a link that confirms it. The same address again enables its channel.',
    body: {
      kind: stringEnum(CHANNEL_KINDS),
      address: line({
        maxLength: WEBHOOK_URL_CHARACTERS_MAX,
        description:
          'E-mail address; URL of an ntfy topic, or of a webhook of Discord or Slack; endpoint of a push subscription.',
      }),
      token: Type.Optional(line({ maxLength: 200, description: 'Access token of an ntfy topic.' })),
      keys: Type.Optional(
        Type.Object({ p256dh: KEY, auth: KEY }, { description: 'Keys of a push subscription.' }),
      ),
    },
    status: 201,
    refusals: {
      409: 'The account has as many channels as its tier allows, or the server sends no mail.',
      429: 'Too many mails were sent to addresses that are not confirmed.',
    },
    returns: 'The channel.',
    reply: ChannelSchema,
    async answer({ body, ...owner }) {
      return { data: renderChannel(await addChannel(deps, owner, body)) }
    },
  })

  endpoints.account('GET', '/v1/channels', {
    id: 'listChannels',
    tag: TAG,
    summary: 'List channels for alerts, oldest first',
    returns: 'The channels, and what the account can add.',
    reply: Type.Array(ChannelSchema),
    meta: ChannelsMetaSchema,
    async answer({ account_id, tier }) {
      return {
        data: (await listChannels(deps, account_id)).map(renderChannel),
        meta: {
          channels_max: tierLimits(tier, deps.config.hasLimits).channels,
          sends_mail: deps.mailer !== undefined,
          push_key: pushKey,
        },
      }
    },
  })

  endpoints.account('PATCH', '/v1/channels/:id', {
    id: 'updateChannel',
    tag: TAG,
    summary: 'Pause or resume a channel',
    description:
      'Resuming also enables a disabled channel. Messages that wait are discarded when it is paused.',
    params: CHANNEL_ID,
    body: { is_paused: Type.Boolean() },
    refusals: NOT_FOUND,
    returns: 'The channel.',
    reply: ChannelSchema,
    async answer({ account_id, params: { id }, body: { is_paused } }) {
      return { data: renderChannel(await pauseChannel(deps, { id, account_id }, is_paused)) }
    },
  })

  endpoints.account('DELETE', '/v1/channels/:id', {
    id: 'deleteChannel',
    tag: TAG,
    summary: 'Delete a channel with its messages',
    params: CHANNEL_ID,
    refusals: NOT_FOUND,
    returns: 'The deleted channel.',
    reply: ChannelSchema,
    async answer({ account_id, params: { id } }) {
      return { data: renderChannel(await deleteChannel(deps, { id, account_id })) }
    },
  })

  endpoints.account('POST', '/v1/channels/:id/test', {
    id: 'testChannel',
    tag: TAG,
    summary: 'Send a test to a channel',
    params: CHANNEL_ID,
    refusals: { ...NOT_FOUND, 409: 'The mail address is not confirmed.', 429: 'Too many tests.' },
    returns: 'The result.',
    reply: ChannelTestSchema,
    async answer({ account_id, params: { id } }) {
      return { data: { error: await testChannel(deps, { id, account_id }) } }
    },
  })

  endpoints.account('POST', '/v1/channels/:id/confirmation', {
    id: 'requestChannelConfirmation',
    tag: TAG,
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
    async answer({ account_id, params: { id } }) {
      return { data: renderChannel(await requestChannelConfirmation(deps, { id, account_id })) }
    },
  })

  endpoints.account('GET', '/v1/alert-preferences', {
    id: 'getAlertPreferences',
    tag: TAG,
    summary: 'Get the hour of the daily digest',
    returns: 'The preferences.',
    reply: AlertPreferencesSchema,
    async answer({ account_id }) {
      const hour = await deps.ledger.channels.getDigestHour(account_id)
      return { data: { digest_hour: hour ?? null } }
    },
  })

  endpoints.account('PATCH', '/v1/alert-preferences', {
    id: 'updateAlertPreferences',
    tag: TAG,
    summary: 'Choose a daily digest, or single messages',
    body: {
      digest_hour: Type.Union([Type.Null(), Type.Integer({ minimum: 0, maximum: 23 })], {
        description: 'Hour (UTC) of the digest; null for single messages.',
      }),
    },
    returns: 'The preferences.',
    reply: AlertPreferencesSchema,
    async answer({ account_id, body: { digest_hour } }) {
      await setDigestHour(deps, account_id, digest_hour)
      return { data: { digest_hour } }
    },
  })
}
