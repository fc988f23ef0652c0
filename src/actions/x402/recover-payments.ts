import type { Deps } from '#deps.ts'
import type { Settling } from './settle-photo-payment.ts'

/** Settles what was read and not paid for, and that nobody works on: its process ended. */
export async function settleLeftPayments(
  { ledger, log }: Pick<Deps, 'ledger' | 'log'>,
  settling: Settling,
): Promise<void> {
  const running = new Set<Promise<void>>()
  while (!settling.isClosed()) {
    const room = AT_ONCE - running.size
    const left = room > 0 ? await ledger.photoPayments.takeLeft(settling.lease(), room) : []
    if (left.length > 0) log.info('photo payments taken over', { payments: left.length })
    for (const photo of left) {
      const done = settling.settle(photo).finally(() => running.delete(done))
      running.add(done)
    }
    if (running.size === 0) return
    if (left.length < room) return void (await Promise.all(running))
    await Promise.race(running)
  }
}

/** So many wait for a facilitator at a time: some of them until they are over, which is minutes. */
const AT_ONCE = 64
