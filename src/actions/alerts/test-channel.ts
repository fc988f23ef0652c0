import { randomUUID } from 'node:crypto'
import { messageId } from '#rules/alerts/alert-message.ts'
import { formatChannelMessage } from '#rules/alerts/channel-message.ts'
import { DELIVERY_LEASE_MS } from '#rules/alerts/retry-schedule.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ChannelKey } from '#store/ledger/alerts/channels.ts'
import { channelTestLimits, countAttempt } from '../accounts/rate-limits.ts'
import { attemptMessage } from './attempt-message.ts'
import { getChannel } from './manage-channels.ts'
import type { MessageDeps } from './send-message.ts'

/**
 * Sends an example of an alert to a channel and waits for the outcome. Works for paused channels, too.
 *
 * @returns the error; null if it was accepted
 * @throws ServiceError NOT_FOUND; CHANNEL_UNAVAILABLE for an address that is not confirmed; TOO_MANY_ATTEMPTS
 *   with the time to wait
 */
export async function testChannel(deps: MessageDeps, key: ChannelKey): Promise<string | null> {
  const channel = await getChannel(deps, key)
  if (channel.confirmed_at === null) {
    throw new ServiceError(
      'CHANNEL_UNAVAILABLE',
      'The address is not confirmed. Open the link in the mail first.',
    )
  }
  await countAttempt(deps, channelTestLimits(key.account_id))
  const id = messageId(Bun.randomUUIDv7())
  // An owner of its own, so that no worker leases it.
  const owner = randomUUID()
  const body = formatChannelMessage([{ id, body: JSON.stringify(EXAMPLE) }], 1)
  const test = { id: `${id}.${key.id}`, channel_id: key.id, kind: 'test' as const, body, owner }
  const due = await deps.ledger.channelMessages.create(test, DELIVERY_LEASE_MS, deps.now())
  if (due === undefined) throw new ServiceError('NOT_FOUND', 'This channel was deleted.')
  return attemptMessage(deps, { due, owner })
}

const EXAMPLE = {
  ...{ card_id: 1, card_name: 'Example card', printing: 'Foil', condition: 'below' },
  ...{ threshold: 5, current_price: 4.5 },
}
