import { randomBytes } from 'node:crypto'
import type { Deps } from '#deps.ts'
import type { AttemptOutcome, WebhookMessage } from '#outbound/webhooks/webhook-client.ts'
import type { ChannelKind, ChannelTarget } from '#rules/alerts/channel-kinds.ts'
import {
  type ChannelMessage,
  renderAlertMail,
  renderChannelConfirmation,
} from '#rules/alerts/channel-message.ts'
import { type RenderInput, renderChat, renderPush } from '#rules/alerts/channel-payload.ts'
import { encryptPush } from '#rules/alerts/push-encryption.ts'
import { deriveVapidKeys, vapidAuthorization } from '#rules/alerts/vapid.ts'
import { signedHeaders } from '#rules/alerts/webhook-signature.ts'
import type { StoppedFor } from '#store/ledger/alerts/channels.ts'
import type { DueMessage } from '#store/ledger/alerts/messages.ts'
import { confirmUrl, oneClickUrl, unsubscribeUrl } from './channel-links.ts'

export type SendDeps = Pick<
  Deps,
  'config' | 'ledger' | 'log' | 'mailer' | 'now' | 'secrets' | 'webhookClient'
>

/** Result of one send attempt; `error` is a sentence for the owner of the channel. */
export type SendResult = AttemptOutcome & {
  /** True if the receiver permanently refuses messages of the channel. */
  stops?: Exclude<StoppedFor, 'failing'>
  /** True if the failure is not caused by the channel. */
  isServerError?: boolean
}

/** Sends a message to the receiver of its channel, once. Never throws. */
export async function sendMessage(
  deps: SendDeps,
  due: DueMessage,
  at: Date,
  signal: AbortSignal | undefined,
): Promise<SendResult> {
  try {
    return await (due.channel_kind === 'webhook'
      ? sendDelivery(deps, due, at, signal)
      : sendToPerson(deps, due, due.channel_kind, signal))
  } catch (error) {
    deps.log.error('failed to send message', { message: due.id, error })
    return serverError(NOT_SENT)
  }
}

/** Posts a signed message to the URL of a webhook. */
async function sendDelivery(
  deps: SendDeps,
  due: DueMessage,
  at: Date,
  signal: AbortSignal | undefined,
): Promise<SendResult> {
  const { id, body, kind, channel_id, url } = due
  const secrets = openSigningSecrets(deps, due, at)
  if (url === null || secrets === undefined) {
    deps.log.error('a signing secret cannot be decrypted: has APP_SECRET changed?', {
      webhook: channel_id,
    })
    return serverError(SECRET_UNREADABLE)
  }
  const headers = {
    ...signedHeaders(secrets, { id, at, body }),
    ...(kind === 'test' && { 'cardstock-test': '1' }),
  }
  const outcome = await deps.webhookClient.post({ url, headers, body }, signal)
  return outcome.status === GONE ? { ...outcome, stops: 'gone' } : outcome
}

/** Returns the signing secrets, newest first; undefined if they cannot be decrypted. */
function openSigningSecrets(
  { secrets }: Pick<Deps, 'secrets'>,
  { channel_id, secret, old_secret, old_secret_until }: DueMessage,
  at: Date,
): string[] | undefined {
  const newest = secrets.open(secret, channel_id)
  if (newest === undefined) return undefined
  const isOldValid = old_secret !== null && (old_secret_until ?? 0) > at.getTime()
  const old = isOldValid ? secrets.open(old_secret, channel_id) : undefined
  return old === undefined ? [newest] : [newest, old]
}

/** Renders a message for the kind of its channel, and sends it to the channel's address. */
async function sendToPerson(
  deps: SendDeps,
  due: DueMessage,
  channelKind: ChannelKind,
  signal: AbortSignal | undefined,
): Promise<SendResult> {
  const { channel_id } = due
  const text = deps.secrets.open(due.secret, targetContext(due.account_id, channelKind))
  if (text === undefined) {
    deps.log.error('the address of a channel cannot be decrypted: has APP_SECRET changed?', {
      channel: channel_id,
    })
    return serverError(TARGET_UNREADABLE)
  }
  const target = JSON.parse(text) as ChannelTarget // as addChannel has stored it
  // formatChannelMessage has written the rows.
  const message = JSON.parse(due.body) as ChannelMessage
  const { publicUrl } = deps.config
  const links = { publicUrl, unsubscribeUrl: unsubscribeUrl(deps, channel_id) }
  const [id = ''] = due.id.split('.')
  const input = { id, message, links, isTest: due.kind === 'test' }
  if (channelKind === 'email') return sendMail(deps, due, target, input, signal)
  const outcome = await deps.webhookClient.post(
    renderPost(deps, channelKind, target, input),
    signal,
  )
  const isGone = outcome.status !== null && ENDED.has(outcome.status) && channelKind !== 'ntfy'
  return isGone ? { ...outcome, stops: 'gone' } : outcome
}

/** Returns the encryption context of a channel's address. */
export function targetContext(accountId: number, kind: ChannelKind): string {
  return `channel ${accountId} ${kind}`
}

async function sendMail(
  deps: SendDeps,
  { id, kind, channel_id }: DueMessage,
  { address: to }: ChannelTarget,
  { message, links, isTest }: RenderInput,
  signal: AbortSignal | undefined,
): Promise<SendResult> {
  if (deps.mailer === undefined) return serverError(NO_MAIL_SERVER)
  const isConfirmation = kind === 'confirmation'
  const mail = isConfirmation
    ? renderChannelConfirmation(confirmUrl(deps, channel_id, deps.now()))
    : { ...renderAlertMail(message, links, isTest), unsubscribeUrl: oneClickUrl(deps, channel_id) }
  const start = performance.now()
  const outcome = await deps.mailer.send({ id, to, ...mail }, signal)
  const latency_ms = Math.round(performance.now() - start)
  if (outcome.kind === 'sent') return { ...NO_RESPONSE, error: null, latency_ms }
  const { error, detail } = outcome
  deps.log.warn('mail not sent', { message: id, kind: outcome.kind, detail })
  const failed = { ...NO_RESPONSE, error, latency_ms }
  // A failing mail server of the operator is not the channel's fault, unless it refuses the address.
  return outcome.kind === 'permanent'
    ? { ...failed, stops: 'refused' }
    : { ...failed, isServerError: true }
}

function renderPost(
  deps: SendDeps,
  kind: Exclude<ChannelKind, 'email'>,
  target: ChannelTarget,
  input: RenderInput,
): WebhookMessage {
  if (kind === 'push') return renderPushPost(deps, target, input)
  const { url, body } = renderChat(kind, target.address, input)
  const headers = target.token === undefined ? {} : { authorization: `Bearer ${target.token}` }
  return { url, headers, body: JSON.stringify(body) }
}

/** A repeated push message replaces the previous one if that was not shown yet. */
function renderPushPost(
  { config, secrets, now }: SendDeps,
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

/** Seconds for which push services keep a message for an offline browser. */
const PUSH_SECONDS = 86_400

/** Status with which the URL of a webhook ends deliveries. */
const GONE = 410

/** Status with which chat services report deleted webhooks, and push services ended subscriptions. */
const ENDED: ReadonlySet<number> = new Set([404, 410])

const NO_RESPONSE = { status: null, retry_after_ms: 0, answer: null } as const

function serverError(error: string): SendResult {
  return { ...NO_RESPONSE, error, latency_ms: 0, isServerError: true }
}

const SECRET_UNREADABLE =
  'Nothing was sent: the server can no longer decrypt the signing secret. PATCH the webhook with {"rotate_secret": true} for a new one.'
const TARGET_UNREADABLE =
  'Nothing was sent: the server can no longer decrypt the address. Add the channel again.'
const NOT_SENT = 'Nothing was sent because of a server error.'

export const NO_MAIL_SERVER = 'This server sends no mail. Ask its operator to set SMTP_URL.'
