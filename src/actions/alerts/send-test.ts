import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { ATTEMPT_TIMEOUT_MS } from '#outbound/webhooks/webhook-client.ts'
import { formatAlertBody, messageId } from '#rules/alerts/alert-message.ts'
import { formatChannelMessage } from '#rules/alerts/channel-message.ts'
import { DELIVERY_LEASE_MS } from '#rules/alerts/retry-schedule.ts'
import { describeMissing } from '#rules/pricing/price-view.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ChannelKey } from '#store/ledger/alerts/channels.ts'
import type { TestLimits } from '#store/ledger/alerts/messages.ts'
import type { WebhookRecord } from '#store/ledger/alerts/price-rules.ts'
import {
  channelTestLimits,
  countAttempt,
  tooManyAttempts,
  webhookTestLimits,
} from '../accounts/rate-limits.ts'
import { attemptMessage } from './attempt-message.ts'
import { type DeliveryWithAttempts, getDeliveryWithAttempts } from './deliveries.ts'
import { TEST_CONCURRENCY } from './delivery-queue.ts'
import { getChannel } from './manage-channels.ts'
import { getWebhook } from './manage-rules.ts'
import type { SendDeps } from './send-message.ts'

/**
 * Sends an alert with the current price to a webhook, marked as a test, and waits for the outcome. Works
 * for paused and disabled webhooks, too.
 *
 * @throws ServiceError NOT_FOUND; TOO_MANY_ATTEMPTS with the time to wait
 */
export async function testWebhook(
  deps: SendDeps & Pick<Deps, 'catalog'>,
  key: { account_id: number; webhook_id: string },
): Promise<DeliveryWithAttempts> {
  const webhook = await getWebhook(deps, key)
  await countAttempt(deps, webhookTestLimits(key.account_id))
  const test = { id: messageId(Bun.randomUUIDv7()), channel_id: webhook.id }
  const body = renderBody(webhook, deps)
  const sent = await sendTest(deps, { ...test, body }, TEST_CONCURRENCY)
  if (sent === undefined) {
    await getWebhook(deps, key)
    // A hanging test ends with the timeout of an attempt.
    throw tooManyAttempts(ATTEMPT_TIMEOUT_MS)
  }
  const delivery = await deps.ledger.messages.get(test.id, webhook.id)
  if (delivery === undefined)
    throw new ServiceError('NOT_FOUND', 'This webhook was deleted during the test.')
  return getDeliveryWithAttempts(deps, delivery)
}

/**
 * Sends an example of an alert to a channel and waits for the outcome. Works for paused channels, too.
 *
 * @returns the error; null if it was accepted
 * @throws ServiceError NOT_FOUND; CHANNEL_UNAVAILABLE for an address that is not confirmed; TOO_MANY_ATTEMPTS
 *   with the time to wait
 */
export async function testChannel(deps: SendDeps, key: ChannelKey): Promise<string | null> {
  const channel = await getChannel(deps, key)
  if (channel.confirmed_at === null) {
    throw new ServiceError(
      'CHANNEL_UNAVAILABLE',
      'The address is not confirmed. Open the link in the mail first.',
    )
  }
  await countAttempt(deps, channelTestLimits(key.account_id))
  const id = messageId(Bun.randomUUIDv7())
  const body = formatChannelMessage([{ id, body: JSON.stringify(EXAMPLE) }], 1)
  const sent = await sendTest(deps, { id: `${id}.${key.id}`, channel_id: key.id, body })
  if (sent === undefined) throw new ServiceError('NOT_FOUND', 'This channel was deleted.')
  return sent.error
}

/** Sends a test once, as a message that no worker leases. @returns undefined if it could not be created */
async function sendTest(
  deps: SendDeps,
  test: { id: string; channel_id: string; body: string },
  max?: TestLimits,
): Promise<{ error: string | null } | undefined> {
  const owner = randomUUID()
  const message = { ...test, kind: 'test' as const, owner }
  const due = await deps.ledger.messages.create(message, DELIVERY_LEASE_MS, deps.now(), max)
  return due && { error: await attemptMessage(deps, { due, owner }) }
}

const EXAMPLE = {
  card_id: 1,
  card_name: 'Example card',
  printing: 'Foil',
  condition: 'below',
  threshold: 5,
  current_price: 4.5,
}

/** Uses the threshold as the price if the price is unknown. */
function renderBody(webhook: WebhookRecord, { catalog, now }: Pick<Deps, 'catalog' | 'now'>) {
  const { card_id, threshold, currency } = webhook
  const card = catalog.alerts.webhookCards.get(webhook, dayOf(now()))
  const { card_name = `Card ${card_id}`, price } = card ?? {}
  const origin = card?.origin ?? (currency === null ? undefined : describeMissing(currency))
  return formatAlertBody({ ...webhook, card_name, price: price ?? threshold, origin }, now())
}
