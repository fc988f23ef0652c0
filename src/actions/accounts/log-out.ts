import type { Deps } from '#deps.ts'
import type { Session } from '#store/ledger/sessions.ts'

/** Ends a session, or every session of its account. */
export async function logOut(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  session: Session,
  { all, address }: { all: boolean; address: string },
): Promise<void> {
  await ledger.sessions.delete(session, { all, now: now(), address })
}
