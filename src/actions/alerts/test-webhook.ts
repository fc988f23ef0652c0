import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { formatAlertBody, messageId } from '#rules/alerts/alert-message.ts'
import { ATTEMPT_TIMEOUT_MS, DELIVERY_LEASE_MS } from '#rules/alerts/retry-schedule.ts'
import { describeMissing } from '#rules/pricing/price-view.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { hostOf } from '#rules/primitives/webhook-url.ts'
import type { NewTest } from '#store/ledger/deliveries.ts'
import type { WebhookRecord } from '#store/ledger/webhooks.ts'
import { countAttempt, tooManyAttempts, webhookTestLimits } from '../accounts/rate-limits.ts'
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts'
import { TEST_CONCURRENCY } from './delivery-queue.ts'
import { type DeliveryWithAttempts, getDeliveryWithAttempts } from './get-deliveries.ts'
import { getWebhook } from './manage-webhooks.ts'

/**
 * Sends an alert with the current price to a webhook, marked as a test, and waits for the outcome. Works
 * for paused and disabled webhooks, too.
 *
 * @throws ServiceError NOT_FOUND; TOO_MANY_ATTEMPTS with the time to wait
 */
export async function testWebhook(
  deps: DeliveryDeps & Pick<Deps, 'catalog' | 'config'>,
  { account_id, webhook_id }: { account_id: number; webhook_id: string },
): Promise<DeliveryWithAttempts> {
  const { deliveries } = deps.ledger
  const webhook = await getWebhook(deps, { account_id, webhook_id })
  await countAttempt(deps, webhookTestLimits(account_id))
  // An owner of its own, so that no worker leases it.
  const owner = randomUUID()
  const test = createTest(webhook, renderBody(webhook, deps), owner, deps.now())
  // A test that hangs ends with the timeout of an attempt.
  if (!(await deliveries.createTest(test, TEST_CONCURRENCY)))
    throw tooManyAttempts(ATTEMPT_TIMEOUT_MS)
  await attemptDelivery(deps, { due: { ...webhook, ...test }, owner })
  const sent = await deliveries.get(test.id, webhook_id)
  if (sent === undefined)
    throw new ServiceError('NOT_FOUND', 'This webhook was deleted during the test.')
  return getDeliveryWithAttempts(deps, sent)
}

function createTest(
  { id: webhook_id, account_id, url }: WebhookRecord,
  body: string,
  owner: string,
  now: Date,
): NewTest {
  return {
    id: messageId(Bun.randomUUIDv7()),
    webhook_id,
    account_id,
    host: hostOf(url),
    kind: 'test',
    body,
    state: 'pending',
    tries: 0,
    leaseMs: DELIVERY_LEASE_MS,
    owner,
    created_at: now.getTime(),
    ended_at: null,
  }
}

/** Uses the threshold if the price is unknown. */
function renderBody(webhook: WebhookRecord, { catalog, now }: Pick<Deps, 'catalog' | 'now'>) {
  const { card_id, threshold, currency } = webhook
  const card = catalog.webhookCards.get(webhook, dayOf(now()))
  const { card_name = `Card ${card_id}`, price } = card ?? {}
  const origin = card?.origin ?? (currency === null ? undefined : describeMissing(currency))
  return formatAlertBody({ ...webhook, card_name, price: price ?? threshold, origin }, now())
}
