import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Session } from '#store/ledger/sessions.ts'

type SessionDeps = Pick<Deps, 'ledger' | 'now'>

/** Ends the session of a browser, or every session of its account. */
export async function logOut(
  { ledger, now }: SessionDeps,
  session: Session,
  { all, address }: { all: boolean; address: string },
): Promise<void> {
  await ledger.sessions.delete(session, { all, now: now(), address })
}

/**
 * Ends one of an account's sessions.
 *
 * @throws ServiceError NOT_FOUND, also for a session of another account
 */
export async function endSession(
  { ledger, now }: SessionDeps,
  { account_id }: Session,
  { id, address }: { id: string; address: string },
): Promise<void> {
  const number = /^\d{1,15}$/.test(id) ? Number(id) : 0 // No session has the id 0.
  if (await ledger.sessions.end({ id: number, account_id }, { now: now(), address })) return
  throw new ServiceError('NOT_FOUND', 'This account has no such session. It may have ended.')
}

/** Ends all sessions of an account but one. @returns how many */
export function endOtherSessions(
  { ledger, now }: SessionDeps,
  session: Session,
  address: string,
): Promise<number> {
  return ledger.sessions.endOthers(session, { now: now(), address })
}
