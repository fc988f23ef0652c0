import { Type } from '@sinclair/typebox'
import type { OwnChannel } from '#actions/alerts/manage-channels.ts'
import { CHANNEL_KINDS } from '#rules/alerts/channel-kinds.ts'
import { stringEnum } from '../input/fields.ts'
import { extendObject, namedObject } from '../openapi/schemas.ts'
import { DateTime, Described, nullable, PagingSchema, timeText } from './members.ts'

// Schemas of channels that deliver alerts, and the function that renders them.

export const ChannelSchema = namedObject('AlertChannel', {
  id: Type.String(),
  kind: stringEnum(CHANNEL_KINDS),
  name: nullable(Described('Address without its secrets; null if it cannot be decrypted.')),
  status: stringEnum(
    ['active', 'unconfirmed', 'paused', 'disabled'],
    '`unconfirmed`: nobody has opened the link in the mail yet.',
  ),
  disabled_for: nullable(
    stringEnum(
      ['unsubscribed', 'refused', 'gone', 'failing'],
      '`unsubscribed`: by a link in a message. `refused`: the address bounces. `gone`: the webhook or subscription has ended. `failing`: deliveries failed for days.',
    ),
  ),
  last_error: nullable(
    Described('Reason that the newest message was not accepted; null if it was accepted.'),
  ),
  created_at: DateTime,
})

export const ChannelsMetaSchema = extendObject('ChannelsMeta', PagingSchema, {
  channels_max: Type.Integer({ description: 'Channels that the account can have.' }),
  sends_mail: Type.Boolean({ description: 'False: the server has no mail server.' }),
  push_key: Described('Public key for push subscriptions (`applicationServerKey`).'),
})

export const ChannelTestSchema = namedObject('ChannelTest', {
  error: nullable(Described('Reason that the test was not accepted; null if it was accepted.')),
})

export const AlertPreferencesSchema = namedObject('AlertPreferences', {
  digest_hour: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 23,
      description: 'Hour (UTC) of the daily digest. Null: each alert is sent at once.',
    }),
  ),
})

export const EndedChannelSchema = namedObject('LinkedChannel', {
  kind: stringEnum(CHANNEL_KINDS),
})

/** Renders a channel for its owner. */
export function renderChannel(channel: OwnChannel) {
  const { id, kind, name = null, status, disabled_for, last_error, created_at } = channel
  return {
    id,
    kind,
    name,
    status,
    disabled_for,
    last_error,
    created_at: timeText(created_at),
  }
}
