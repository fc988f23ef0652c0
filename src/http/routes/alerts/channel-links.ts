import { confirmChannel, unsubscribe } from '#actions/alerts/channel-links.ts'
import type { Deps } from '#deps.ts'
import { line } from '../../input/fields.ts'
import { EndedChannelSchema } from '../../schemas/channels.ts'
import type { Server } from '../../server.ts'

const TOKEN = line({ description: 'Token of the link.' })

/** Links in messages, which need no account. */
export function channelLinkRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('POST /v1/unsubscribe/:unsubscribe_token', {
    auth: 'optional session',
    id: 'unsubscribeChannel',
    tag: 'Alerts',
    summary: 'Unsubscribe by the link of a message',
    description: 'Mail programs send it from their unsubscribe button (RFC 8058).',
    params: { unsubscribe_token: TOKEN },
    refusals: { 404: 'The link belongs to no channel.' },
    returns: 'The kind of the channel.',
    reply: EndedChannelSchema,
    async respond({ params: { unsubscribe_token } }) {
      return { data: { kind: await unsubscribe(deps, unsubscribe_token) } }
    },
  })

  endpoint('POST /v1/confirm/:confirm_token', {
    auth: 'optional session',
    id: 'confirmChannel',
    tag: 'Alerts',
    summary: 'Confirm a mail address with the link that was sent to it',
    params: { confirm_token: TOKEN },
    refusals: { 404: 'The link is wrong or has expired.' },
    returns: 'The kind of the channel.',
    reply: EndedChannelSchema,
    async respond({ params: { confirm_token } }) {
      return { data: { kind: await confirmChannel(deps, confirm_token) } }
    },
  })
}
