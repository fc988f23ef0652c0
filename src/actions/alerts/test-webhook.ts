import { randomUUID } from 'node:crypto'
import { TEST_CONCURRENCY } from '#actions/alerts/delivery-concurrency.ts'
import type { Deps } from '#deps.ts'
import { formatAlertBody, messageId } from '#rules/alerts/alert-message.ts'
import { ATTEMPT_TIMEOUT_MS, DELIVERY_LEASE_MS } from '#rules/alerts/retry-schedule.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { hostOf } from '#rules/primitives/webhook-url.ts'
import type { Delivery } from '#store/ledger/deliveries.ts'
import type { WebhookRecord } from '#store/ledger/webhooks.ts'
import { countAttempt, tooManyAttempts, webhookTestLimits } from '../accounts/rate-limits.ts'
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts'
import { type DeliveryWithAttempts, getDeliveryWithAttempts } from './get-deliveries.ts'
import { getWebhook } from './manage-webhooks.ts'

/**
 * Sends a watch's address an alert as it would be now, marked as a test, once, and waits for what comes
 * of it. A watch that is paused or disabled can be tested, too.
 *
 * @throws ServiceError NOT_FOUND; TOO_MANY_ATTEMPTS that says how long to wait
 */
export async function testWebhook(
  deps: DeliveryDeps & Pick<Deps, 'catalog' | 'config'>,
  { account_id, webhook_id }: { account_id: number; webhook_id: string },
): Promise<DeliveryWithAttempts> {
  const { deliveries } = deps.ledger
  const webhook = await getWebhook(deps, { account_id, webhook_id })
  await countAttempt(deps, webhookTestLimits(account_id))
  // A name for this one test: nobody else takes it while it is being sent.
  const owner = randomUUID()
  const test = testOf(webhook, bodyOf(webhook, deps), owner, deps.now())
  // One that hangs takes as long as an attempt may.
  if (!(await deliveries.createTest(test, TEST_CONCURRENCY)))
    throw tooManyAttempts(ATTEMPT_TIMEOUT_MS)
  await attemptDelivery(deps, { due: { ...webhook, ...test }, owner })
  const sent = await deliveries.get(test.id, webhook_id)
  // The watch was deleted meanwhile, and its messages with it.
  if (sent === undefined) throw new ServiceError('NOT_FOUND', 'This watch was deleted meanwhile.')
  return getDeliveryWithAttempts(deps, sent)
}

function testOf(
  { id: webhook_id, account_id, url }: WebhookRecord,
  body: string,
  owner: string,
  now: Date,
): Delivery {
  return {
    id: messageId(Bun.randomUUIDv7()),
    webhook_id,
    account_id,
    host: hostOf(url),
    kind: 'test',
    body,
    state: 'pending',
    tries: 0,
    next_at: now.getTime() + DELIVERY_LEASE_MS,
    owner,
    created_at: now.getTime(),
    ended_at: null,
  }
}

/** Where the price is not known the threshold stands for it. */
function bodyOf(webhook: WebhookRecord, { catalog, now }: Pick<Deps, 'catalog' | 'now'>): string {
  const { card_id, threshold } = webhook
  const { card_name = `Card ${card_id}`, price } = catalog.webhookCards.get(webhook) ?? {}
  return formatAlertBody({ ...webhook, card_name, price: price ?? threshold }, now())
}
