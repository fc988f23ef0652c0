import type { Deps } from '#deps.ts'
import type { Delivery, DeliveryAttempt } from '#store/ledger/deliveries.ts'

export type DeliveryWithAttempts = Delivery & { attempts: DeliveryAttempt[] }

/** A message with the newest attempts at it, oldest of them first. */
export async function getDeliveryWithAttempts(
  { ledger }: Pick<Deps, 'ledger'>,
  delivery: Delivery,
): Promise<DeliveryWithAttempts> {
  return { ...delivery, attempts: await ledger.deliveries.listAttempts(delivery.id, ATTEMPTS_MAX) }
}

/** Twice as many as a message has by itself: one can be wanted again. */
const ATTEMPTS_MAX = 20
