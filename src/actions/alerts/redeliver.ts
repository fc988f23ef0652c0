import type { Deps } from '#deps.ts'
import { isTierAtLeast, lowestTier, tierName } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { WebhookRecord } from '#store/ledger/webhooks.ts'
import { countAttempt, redeliveryLimits } from '../accounts/rate-limits.ts'
import { type DeliveryWithAttempts, getDeliveryWithAttempts } from './get-deliveries.ts'
import { getWebhook } from './manage-webhooks.ts'

export type RedeliverInput = { account_id: number; webhook_id: string; delivery_id: string }

/**
 * Has a message sent once more, with all its attempts, whatever became of it; one that is being sent
 * right now stays as it is.
 *
 * @throws ServiceError NOT_FOUND; WEBHOOK_PAUSED where nothing is sent to the watch's address now;
 *   TOO_MANY_ATTEMPTS that says how long to wait
 */
export async function redeliver(
  deps: Pick<Deps, 'config' | 'ledger' | 'now'>,
  { account_id, webhook_id, delivery_id }: RedeliverInput,
): Promise<DeliveryWithAttempts> {
  const { ledger, now } = deps
  const webhook = await getWebhook(deps, { account_id, webhook_id })
  if ((await ledger.deliveries.get(delivery_id, webhook_id)) === undefined) throw notFound()
  const obstacle = obstacleOf(webhook, deps)
  if (obstacle !== undefined) throw new ServiceError('WEBHOOK_PAUSED', obstacle)
  await countAttempt(deps, redeliveryLimits(account_id))
  await ledger.deliveries.markPending(delivery_id, now())
  const delivery = await ledger.deliveries.get(delivery_id, webhook_id)
  // Its watch was deleted meanwhile.
  if (delivery === undefined) throw notFound()
  return getDeliveryWithAttempts(deps, delivery)
}

/** Why a watch tells nothing now, and what to do about it. */
function obstacleOf(
  { is_paused, disabled_for, tier }: WebhookRecord,
  { config }: Pick<Deps, 'config'>,
): string | undefined {
  const needed = lowestTier('alerts', config.accessPolicy)
  if (!isTierAtLeast(tier, needed)) {
    return `Price alerts need the ${tierName(needed)} subscription: subscribe again, then send this.`
  }
  if (is_paused)
    return 'This watch is paused: PATCH it with {"paused": false}, then send this again.'
  if (disabled_for === 'gone') {
    return 'This watch is disabled, as its address answered 410 Gone: PATCH it with {"paused": false}, then send this again.'
  }
  if (disabled_for === 'failing') {
    return 'This watch is disabled, as its address failed for days: PATCH it with {"paused": false}, then send this again.'
  }
  return undefined
}

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such delivery of this watch.')
}
