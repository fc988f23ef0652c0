import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from '#rules/accounts/sessions.ts'
import { DELIVERY_RETENTION_MS } from '#rules/alerts/retry-schedule.ts'
import { dayOf, MS_PER_DAY } from '#rules/primitives/days.ts'
import { USAGE_DAYS } from '../accounts/get-usage.ts'

/**
 * Forgets what nobody asks for any more: ended sessions, old usage, what photos were identified as and
 * how they were paid, what alerts were sent, the audit log of past years. Orders that nobody paid end.
 */
export async function purgeLedger({ ledger, now }: Pick<Deps, 'ledger' | 'now'>): Promise<void> {
  const time = now().getTime()
  await ledger.sessions.deleteBefore({
    createdAt: new Date(time - SESSION_LIFETIME_MS),
    lastSeenAt: new Date(time - SESSION_IDLE_MS),
  })
  const firstDay = dayOf(now()) - USAGE_DAYS + 1
  const keptSince = new Date(time - IDENTIFICATIONS_MS)
  await ledger.usage.deleteBefore(firstDay)
  await ledger.scans.deleteBefore(firstDay, keptSince)
  await ledger.identifications.deleteBefore(keptSince)
  await ledger.photoPayments.deleteBefore({
    ended: keptSince,
    released: new Date(time - RELEASED_PAYMENTS_MS),
  })
  await ledger.audit.deleteBefore(new Date(time - AUDIT_MS))
  await ledger.billing.deleteBefore(new Date(time - AUDIT_MS))
  await ledger.checkouts.markExpired(now())
  await ledger.checkouts.deleteBefore(new Date(time - AUDIT_MS))
  await forgetDeliveries(ledger, new Date(time - DELIVERY_RETENTION_MS))
}

/** There may be very many of them: others have their turn in between. */
async function forgetDeliveries({ deliveries }: Deps['ledger'], before: Date): Promise<void> {
  while ((await deliveries.deleteBefore(before, AT_ONCE)) === AT_ONCE) await nextTurn()
}

const AT_ONCE = 200

/** Identifications can be looked up, and corrected, for thirty days. */
const IDENTIFICATIONS_MS = 30 * MS_PER_DAY

/** A payment is valid for minutes: one that was released can no longer be used by then. */
const RELEASED_PAYMENTS_MS = MS_PER_DAY

/** Long enough to look into what was noticed late, and far longer than Stripe repeats an event. */
const AUDIT_MS = 400 * MS_PER_DAY
