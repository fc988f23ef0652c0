import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { SCAN_SESSIONS_MAX } from '#rules/photos/session-item.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ScanSession, ScanSessionKey } from '#store/ledger/scan-sessions/scan-sessions.ts'
import { itemValue, priceItems } from '../collections/value-items.ts'

type SessionDeps = Pick<Deps, 'catalog' | 'ledger' | 'now'>

/** A scan session with the value of its reviewed items, in cents. */
export type ValuedSession = ScanSession & {
  value: number
  /** Reviewed items without a known price, which the value does not include. */
  unpriced: number
}

/**
 * Creates a scan session, or returns the one that has the id already.
 *
 * @param id undefined: a new one
 * @param name undefined: the current day
 * @throws ServiceError TOO_MANY_SCAN_SESSIONS, or NOT_FOUND for an id that is not the account's any more
 */
export async function createScanSession(
  deps: SessionDeps,
  account_id: number,
  { id = randomUUID(), name }: { id?: string | undefined; name?: string | undefined },
): Promise<ValuedSession> {
  const { ledger, now } = deps
  const session = { id, account_id, name: name ?? `Scans of ${formatDate(dayOf(now()))}` }
  const created = await ledger.scanSessions.create(session, SCAN_SESSIONS_MAX, now())
  if (created === 'taken') throw scanSessionNotFound()
  if (created !== 'full') return addValue(deps, created)
  throw new ServiceError(
    'TOO_MANY_SCAN_SESSIONS',
    `An account can have ${SCAN_SESSIONS_MAX} scan sessions. Delete one first.`,
  )
}

/** @throws ServiceError NOT_FOUND, also for a session of another account */
export async function getScanSession(
  deps: Pick<SessionDeps, 'catalog' | 'ledger'>,
  key: ScanSessionKey,
): Promise<ValuedSession> {
  return addValue(deps, await requireScanSession(deps, key))
}

/** @throws ServiceError NOT_FOUND */
export async function requireScanSession(
  { ledger }: Pick<Deps, 'ledger'>,
  key: ScanSessionKey,
): Promise<ScanSession> {
  return requireFound(await ledger.scanSessions.get(key))
}

/** @throws ServiceError NOT_FOUND */
export async function renameScanSession(
  deps: SessionDeps,
  key: ScanSessionKey,
  name: string,
): Promise<ValuedSession> {
  return addValue(deps, requireFound(await deps.ledger.scanSessions.rename(key, name, deps.now())))
}

/** Deletes a scan session with its photos and items. @throws ServiceError NOT_FOUND */
export async function deleteScanSession(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  key: ScanSessionKey,
): Promise<ScanSession> {
  return requireFound(await ledger.scanSessions.delete(key, now()))
}

/** Values the reviewed items of a session. Requests wait only for a part of them at a time. */
async function addValue(
  { catalog, ledger }: Pick<Deps, 'catalog' | 'ledger'>,
  session: ScanSession,
): Promise<ValuedSession> {
  const copies = await ledger.sessionItems.listCopies(session.id)
  const total = { value: 0, unpriced: 0 }
  for (let start = 0; start < copies.length; start += COPIES_A_TURN) {
    if (start > 0) await nextTurn()
    for (const priced of priceItems({ catalog }, copies.slice(start, start + COPIES_A_TURN))) {
      const value = itemValue(priced)
      if (value === null) total.unpriced += priced.item.items
      else total.value += value
    }
  }
  return { ...session, ...total }
}

/** Prices of so many cards take some milliseconds. */
const COPIES_A_TURN = 200

function requireFound(session: ScanSession | undefined): ScanSession {
  if (session !== undefined) return session
  throw scanSessionNotFound()
}

/** Creates the error for a scan session that is unknown, deleted, or of another account. */
export function scanSessionNotFound(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    'This account has no such scan session. They are deleted 30 days after their last change.',
  )
}
