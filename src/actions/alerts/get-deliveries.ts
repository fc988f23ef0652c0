import type { Deps } from '#deps.ts'
import type { Delivery } from '#store/ledger/deliveries.ts'
import type { DeliveryAttempt } from '#store/ledger/delivery-outcomes.ts'

export type DeliveryWithAttempts = Delivery & { attempts: DeliveryAttempt[] }

/** Returns a delivery with its newest attempts, oldest first. */
export async function getDeliveryWithAttempts(
  { ledger }: Pick<Deps, 'ledger'>,
  delivery: Delivery,
): Promise<DeliveryWithAttempts> {
  return { ...delivery, attempts: await ledger.deliveries.listAttempts(delivery.id, ATTEMPTS_MAX) }
}

/** Twice the attempts of one delivery, which can be redelivered. */
const ATTEMPTS_MAX = 20
