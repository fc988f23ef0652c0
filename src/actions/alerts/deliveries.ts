import type { Deps } from '#deps.ts'
import { isTierAtLeast, lowestTier, tierName } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { MessageAttempt } from '#store/ledger/alerts/message-outcomes.ts'
import type { Message } from '#store/ledger/alerts/messages.ts'
import type { WebhookRecord } from '#store/ledger/alerts/price-rules.ts'
import { countAttempt, redeliveryLimits } from '../accounts/rate-limits.ts'
import { getWebhook } from './manage-rules.ts'

/** A message of a webhook. */
export type DeliveryWithAttempts = Message & { attempts: MessageAttempt[] }

/** Returns a delivery with its newest attempts, oldest first. */
export async function getDeliveryWithAttempts(
  { ledger }: Pick<Deps, 'ledger'>,
  delivery: Message,
): Promise<DeliveryWithAttempts> {
  return { ...delivery, attempts: await ledger.messages.listAttempts(delivery.id, ATTEMPTS_MAX) }
}

/** Twice the number of attempts per delivery, because deliveries can be repeated. */
const ATTEMPTS_MAX = 20

export type RedeliverInput = { account_id: number; webhook_id: string; delivery_id: string }

/**
 * Schedules a delivery and all its attempts again. A delivery that is being sent stays unchanged.
 *
 * @throws ServiceError NOT_FOUND; WEBHOOK_PAUSED if the webhook currently sends nothing; TOO_MANY_ATTEMPTS with the
 * time to wait
 */
export async function redeliver(
  deps: Pick<Deps, 'config' | 'ledger' | 'now'>,
  { account_id, webhook_id, delivery_id }: RedeliverInput,
): Promise<DeliveryWithAttempts> {
  const { ledger, now } = deps
  const webhook = await getWebhook(deps, { account_id, webhook_id })
  if ((await ledger.messages.get(delivery_id, webhook_id)) === undefined) throw notFound()
  const obstacle = findObstacle(webhook, deps)
  if (obstacle !== undefined) throw new ServiceError('WEBHOOK_PAUSED', obstacle)
  await countAttempt(deps, redeliveryLimits(account_id))
  await ledger.messages.markPending(delivery_id, now())
  const delivery = await ledger.messages.get(delivery_id, webhook_id)
  // The webhook was deleted in the meantime.
  if (delivery === undefined) throw notFound()
  return getDeliveryWithAttempts(deps, delivery)
}

/** Returns the reason why a webhook sends nothing at the moment, and the remedy. */
function findObstacle(
  { is_paused, disabled_for, tier }: WebhookRecord,
  { config }: Pick<Deps, 'config'>,
): string | undefined {
  const needed = lowestTier('alerts', config.accessPolicy)
  if (!isTierAtLeast(tier, needed)) {
    return `Price alerts require the ${tierName(needed)} plan. Subscribe again, then redeliver.`
  }
  if (is_paused) return 'This webhook is paused. PATCH it with {"paused": false}, then redeliver.'
  if (disabled_for === 'gone') {
    return 'This webhook is disabled because its URL answered 410 Gone. PATCH it with {"paused": false}, then redeliver.'
  }
  if (disabled_for === 'failing') {
    return 'This webhook is disabled because its URL failed for days. PATCH it with {"paused": false}, then redeliver.'
  }
  return undefined
}

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'This webhook has no such delivery.')
}
