import { randomBytes } from 'node:crypto'
import type { Deps } from '#deps.ts'
import type { WebhookMessage } from '#outbound/webhooks/webhook-client.ts'
import type { ChannelKind, ChannelTarget } from '#rules/alerts/channel-kinds.ts'
import {
  type ChannelMessage,
  renderAlertMail,
  renderChannelConfirmation,
} from '#rules/alerts/channel-message.ts'
import {
  type RenderInput,
  renderDiscord,
  renderNtfy,
  renderPush,
  renderSlack,
} from '#rules/alerts/channel-payload.ts'
import { encryptPush } from '#rules/alerts/push-encryption.ts'
import { deriveVapidKeys, vapidAuthorization } from '#rules/alerts/vapid.ts'
import type { DueMessage } from '#store/ledger/alerts/channel-messages.ts'
import { confirmUrl, oneClickUrl, unsubscribeUrl } from './channel-links.ts'

export type MessageDeps = Pick<
  Deps,
  'config' | 'ledger' | 'log' | 'mailer' | 'now' | 'secrets' | 'webhookClient'
>

/** Result of sending a message once. */
export type SendResult = {
  /** Sentence for the owner of the channel; null if it was accepted. */
  error: string | null
  /** Set if the receiver refuses the channel for good. */
  stops?: 'refused' | 'gone'
  /** True if the failure says nothing about the channel. */
  isServerError?: boolean
  /** Delay that the receiver asked for. */
  retry_after_ms: number
}

/** Sends a message to the address of its channel, once. */
export async function sendMessage(
  deps: MessageDeps,
  due: DueMessage,
  target: ChannelTarget,
  signal: AbortSignal | undefined,
): Promise<SendResult> {
  // The store's rows are written by formatChannelMessage.
  const message = JSON.parse(due.body) as ChannelMessage
  const links = {
    publicUrl: deps.config.publicUrl,
    unsubscribeUrl: unsubscribeUrl(deps, due.channel_id),
  }
  const [id = ''] = due.id.split('.')
  const input = { id, message, links, isTest: due.kind === 'test' }
  if (due.channel_kind === 'email') return sendMail(deps, due, target, input, signal)
  const post = renderPost(deps, due.channel_kind, target, input)
  const { status, error, retry_after_ms } = await deps.webhookClient.post(post, signal)
  const isGone = status !== null && GONE.has(status) && due.channel_kind !== 'ntfy'
  return { error, retry_after_ms, ...(isGone && { stops: 'gone' as const }) }
}

async function sendMail(
  deps: MessageDeps,
  { id, kind, channel_id }: DueMessage,
  { address: to }: ChannelTarget,
  { message, links, isTest }: RenderInput,
  signal: AbortSignal | undefined,
): Promise<SendResult> {
  if (deps.mailer === undefined) {
    return { error: NO_MAIL_SERVER, isServerError: true, retry_after_ms: 0 }
  }
  const isConfirmation = kind === 'confirmation'
  const mail = isConfirmation
    ? renderChannelConfirmation(confirmUrl(deps, channel_id, deps.now()))
    : { ...renderAlertMail(message, links, isTest), unsubscribeUrl: oneClickUrl(deps, channel_id) }
  const outcome = await deps.mailer.send({ id, to, ...mail }, signal)
  if (outcome.kind === 'sent') return { error: null, retry_after_ms: 0 }
  const { error, detail } = outcome
  deps.log.warn('mail not sent', { message: id, kind: outcome.kind, detail })
  if (outcome.kind === 'permanent') return { error, stops: 'refused', retry_after_ms: 0 }
  // The mail server is the operator's.
  return { error, isServerError: true, retry_after_ms: 0 }
}

function renderPost(
  deps: MessageDeps,
  kind: Exclude<ChannelKind, 'email'>,
  target: ChannelTarget,
  input: RenderInput,
): WebhookMessage {
  if (kind === 'push') return renderPushPost(deps, target, input)
  const { url, body } = RENDERERS[kind](target.address, input)
  const headers = target.token === undefined ? {} : { authorization: `Bearer ${target.token}` }
  return { url, headers, body: JSON.stringify(body) }
}

const RENDERERS = { ntfy: renderNtfy, discord: renderDiscord, slack: renderSlack }

/** A repeated push message replaces the one before that was not shown yet. */
function renderPushPost(
  { config, secrets, now }: MessageDeps,
  { address, keys = { p256dh: '', auth: '' } }: ChannelTarget,
  input: RenderInput,
): WebhookMessage {
  const contact =
    config.mail === undefined ? config.publicUrl : `mailto:${config.mail.from.address}`
  const vapid = { endpoint: address, contact, now: now() }
  const random = { salt: randomBytes(16), privateKey: randomBytes(32) }
  return {
    url: address,
    headers: {
      authorization: vapidAuthorization(deriveVapidKeys(secrets.hash), vapid),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      topic: input.id.replace(/^msg_/, ''),
      ttl: String(PUSH_SECONDS),
      urgency: 'normal',
    },
    body: encryptPush(Buffer.from(renderPush(input)), keys, random),
  }
}

/** How long push services keep a message for a browser that is off. */
const PUSH_SECONDS = 86_400

/** Webhooks that were deleted, and push subscriptions that have ended. */
const GONE: ReadonlySet<number> = new Set([404, 410])

export const NO_MAIL_SERVER = 'This server sends no mail. Ask its operator to set SMTP_URL.'
