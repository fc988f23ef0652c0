import type { Deps } from '#deps.ts'
import type { Settling } from './settle-photo-payment.ts'

/** Settles what was read and not paid for, and that nobody works on: its process ended. */
export async function settleLeftPayments(
  { ledger, log }: Pick<Deps, 'ledger' | 'log'>,
  settling: Settling,
): Promise<void> {
  for (;;) {
    const left = await ledger.photoPayments.takeLeft(settling.lease(), AT_ONCE)
    if (left.length === 0) return
    log.info('photo payments taken over', { payments: left.length })
    await Promise.all(left.map((photo) => settling.settle(photo)))
  }
}

/** So many wait for a facilitator at a time. */
const AT_ONCE = 8
