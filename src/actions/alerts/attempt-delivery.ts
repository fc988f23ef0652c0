import type { Deps } from '#deps.ts'
import type { AttemptOutcome } from '#outbound/webhooks/webhook-client.ts'
import { isExhausted, retryDelayMs } from '#rules/alerts/retry-schedule.ts'
import { signedHeaders } from '#rules/alerts/webhook-signature.ts'
import type { DueDelivery } from '#store/ledger/deliveries.ts'
import type { DeliveryOutcome } from '#store/ledger/delivery-outcomes.ts'

export type DeliveryDeps = Pick<Deps, 'ledger' | 'log' | 'now' | 'secrets' | 'webhookClient'>

export type AttemptInput = {
  due: Omit<DueDelivery, 'receiver_id'>
  owner: string
  /** Default: rules/alerts/retry-schedule.ts. */
  wait?: typeof retryDelayMs
  /** Aborts the attempt; one without a response is not recorded. */
  signal?: AbortSignal
}

/**
 * Sends a delivery once, and records the outcome and the next step. Tests are never repeated. Tests and
 * errors of this server do not count as failures of the webhook.
 *
 * @throws if the outcome cannot be recorded; the delivery is sent again when its lease expires
 */
export async function attemptDelivery(deps: DeliveryDeps, input: AttemptInput): Promise<void> {
  const { due, owner, signal } = input
  const at = deps.now()
  const { outcome, isServerError } = await send(deps, due, at, signal)
  if (signal?.aborted === true && outcome.error !== null) return
  const { status, error, latency_ms, answer } = outcome
  const countsForWebhook = due.kind === 'alert' && !isServerError
  const attemptRow = { delivery_id: due.id, at: at.getTime(), status, error, latency_ms, answer }
  const isWritten = await deps.ledger.deliveries.record(
    { ...attemptRow, owner, url: due.url, now: deps.now() },
    concludeDelivery(input, outcome),
    countsForWebhook ? isExhausted : undefined,
  )
  deps.log.debug('delivery sent', { delivery: due.id, webhook: due.webhook_id, status, error })
  if (!isWritten) deps.log.warn('delivery lease lost', { delivery: due.id })
}

async function send(
  deps: DeliveryDeps,
  due: AttemptInput['due'],
  at: Date,
  signal: AbortSignal | undefined,
): Promise<{ outcome: AttemptOutcome; isServerError: boolean }> {
  const { id, body, url, kind, webhook_id: webhook } = due
  const secrets = openSecrets(deps, due, at)
  if (secrets === undefined) {
    deps.log.error('a signing secret cannot be decrypted: has APP_SECRET changed?', { webhook })
    return { outcome: failedOutcome(SECRET_UNREADABLE), isServerError: true }
  }
  const headers = {
    ...signedHeaders(secrets, { id, at, body }),
    ...(kind === 'test' && { 'cardstock-test': '1' }),
  }
  try {
    const attemptOutcome = await deps.webhookClient.post({ url, headers, body }, signal)
    return { outcome: attemptOutcome, isServerError: false }
  } catch (error) {
    deps.log.error('failed to send delivery', { delivery: id, error })
    return { outcome: failedOutcome(NOT_SENT), isServerError: true }
  }
}

/** Returns the signing secrets, newest first; undefined if they cannot be decrypted. */
function openSecrets(
  { secrets }: DeliveryDeps,
  due: AttemptInput['due'],
  at: Date,
): string[] | undefined {
  const { webhook_id, secret, old_secret, old_secret_until } = due
  const newest = secrets.open(secret, webhook_id)
  if (newest === undefined) return undefined
  const isOldValid = old_secret !== null && (old_secret_until ?? 0) > at.getTime()
  const old = isOldValid ? secrets.open(old_secret, webhook_id) : undefined
  return old === undefined ? [newest] : [newest, old]
}

function concludeDelivery(
  { due, wait = retryDelayMs }: AttemptInput,
  { status, error, retry_after_ms }: AttemptOutcome,
): DeliveryOutcome {
  if (error === null) return { kind: 'delivered' }
  if (due.kind === 'test') return { kind: 'dead' }
  if (status === GONE) return { kind: 'dead', disabled_for: 'gone' }
  const delayMs = wait(due.tries + 1, retry_after_ms, Math.random())
  return delayMs === undefined ? { kind: 'dead' } : { kind: 'again', delayMs }
}

const GONE = 410

function failedOutcome(error: string): AttemptOutcome {
  return { status: null, error, latency_ms: 0, retry_after_ms: 0, answer: null }
}

const SECRET_UNREADABLE =
  'Nothing was sent: the server can no longer decrypt the signing secret. PATCH the webhook with {"rotate_secret": true} for a new one.'
const NOT_SENT = 'Nothing was sent because of a server error.'
