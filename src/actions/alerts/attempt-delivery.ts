import type { Deps } from '#deps.ts'
import type { AttemptOutcome } from '#outbound/webhooks/webhook-client.ts'
import { isExhausted, retryDelayMs } from '#rules/alerts/retry-schedule.ts'
import { signedHeaders } from '#rules/alerts/webhook-signature.ts'
import type { DeliveryOutcome, DueDelivery } from '#store/ledger/deliveries.ts'

export type DeliveryDeps = Pick<Deps, 'ledger' | 'log' | 'now' | 'secrets' | 'webhookClient'>

/** A message that is ours, and how long until it is tried again. */
export type AttemptInput = {
  due: DueDelivery
  owner: string
  /** As in rules/alerts/retry-schedule.ts; a test may be quicker. */
  wait?: typeof retryDelayMs
  /** Ends the attempt: without an answer by then, it was none. */
  signal?: AbortSignal
}

/**
 * Sends a message once, and writes down what came of it and what follows. A test is never repeated, and
 * says nothing about its watch: its owner has seen the answer. Nor does what is a fault of ours.
 *
 * @throws where it cannot be written down: then the message is sent again, when nobody has it any more
 */
export async function attemptDelivery(
  deps: DeliveryDeps,
  attemptInput: AttemptInput,
): Promise<void> {
  const { due, owner, signal } = attemptInput
  const at = deps.now()
  const { outcome, isOurFault } = await outcomeOf(deps, due, at, signal)
  if (signal?.aborted === true && outcome.error !== null) return
  const { status, error, latency_ms, answer } = outcome
  const says = due.kind === 'alert' && !isOurFault
  const made = { delivery_id: due.id, at: at.getTime(), status, error, latency_ms, answer }
  const isWritten = await deps.ledger.deliveries.record(
    { ...made, owner, url: due.url },
    conclusionOf(attemptInput, outcome, deps.now()),
    says ? (failures, since) => isExhausted(failures, since, at.getTime()) : undefined,
  )
  deps.log.debug('message sent', { message: due.id, watch: due.webhook_id, status, error })
  if (!isWritten) deps.log.warn('message was no longer ours', { message: due.id })
}

type Made = { outcome: AttemptOutcome; isOurFault: boolean }

async function outcomeOf(
  deps: DeliveryDeps,
  dueDelivery: DueDelivery,
  at: Date,
  signal: AbortSignal | undefined,
): Promise<Made> {
  const secrets = secretsOf(deps, dueDelivery, at)
  if (secrets === undefined) {
    deps.log.error('a signing secret cannot be opened: is APP_SECRET another one than before?', {
      watch: dueDelivery.webhook_id,
    })
    return { outcome: failed(SECRET_UNREADABLE), isOurFault: true }
  }
  const { id, body, url, kind } = dueDelivery
  const headers = {
    ...signedHeaders(secrets, { id, at, body }),
    ...(kind === 'test' && { 'cardstock-test': '1' }),
  }
  try {
    const attemptOutcome = await deps.webhookClient.post({ url, headers, body }, signal)
    return { outcome: attemptOutcome, isOurFault: false }
  } catch (error) {
    deps.log.error('message could not be sent', { message: id, error })
    return { outcome: failed(NOT_SENT), isOurFault: true }
  }
}

/** What to sign with, the newest first; undefined where it cannot be read. */
function secretsOf(
  { secrets }: DeliveryDeps,
  dueDelivery: DueDelivery,
  at: Date,
): string[] | undefined {
  const { webhook_id, secret, old_secret, old_secret_until } = dueDelivery
  const newest = secrets.open(secret, webhook_id)
  if (newest === undefined) return undefined
  const isOldValid = old_secret !== null && (old_secret_until ?? 0) > at.getTime()
  const old = isOldValid ? secrets.open(old_secret, webhook_id) : undefined
  return old === undefined ? [newest] : [newest, old]
}

function conclusionOf(
  { due, wait = retryDelayMs }: AttemptInput,
  { status, error, retry_after_ms }: AttemptOutcome,
  now: Date,
): DeliveryOutcome {
  if (error === null) return { kind: 'delivered' }
  if (due.kind === 'test') return { kind: 'dead' }
  if (status === GONE) return { kind: 'dead', disabled_for: 'gone' }
  const ms = wait(due.tries + 1, retry_after_ms, Math.random())
  if (ms === undefined) return { kind: 'dead' }
  return { kind: 'again', next_at: new Date(now.getTime() + ms) }
}

const GONE = 410

function failed(error: string): AttemptOutcome {
  return { status: null, error, latency_ms: 0, retry_after_ms: 0, answer: null }
}

const SECRET_UNREADABLE =
  'Nothing was sent: the signing secret can no longer be read here. PATCH the watch with {"rotate_secret": true} for a new one.'
const NOT_SENT = 'Nothing was sent, by a fault of ours.'
