import type { Deps } from '#deps.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { isSessionActive, LAST_SEEN_INTERVAL_MS } from '#rules/accounts/sessions.ts'
import type { Session } from '#store/ledger/sessions.ts'

/**
 * The session of a token; undefined when it has ended, or never was one. That it was used is written
 * down every few minutes, so that a session lasts for as long as it is used.
 */
export async function authenticateSession(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  token: string,
): Promise<Session | undefined> {
  const session = await ledger.sessions.getByToken(hashSecret(token))
  if (session === undefined || !isSessionActive(session, now().getTime())) return undefined
  if (now().getTime() - session.last_seen_at >= LAST_SEEN_INTERVAL_MS) {
    await ledger.sessions.touch(session.id, now())
  }
  return session
}
