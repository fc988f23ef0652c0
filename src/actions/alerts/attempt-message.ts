import { messageId } from '#rules/alerts/alert-message.ts'
import type { ChannelTarget } from '#rules/alerts/channel-kinds.ts'
import { isExhausted, retryDelayMs } from '#rules/alerts/retry-schedule.ts'
import type { DueMessage, MessageOutcome } from '#store/ledger/alerts/channel-messages.ts'
import { type MessageDeps, type SendResult, sendMessage } from './send-message.ts'

export type MessageAttempt = {
  due: DueMessage
  owner: string
  /** Default: rules/alerts/retry-schedule.ts. */
  wait?: typeof retryDelayMs
  /** Aborts the attempt; one without a response is not recorded. */
  signal?: AbortSignal
}

/**
 * Sends a message of a channel once, and records the outcome and the next step. Tests are never repeated.
 *
 * @returns the error for the owner of the channel; null if it was accepted
 * @throws if the outcome cannot be recorded; the message is sent again when its lease expires
 */
export async function attemptMessage(
  deps: MessageDeps,
  input: MessageAttempt,
): Promise<string | null> {
  const { due, owner, signal } = input
  const { id, channel_id } = due
  const result = await send(deps, due, signal)
  if (signal?.aborted === true && result.error !== null) return result.error
  const countsForChannel = due.kind === 'alert' && result.isServerError !== true
  const notice = {
    id: messageId(Bun.randomUUIDv7()),
    body: JSON.stringify({ kind: due.channel_kind }),
  }
  const isWritten = await deps.ledger.channelMessages.record(
    { id, channel_id, owner, now: deps.now() },
    concludeMessage(input, result),
    countsForChannel ? isExhausted : undefined,
    notice,
  )
  if (!isWritten) deps.log.warn('message lease lost', { message: id })
  return result.error
}

async function send(
  deps: MessageDeps,
  due: DueMessage,
  signal: AbortSignal | undefined,
): Promise<SendResult> {
  const { account_id, channel_kind, channel_id } = due
  const text = deps.secrets.open(due.target, targetContext(account_id, channel_kind))
  if (text === undefined) {
    deps.log.error('the address of a channel cannot be decrypted: has APP_SECRET changed?', {
      channel: channel_id,
    })
    return { error: TARGET_UNREADABLE, isServerError: true, retry_after_ms: 0 }
  }
  try {
    return await sendMessage(deps, due, JSON.parse(text) as ChannelTarget, signal) // as addChannel has stored it
  } catch (error) {
    deps.log.error('failed to send message', { message: due.id, error })
    return { error: NOT_SENT, isServerError: true, retry_after_ms: 0 }
  }
}

/** Returns where the encrypted address of a channel belongs. */
export function targetContext(accountId: number, kind: DueMessage['channel_kind']): string {
  return `channel ${accountId} ${kind}`
}

function concludeMessage(
  { due, wait = retryDelayMs }: MessageAttempt,
  { error, stops, retry_after_ms }: SendResult,
): MessageOutcome {
  if (error === null) return { kind: 'delivered' }
  if (stops !== undefined) return { kind: 'dead', error, stops }
  if (due.kind === 'test') return { kind: 'dead', error }
  const delayMs = wait(due.tries + 1, retry_after_ms, Math.random())
  return delayMs === undefined ? { kind: 'dead', error } : { kind: 'again', delayMs, error }
}

const TARGET_UNREADABLE =
  'Nothing was sent: the server can no longer decrypt the address. Add the channel again.'
const NOT_SENT = 'Nothing was sent because of a server error.'
