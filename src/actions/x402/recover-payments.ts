import type { Deps } from '#deps.ts'
import type { PaymentSettler } from './settle-photo-payment.ts'

/** Settles what was read and not paid for, and that nobody works on: its process ended. */
export async function recoverPendingPayments(
  { ledger, log }: Pick<Deps, 'ledger' | 'log'>,
  settler: PaymentSettler,
): Promise<void> {
  const running = new Set<Promise<void>>()
  while (!settler.isClosed()) {
    const room = AT_ONCE - running.size
    const left = room > 0 ? await ledger.photoPayments.leaseAbandoned(settler.lease(), room) : []
    if (left.length > 0) log.info('photo payments taken over', { payments: left.length })
    for (const photo of left) {
      const done = settler.settle(photo).finally(() => running.delete(done))
      running.add(done)
    }
    if (running.size === 0) return
    if (left.length < room) return void (await Promise.all(running))
    await Promise.race(running)
  }
}

/** So many wait for a facilitator at a time: some of them until they are over, which is minutes. */
const AT_ONCE = 64
