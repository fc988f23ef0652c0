import type { Deps } from '#deps.ts'
import type {
  LoginAttempt,
  LoginProvider,
  ProviderIdentity,
} from '#outbound/accounts/login-provider.ts'
import { isEmailAddress } from '#rules/accounts/email-address.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Credentials } from '#store/ledger/accounts.ts'
import type { Session } from '#store/ledger/sessions.ts'
import { type LinkQueue, requestConfirmation } from './mail-links.ts'
import { createSession, type SessionClient } from './manage-sessions.ts'
import { countAttempt, registrationLimits } from './rate-limits.ts'

type ProviderDeps = Pick<
  Deps,
  'config' | 'ledger' | 'log' | 'loginProvider' | 'mailer' | 'now' | 'secrets'
>

/** Login attempt, stored in the browser as a sealed cookie until the provider redirects the browser back. */
export type PendingLogin = LoginAttempt & {
  /** Account to link; undefined to log in. */
  link: number | undefined
  begun_at: number
}

/**
 * Begins a login with the provider, or the link of an account to a person there.
 *
 * @param link session whose account is linked, and the address of its client; undefined to log in
 * @returns the page of the provider, and the sealed attempt
 * @throws ServiceError NOT_FOUND without a provider, LOGIN_PROVIDER_UNAVAILABLE, or as `assertConfirmed`
 */
export async function beginProviderLogin(
  deps: ProviderDeps,
  mails: LinkQueue,
  link: { session: Session; address: string } | undefined,
): Promise<{ url: string; pending: string }> {
  const provider = requireProvider(deps)
  if (link !== undefined) await assertConfirmed(deps, mails, link)
  const { url, attempt } = await provider.begin(callbackUrl(deps))
  const login = { ...attempt, link: link?.session.account_id, begun_at: deps.now().getTime() }
  const sealed = deps.secrets.seal(JSON.stringify(login), PENDING)
  return { url, pending: Buffer.from(sealed).toString('base64url') }
}

/** Returns the attempt in the browser's cookie; undefined if it is missing, expired or from another server. */
export function openPendingLogin(
  { now, secrets }: Pick<Deps, 'now' | 'secrets'>,
  pending: string | undefined,
): PendingLogin | undefined {
  const text = secrets.open(Buffer.from(pending ?? '', 'base64url'), PENDING)
  if (text === undefined) return undefined
  const login = JSON.parse(text) as PendingLogin // Only `beginProviderLogin` seals with this context.
  return now().getTime() - login.begun_at <= PENDING_MS ? login : undefined
}

/** Time within which the provider must redirect the browser back. */
export const PENDING_MS = 10 * 60_000

const PENDING = 'login with a provider'

/**
 * Logs in the person whom the provider has identified: to the linked account, or else to a new one. An account with
 * the same e-mail address is never linked: its owner has to log in with the password first.
 *
 * @returns the token of the new session
 * @throws ServiceError LOGIN_FAILED, LOGIN_PROVIDER_UNAVAILABLE, EMAIL_TAKEN, REGISTRATION_CLOSED,
 * INVITATION_REQUIRED or TOO_MANY_ATTEMPTS
 */
export async function finishProviderLogin(
  deps: ProviderDeps,
  { callback, login, client, session }: ProviderCallback,
): Promise<string> {
  const identity = await identify(deps, callback, login)
  const account =
    (await deps.ledger.identities.getAccount(identity)) ??
    (await registerPerson(deps, identity, client.address))
  const token = await createSession(deps, { account, ...client, replaces: session?.id })
  if (token === undefined) throw new ServiceError('LOGIN_FAILED', 'Your account has just changed.')
  return token
}

/** Request of a browser that the provider has redirected back. */
export type ProviderCallback = {
  callback: URL
  login: PendingLogin
  client: SessionClient
  /** Current session of the browser. */
  session: Session | undefined
}

/**
 * Links the account of a session to the person whom the provider has identified.
 *
 * @throws ServiceError LOGIN_FAILED, LOGIN_PROVIDER_UNAVAILABLE, IDENTITY_TAKEN, SESSION_REQUIRED if another account
 *   began the attempt or the session has ended, or as `assertConfirmed`
 */
export async function linkProvider(
  deps: ProviderDeps,
  mails: LinkQueue,
  { callback, login, client, session }: ProviderCallback,
): Promise<void> {
  if (session === undefined || session.account_id !== login.link) throw sessionEnded()
  await assertConfirmed(deps, mails, { session, address: client.address })
  const { email, ...key } = await identify(deps, callback, login)
  const confirmsAddress = email?.toLowerCase() === session.email.toLowerCase()
  const audit = { now: deps.now(), address: client.address }
  const outcome = await deps.ledger.identities.link(key, { session, confirmsAddress }, audit)
  if (outcome === 'linked') return
  if (outcome === 'ended') throw sessionEnded()
  throw new ServiceError(
    'IDENTITY_TAKEN',
    'This login, or this account, is already linked. Unlink the other one first.',
  )
}

function sessionEnded(): ServiceError {
  return new ServiceError('SESSION_REQUIRED', 'Log in again, and link the account then.')
}

/**
 * Requires a confirmed address if the server can send the mail that confirms it, and sends that mail: a stranger who has
 * registered the address of another person must not add a login that outlives a reset of the password.
 *
 * @throws ServiceError EMAIL_UNCONFIRMED, or TOO_MANY_ATTEMPTS after several mails
 */
async function assertConfirmed(
  deps: ProviderDeps,
  mails: LinkQueue,
  { session: { account_id, email }, address }: { session: Session; address: string },
): Promise<void> {
  if (deps.mailer === undefined) return
  const account = await deps.ledger.accounts.getById(account_id)
  if (account?.email_confirmed_at !== null) return
  await requestConfirmation(deps, mails, { email, address })
  throw new ServiceError(
    'EMAIL_UNCONFIRMED',
    `Confirm your e-mail address first: a mail with a link is on its way to ${email}. Then link the login.`,
  )
}

/**
 * Unlinks an account from the provider, if it is linked.
 *
 * @throws ServiceError PASSWORD_REQUIRED if the owner could no longer log in
 */
export async function unlinkProvider(
  { ledger, loginProvider, now }: Pick<Deps, 'ledger' | 'loginProvider' | 'now'>,
  { account_id }: Session,
  address: string,
): Promise<void> {
  const account = await ledger.accounts.getById(account_id)
  if (account?.password_hash === '') {
    throw new ServiceError(
      'PASSWORD_REQUIRED',
      'This account has no password. Set one with “Forgot password?” before you unlink it.',
    )
  }
  const { issuer } = loginProvider ?? { issuer: '' }
  await ledger.identities.unlink(account_id, issuer, { now: now(), address })
}

/** Returns the URL to which the provider redirects browsers. */
function callbackUrl({ config }: Pick<Deps, 'config'>): string {
  return `${config.publicUrl}/auth/callback`
}

function identify(
  deps: ProviderDeps,
  callback: URL,
  login: PendingLogin,
): Promise<ProviderIdentity> {
  return requireProvider(deps).finish(callback, callbackUrl(deps), login)
}

async function registerPerson(
  deps: ProviderDeps,
  { email, ...key }: ProviderIdentity,
  address: string,
): Promise<Credentials> {
  const { ledger, config, now } = deps
  if (config.registration !== 'open') {
    throw new ServiceError(
      config.registration === 'closed' ? 'REGISTRATION_CLOSED' : 'INVITATION_REQUIRED',
      'No account is linked to this login. Log in with your password, and link it on the security page.',
    )
  }
  if (email === undefined || !isEmailAddress(email)) {
    throw new ServiceError(
      'LOGIN_FAILED',
      'The login provider has not confirmed your e-mail address. Confirm it there first.',
    )
  }
  await countAttempt(deps, registrationLimits(deps, address))
  const account = await ledger.identities.register(key, email, { now: now(), address })
  if (account !== undefined) return account
  throw new ServiceError(
    'EMAIL_TAKEN',
    'An account has this e-mail address. Log in with its password, and link the provider on the security page.',
  )
}

function requireProvider({ loginProvider }: Pick<Deps, 'loginProvider'>): LoginProvider {
  if (loginProvider !== undefined) return loginProvider
  throw new ServiceError('NOT_FOUND', 'This server has no login provider. Log in with a password.')
}
