import { isExhausted, retryDelayMs } from '#rules/alerts/retry-schedule.ts'
import type { MessageOutcome } from '#store/ledger/alerts/message-outcomes.ts'
import type { DueMessage } from '#store/ledger/alerts/messages.ts'
import { type SendDeps, type SendResult, sendMessage } from './send-message.ts'

export type MessageAttemptInput = {
  due: DueMessage
  owner: string
  /** Wait until the next attempt; by default that of rules/alerts/retry-schedule.ts. */
  wait?: typeof retryDelayMs
  /** Aborts the attempt; one without a response is not recorded. */
  signal?: AbortSignal
}

/**
 * Sends a message once, and records the outcome and the next step. Tests are never repeated. Tests and errors of this
 * server do not count as failures of the channel.
 *
 * @returns the error for the owner of the channel; null if it was accepted
 * @throws if the outcome cannot be recorded; the message is sent again when its lease expires
 */
export async function attemptMessage(
  deps: SendDeps,
  input: MessageAttemptInput,
): Promise<string | null> {
  const { due, owner, signal } = input
  const { id, channel_id, url } = due
  const at = deps.now()
  const result = await sendMessage(deps, due, at, signal)
  const { status, error, latency_ms, answer } = result
  if (signal?.aborted === true && error !== null) return error
  const countsForChannel = due.kind === 'alert' && result.isServerError !== true
  const attempt = {
    message_id: id,
    at: at.getTime(),
    status,
    error,
    latency_ms,
    // A service may repeat the channel's address in its response, which is a secret.
    answer: due.channel_kind === 'webhook' ? answer : null,
  }
  const isWritten = await deps.ledger.messages.record(
    { ...attempt, owner, url, now: deps.now() },
    concludeMessage(input, result),
    countsForChannel ? isExhausted : undefined,
  )
  deps.log.debug('message sent', { message: id, channel: channel_id, status, error })
  if (!isWritten) deps.log.warn('message lease lost', { message: id })
  return error
}

function concludeMessage(
  { due, wait = retryDelayMs }: MessageAttemptInput,
  { error, stops, retry_after_ms }: SendResult,
): MessageOutcome {
  if (error === null) return { kind: 'delivered' }
  if (stops !== undefined) return { kind: 'dead', stops }
  if (due.kind === 'test') return { kind: 'dead' }
  const delayMs = wait(due.tries + 1, retry_after_ms, Math.random())
  return delayMs === undefined ? { kind: 'dead' } : { kind: 'again', delayMs }
}
