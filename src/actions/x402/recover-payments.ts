import type { Deps } from '#deps.ts'
import type { PaymentSettler } from './settle-photo-payment.ts'

/** Settles payments whose photo was read by a process that has died since. */
export async function recoverPendingPayments(
  { ledger, log }: Pick<Deps, 'ledger' | 'log'>,
  settler: PaymentSettler,
): Promise<void> {
  const running = new Set<Promise<void>>()
  while (!settler.isClosed()) {
    const room = CONCURRENT_MAX - running.size
    const batch = room > 0 ? await ledger.photoPayments.leaseAbandoned(settler.lease(), room) : []
    if (batch.length > 0) log.info('photo payments taken over', { payments: batch.length })
    for (const photo of batch) {
      const done = settler.settle(photo).finally(() => running.delete(done))
      running.add(done)
    }
    if (running.size === 0) return
    if (batch.length < room) return void (await Promise.all(running))
    await Promise.race(running)
  }
}

/** A settlement can take minutes if the facilitator does not answer. */
const CONCURRENT_MAX = 64
