import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { IDLE_MS, LIFETIME_MS } from '#rules/accounts/sessions.ts'
import { KEPT_MS } from '#rules/alerts/retry-schedule.ts'
import { dayOf, MS_A_DAY } from '#rules/primitives/days.ts'
import { USAGE_DAYS } from '../accounts/get-usage.ts'

/**
 * Forgets what nobody asks for any more: ended sessions, old usage, what photos were identified as and
 * how they were paid, what alerts were sent, the audit log of past years. Orders that nobody paid end.
 */
export async function tidyLedger({ ledger, now }: Pick<Deps, 'ledger' | 'now'>): Promise<void> {
  const time = now().getTime()
  await ledger.sessions.forgetBefore({
    createdAt: new Date(time - LIFETIME_MS),
    lastSeenAt: new Date(time - IDLE_MS),
  })
  const firstDay = dayOf(now()) - USAGE_DAYS + 1
  const keptSince = new Date(time - IDENTIFICATIONS_MS)
  await ledger.usage.forgetBefore(firstDay)
  await ledger.scans.forgetBefore(firstDay, keptSince)
  await ledger.identifications.forgetBefore(keptSince)
  await ledger.photoPayments.forgetBefore({
    ended: keptSince,
    released: new Date(time - RELEASED_PAYMENTS_MS),
  })
  await ledger.audit.forgetBefore(new Date(time - AUDIT_MS))
  await ledger.billing.forgetBefore(new Date(time - AUDIT_MS))
  await ledger.checkouts.markExpired(now())
  await ledger.checkouts.forgetBefore(new Date(time - AUDIT_MS))
  await forgetDeliveries(ledger, new Date(time - KEPT_MS))
}

/** There may be very many of them: others have their turn in between. */
async function forgetDeliveries({ deliveries }: Deps['ledger'], before: Date): Promise<void> {
  while ((await deliveries.forgetBefore(before, AT_ONCE)) === AT_ONCE) await nextTurn()
}

const AT_ONCE = 200

/** Identifications can be looked up, and corrected, for thirty days. */
const IDENTIFICATIONS_MS = 30 * MS_A_DAY

/** A payment is valid for minutes: one that was released can no longer be used by then. */
const RELEASED_PAYMENTS_MS = MS_A_DAY

/** Long enough to look into what was noticed late, and far longer than Stripe repeats an event. */
const AUDIT_MS = 400 * MS_A_DAY
