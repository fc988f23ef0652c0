import type { ApiResponse } from '#client/client.ts'
import type { AlertChannel } from '#client/endpoints.ts'

/** Channels of the account, and what it can add. */
export type ChannelPage = ApiResponse<'GET', '/v1/channels'>

type ChannelKind = AlertChannel['kind']

/** Names of channels, with the label and an example of their address. */
export const CHANNEL_NAMES: Readonly<
  Record<ChannelKind, { name: string; label: string; example: string }>
> = {
  email: { name: 'E-mail', label: 'E-mail address', example: 'you@example.com' },
  ntfy: { name: 'ntfy', label: 'URL of the topic', example: 'https://ntfy.sh/my-secret-topic' },
  discord: {
    name: 'Discord',
    label: 'Webhook URL',
    example: 'https://discord.com/api/webhooks/…',
  },
  slack: { name: 'Slack', label: 'Webhook URL', example: 'https://hooks.slack.com/services/…' },
  push: { name: 'Browser', label: '', example: '' },
}

type ChannelState = { name: string; tone: 'good' | 'wait' | 'bad' | ''; why?: string }

/** Returns the status of a channel, with what its owner can do. */
export function channelState({ status, disabled_for }: AlertChannel): ChannelState {
  if (status === 'active') return { name: 'Active', tone: 'good' }
  if (status === 'paused') return { name: 'Paused', tone: '' }
  if (status === 'unconfirmed') {
    return { name: 'Not confirmed', tone: 'wait', why: 'Open the link in the mail that was sent.' }
  }
  return { name: 'Stopped', tone: 'bad', why: STOPS[disabled_for ?? 'failing'] }
}

const STOPS: Readonly<Record<NonNullable<AlertChannel['disabled_for']>, string>> = {
  unsubscribed: 'Somebody opened the link “Unsubscribe” in a message.',
  refused: 'The address does not accept mail. Correct it, or resume once it does.',
  gone: 'The webhook or the subscription has ended. Add it again.',
  failing: 'Messages failed for days. Send a test, then resume.',
}
