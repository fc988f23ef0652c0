import { randomBytes } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { describeOrigin } from '#rules/accounts/session-origin.ts'
import {
  generateSessionToken,
  LAST_SEEN_INTERVAL_MS,
  loginPlaceText,
} from '#rules/accounts/sessions.ts'
import { accountLimits } from '#rules/accounts/tiers.ts'
import { LOGIN_PLACE_MS } from '#rules/operations/retention.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Credentials } from '#store/ledger/accounts.ts'
import type { Session } from '#store/ledger/sessions.ts'

type SessionDeps = Pick<Deps, 'ledger' | 'now'>

/** Client that logs in: its IP address, and its `User-Agent` header if it sent one. */
export type SessionClient = { address: string; userAgent?: string | null | undefined }

/**
 * Creates a session for an account whose owner has been verified.
 *
 * @param begun `replaces`: previous session of the same browser, which ends
 * @returns the token; undefined if the account's password has changed since it was verified
 */
export async function createSession(
  deps: SessionDeps & Pick<Deps, 'secrets'>,
  begun: SessionClient & { account: Credentials; replaces: number | undefined },
): Promise<string | undefined> {
  const { account, address, userAgent, replaces } = begun
  const token = generateSessionToken((bytes) => randomBytes(bytes))
  const { id: account_id, password_hash } = account
  const created = await deps.ledger.sessions.create({
    account_id,
    password_hash,
    token_hash: hashSecret(token),
    replaces,
    now: deps.now(),
    address,
    place: loginPlace(deps, account_id, address),
    origin: describeOrigin(address, userAgent ?? ''),
  })
  return created ? token : undefined
}

/** Returns the stored form of a network from which an account logs in. */
export function loginPlace(
  { secrets }: Pick<Deps, 'secrets'>,
  accountId: number,
  address: string,
): Uint8Array {
  return secrets.hash(loginPlaceText(accountId, clientNetwork(address)))
}

/** Checks whether the account has logged in from the client's network before. */
export function isKnownPlace(
  deps: SessionDeps & Pick<Deps, 'secrets'>,
  accountId: number,
  address: string,
): Promise<boolean> {
  const place = loginPlace(deps, accountId, address)
  const since = new Date(deps.now().getTime() - LOGIN_PLACE_MS)
  return deps.ledger.loginPlaces.has(accountId, place, since)
}

/** Account that is logged in. */
export type SessionPrincipal = Session & { kind: 'session'; is_unlimited: boolean }

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
  return { ...session, kind: 'session', ...accountLimits(session, config.hasLimits) }
}

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

/** Ends all sessions of an account except one. @returns their number */
export function endOtherSessions(
  { ledger, now }: SessionDeps,
  session: Session,
  address: string,
): Promise<number> {
  return ledger.sessions.endOthers(session, { now: now(), address })
}
