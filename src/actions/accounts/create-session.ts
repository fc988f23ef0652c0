import { randomBytes } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { loginPlaceText } from '#rules/accounts/login-places.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { describeOrigin } from '#rules/accounts/session-origin.ts'
import { generateSessionToken } from '#rules/accounts/sessions.ts'
import type { Credentials } from '#store/ledger/accounts.ts'

type SessionDeps = Pick<Deps, 'ledger' | 'now' | 'secrets'>

/** Client that logs in: its IP address, and its `User-Agent` header if it sent one. */
export type SessionClient = { address: string; userAgent?: string | null | undefined }

/**
 * Creates a session of an account whose owner has been verified.
 *
 * @param begun `replaces`: previous session of the same browser, which ends
 * @returns the token; undefined if the account's password has changed since it was verified
 */
export async function createSession(
  deps: SessionDeps,
  begun: SessionClient & { account: Credentials; replaces: number | undefined },
): Promise<string | undefined> {
  const { account, address, userAgent, replaces } = begun
  const token = generateSessionToken((bytes) => randomBytes(bytes))
  const { id: account_id, password_hash } = account
  const created = await deps.ledger.sessions.create({
    ...{ account_id, password_hash, token_hash: hashSecret(token), replaces },
    ...{ now: deps.now(), address, place: loginPlace(deps, account_id, address) },
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
