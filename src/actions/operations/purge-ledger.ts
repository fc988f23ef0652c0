import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { LOGIN_PLACE_DAYS } from '#rules/accounts/login-places.ts'
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from '#rules/accounts/sessions.ts'
import { DELIVERY_RETENTION_MS } from '#rules/alerts/retry-schedule.ts'
import { dayOf, MS_PER_DAY } from '#rules/primitives/days.ts'
import { USAGE_DAYS } from '../accounts/get-usage.ts'

/**
 * Deletes records whose retention has ended: sessions, login places, usage, identifications, photo
 * payments, deliveries, billing events and the audit log. Ends checkouts that have expired.
 */
export async function purgeLedger({ ledger, now }: Pick<Deps, 'ledger' | 'now'>): Promise<void> {
  const nowMs = now().getTime()
  await ledger.sessions.deleteBefore({
    createdAt: new Date(nowMs - SESSION_LIFETIME_MS),
    lastSeenAt: new Date(nowMs - SESSION_IDLE_MS),
  })
  await purgeLoginPlaces(ledger, dayOf(now()) - LOGIN_PLACE_DAYS)
  const firstDay = dayOf(now()) - USAGE_DAYS + 1
  const deletedBefore = new Date(nowMs - IDENTIFICATIONS_MS)
  await ledger.usage.deleteBefore(firstDay)
  await ledger.scans.deleteBefore(firstDay, deletedBefore)
  await ledger.identifications.deleteBefore(deletedBefore)
  // A payment is only valid for minutes.
  const released = new Date(nowMs - MS_PER_DAY)
  await ledger.photoPayments.deleteBefore({ ended: deletedBefore, released })
  const audited = new Date(nowMs - AUDIT_MS)
  await ledger.audit.deleteBefore(audited)
  await ledger.billing.deleteBefore(audited)
  await ledger.checkouts.markExpired(now())
  await ledger.checkouts.deleteBefore(audited)
  await purgeDeliveries(ledger, new Date(nowMs - DELIVERY_RETENTION_MS))
}

async function purgeLoginPlaces({ loginPlaces }: Deps['ledger'], before: number): Promise<void> {
  while ((await loginPlaces.deleteBefore(before, BATCH_PLACES)) === BATCH_PLACES) await nextTurn()
}

/** There may be very many: yields to other requests between batches. */
async function purgeDeliveries({ deliveries }: Deps['ledger'], before: Date): Promise<void> {
  while ((await deliveries.deleteBefore(before, BATCH_DELIVERIES)) === BATCH_DELIVERIES)
    await nextTurn()
}

const BATCH_DELIVERIES = 200
const BATCH_PLACES = 500

const IDENTIFICATIONS_MS = 30 * MS_PER_DAY

/** Long enough for late investigations, and far longer than Stripe repeats an event. */
const AUDIT_MS = 400 * MS_PER_DAY
