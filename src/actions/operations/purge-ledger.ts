import type { Deps } from '#deps.ts'
import {
  AUDIT_RETENTION_MS,
  DELIVERY_RETENTION_MS,
  IDENTIFICATION_DAYS,
  LOGIN_PLACE_MS,
  USAGE_DAYS,
} from '#rules/operations/retention.ts'
import { SCAN_SESSION_MS } from '#rules/photos/session-item.ts'
import { dayOf, MS_PER_DAY } from '#rules/primitives/days.ts'

/**
 * Deletes records whose retention has ended: sessions, login places, usage, identifications, photo
 * payments, messages of alerts, notifications, scan sessions, drafts of imports, deleted lists, billing events, the audit log and shared counts of visitors. Ends checkouts that have expired.
 *
 * Works in batches with pauses, because there may be millions of records, and other writers wait while a
 * batch runs. The server calls it in a thread, which also moves the write-ahead log into the file.
 */
export async function purgeLedger({ ledger, now }: Pick<Deps, 'ledger' | 'now'>): Promise<void> {
  const time = now()
  const before = (ms: number) => new Date(time.getTime() - ms)
  const firstDay = dayOf(time) - USAGE_DAYS + 1
  // Another server's clock may not have reached today.
  const yesterday = dayOf(time) - 1
  const placesUsed = before(LOGIN_PLACE_MS)
  const identified = before(IDENTIFICATION_DAYS * MS_PER_DAY)
  // A payment is only valid for minutes.
  const payments = { ended: identified, released: before(MS_PER_DAY) }
  const audited = before(AUDIT_RETENTION_MS)
  const delivered = before(DELIVERY_RETENTION_MS)
  await repeatRecentDeletions(ledger, time)
  await inBatches((limit) => ledger.sessions.deleteExpired(time, limit))
  await inBatches((limit) => ledger.mailedTokens.deleteExpired(time, limit))
  await inBatches((limit) => ledger.loginPlaces.deleteBefore(placesUsed, limit))
  await inBatches((limit) => ledger.usage.deleteBefore(firstDay, limit))
  await inBatches((limit) => ledger.scans.deleteBefore(firstDay, identified, limit))
  await inBatches((limit) => ledger.identifications.deleteBefore(identified, limit))
  await inBatches((limit) => ledger.photoPayments.deleteBefore(payments, limit))
  await inBatches((limit) => ledger.audit.deleteBefore(audited, limit))
  await inBatches((limit) => ledger.billing.deleteBefore(audited, limit))
  await inBatches((limit) => ledger.checkouts.markExpired(time, limit))
  await inBatches((limit) => ledger.checkouts.deleteBefore(audited, limit))
  await inBatches((limit) => ledger.notifications.deleteBefore(delivered, limit))
  await inBatches((limit) => ledger.messages.deleteBefore(delivered, limit))
  await inBatches((limit) => ledger.lists.expireScanSessions(before(SCAN_SESSION_MS), limit, time))
  await inBatches((limit) => ledger.importDrafts.purge(limit, time))
  await inBatches((limit) => ledger.lists.purge(limit))
  await inBatches((limit) => ledger.dailyCounts.deleteBefore(yesterday, limit))
  await inBatches((limit) => ledger.forgetOperations(limit))
}

/** Deletes data that was added by requests running during the deletion of their account. */
async function repeatRecentDeletions(ledger: Deps['ledger'], now: Date): Promise<void> {
  const since = new Date(now.getTime() - MS_PER_DAY)
  const recent = await ledger.accountDeletions.listSince(since)
  for (const account of recent) await ledger.accountDeletions.erase(account, now)
}

/**
 * Runs batches until one changes nothing. Their size adapts to the disk, because the server's main thread is blocked
 * while it waits for a batch.
 */
async function inBatches(change: (limit: number) => Promise<number>): Promise<void> {
  for (let limit = FIRST_BATCH; ; ) {
    const started = performance.now()
    if ((await change(limit)) === 0) return
    const fitting = (limit * BATCH_MS) / (performance.now() - started)
    limit = Math.max(1, Math.floor(Math.min(fitting, 2 * limit, BATCH_MAX)))
    await Bun.sleep(PAUSE_MS)
  }
}

/** SQLite checks for the end of a batch after 1, 3 and 8 ms, so a writer waits little longer than this. */
const BATCH_MS = 2

const FIRST_BATCH = 10
const BATCH_MAX = 200

/** Longer than a batch, so that a waiting writer runs before the next batch. */
const PAUSE_MS = 5
