import type { Deps } from '#deps.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { LAST_SEEN_INTERVAL_MS } from '#rules/accounts/sessions.ts'
import { effectiveTier } from '#rules/accounts/tiers.ts'
import type { Session } from '#store/ledger/sessions.ts'

/** Account that is logged in. */
export type SessionPrincipal = Session & { kind: 'session' }

/**
 * Returns the session of a token, and records its use every few minutes to extend it.
 *
 * @returns undefined if the token is unknown or its session has expired
 */
export async function authenticateSession(
  {
    config,
    ledger,
    now,
  }: Pick<Deps, 'ledger' | 'now'> & { config: Pick<Deps['config'], 'hasLimits'> },
  token: string,
): Promise<SessionPrincipal | undefined> {
  const session = await ledger.sessions.getByToken(hashSecret(token), now())
  if (session === undefined) return undefined
  if (session.found_at - session.last_seen_at >= LAST_SEEN_INTERVAL_MS) {
    await ledger.sessions.touch(session.id, now())
  }
  const tier = effectiveTier(session.tier, config.hasLimits)
  return { ...session, kind: 'session', tier }
}
