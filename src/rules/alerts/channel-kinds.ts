/** Kinds of channels that deliver people's alerts, besides the dashboard, with their addresses. */
export const CHANNEL_ADDRESSES = {
  email: 'e-mail address',
  ntfy: 'URL of a topic',
  discord: 'URL of a webhook',
  slack: 'URL of a webhook',
  push: 'endpoint of a push subscription',
} as const

export type ChannelKind = keyof typeof CHANNEL_ADDRESSES

// Object.keys returns strings; these are the keys of the table above.
export const CHANNEL_KINDS = Object.keys(CHANNEL_ADDRESSES) as ChannelKind[]

/** Kinds whose messages are JSON for a chat. */
export type ChatKind = Exclude<ChannelKind, 'email' | 'push'>

/**
 * Reason that a channel was disabled: its receiver unsubscribed, permanently refuses messages, no longer exists, or
 * failed for days.
 */
export type ChannelStop = 'unsubscribed' | 'refused' | 'gone' | 'failing'

/** Keys of a push subscription, as browsers encode them (RFC 8291). */
export type PushKeys = { p256dh: string; auth: string }

/** Address of a channel. It is stored encrypted, because chat webhooks are secrets. */
export type ChannelTarget = {
  /** E-mail address, or URL of a webhook, a push service or an ntfy topic. */
  address: string
  /** Access token of an ntfy topic. */
  token?: string
  /** Set for push subscriptions. */
  keys?: PushKeys
}

export type ChannelStatus = 'active' | 'unconfirmed' | 'paused' | 'disabled'

/** Returns the most severe status of a channel: a disabled and unconfirmed one is `disabled`. */
export function channelStatus(channel: {
  disabled_for: ChannelStop | null
  confirmed_at: number | null
  is_paused: boolean
}): ChannelStatus {
  if (channel.disabled_for !== null) return 'disabled'
  if (channel.confirmed_at === null) return 'unconfirmed'
  return channel.is_paused ? 'paused' : 'active'
}

/** Describes a channel for its owner, without its secret: a mail address, or a host with the end of the path. */
export function describeTarget(kind: ChannelKind | 'webhook', { address }: ChannelTarget): string {
  if (kind === 'email') return address
  const { host, pathname } = new URL(address)
  if (kind === 'ntfy') return `${host}${pathname}`
  return kind === 'push' ? host : `${host}/…${pathname.slice(-4)}`
}
