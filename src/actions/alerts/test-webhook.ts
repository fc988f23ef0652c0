import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { alertBody, messageId } from '#rules/alerts/alert-message.ts'
import { TEST_LIMITS } from '#rules/alerts/delivery-concurrency.ts'
import { ATTEMPT_MS_MAX, HELD_MS } from '#rules/alerts/retry-schedule.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { hostOf } from '#rules/primitives/webhook-url.ts'
import type { Delivery } from '#store/ledger/deliveries.ts'
import type { WebhookRow } from '#store/ledger/webhooks.ts'
import { countAttempt, tooManyAttempts, webhookTestLimits } from '../accounts/rate-limits.ts'
import { type AttemptDeps, attemptDelivery } from './attempt-delivery.ts'
import { type DeliveryWithAttempts, deliveryWithAttempts } from './get-deliveries.ts'
import { watchOf } from './manage-webhooks.ts'

/**
 * Sends a watch's address an alert as it would be now, marked as a test, once, and waits for what comes
 * of it. A watch that is paused or disabled can be tested, too.
 *
 * @throws ServiceError NOT_FOUND; TOO_MANY_ATTEMPTS that says how long to wait
 */
export async function testWebhook(
  deps: AttemptDeps & Pick<Deps, 'catalog' | 'config'>,
  { account_id, webhook_id }: { account_id: number; webhook_id: string },
): Promise<DeliveryWithAttempts> {
  const { deliveries } = deps.ledger
  const webhook = await watchOf(deps, { account_id, webhook_id })
  await countAttempt(deps, webhookTestLimits(account_id))
  // A name for this one test: nobody else takes it while it is being sent.
  const owner = randomUUID()
  const test = testOf(webhook, bodyOf(webhook, deps), owner, deps.now())
  // One that hangs takes as long as an attempt may.
  if (!(await deliveries.addTest(test, TEST_LIMITS))) throw tooManyAttempts(ATTEMPT_MS_MAX)
  await attemptDelivery(deps, { due: { ...webhook, ...test }, owner })
  const sent = await deliveries.find(test.id, webhook_id)
  // The watch was deleted meanwhile, and its messages with it.
  if (sent === undefined) throw new ServiceError('NOT_FOUND', 'This watch was deleted meanwhile.')
  return deliveryWithAttempts(deps, sent)
}

function testOf(
  { id: webhook_id, account_id, url }: WebhookRow,
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
    next_at: now.getTime() + HELD_MS,
    owner,
    created_at: now.getTime(),
    ended_at: null,
  }
}

/** Where the price is not known the threshold stands for it. */
function bodyOf(webhook: WebhookRow, { catalog, now }: Pick<Deps, 'catalog' | 'now'>): string {
  const { card_id, threshold } = webhook
  const { card_name = `Card ${card_id}`, price } = catalog.watchedCards.find(webhook) ?? {}
  return alertBody({ ...webhook, card_name, price: price ?? threshold }, now())
}
