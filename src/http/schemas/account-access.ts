import { Type } from '@sinclair/typebox'
import type { AccountAccess } from '#actions/accounts/account-access.ts'
import { CHANNEL_KINDS } from '#rules/alerts/channel-kinds.ts'
import { stringEnum } from '../input/fields.ts'
import { namedObject } from '../openapi/schemas.ts'
import { DateTime, Described, nullable, timeText } from './members.ts'

/** Members that name what leads into an account besides its password. */
export const ACCESS = {
  login_provider: nullable(
    namedObject('LinkedLogin', {
      label: Described('Name of the login provider.'),
      linked_at: DateTime,
    }),
  ),
  keys: Type.Array(
    namedObject('ActiveKey', {
      id: Type.String(),
      name: Type.String(),
      key_prefix: Type.String(),
      last4: Type.String(),
      created_at: DateTime,
    }),
    { description: 'Active API keys.' },
  ),
  channels: Type.Array(
    namedObject('AccessChannel', {
      id: Type.String(),
      kind: stringEnum([...CHANNEL_KINDS, 'webhook']),
      name: nullable(Described('Address without its secrets; null if it cannot be decrypted.')),
      created_at: DateTime,
    }),
    { description: 'Channels for alerts, and webhooks.' },
  ),
  shared_collections: Type.Array(
    namedObject('LinkedCollection', {
      id: Type.String(),
      name: Type.String(),
      created_at: DateTime,
    }),
    {
      description: 'Collections with a link, and when it was created.',
    },
  ),
}

export const EndedAccessSchema = namedObject('EndedAccess', {
  keys: Type.Integer({ description: 'Deactivated API keys.' }),
  channels: Type.Integer({ description: 'Deleted channels and webhooks.' }),
  shares: Type.Integer({ description: 'Ended links of shared collections.' }),
  logins: Type.Integer({ description: 'Unlinked logins of the login provider.' }),
})

export function renderAccess({ keys, channels, shared_collections, login }: AccountAccess) {
  return {
    login_provider: login ? { label: login.label, linked_at: timeText(login.linked_at) } : null,
    keys: keys.map(renderCreated),
    channels: channels.map(renderCreated),
    shared_collections: shared_collections.map(renderCreated),
  }
}

function renderCreated<Row extends { created_at: number }>({ created_at, ...row }: Row) {
  return { ...row, created_at: timeText(created_at) }
}
