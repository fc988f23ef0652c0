import { randomBytes } from 'node:crypto'
import type { Deps } from '#deps.ts'
import {
  CONFIRM_LINK_MS,
  mailedUrl,
  RESET_LINK_MS,
  renderConfirmationMail,
  renderResetMail,
} from '#rules/accounts/account-mails.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { isEmailAddress } from '#rules/accounts/email-address.ts'
import { generateSessionToken } from '#rules/accounts/sessions.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Credentials } from '#store/ledger/accounts.ts'
import type { PasswordReset, TokenPurpose } from '#store/ledger/logins/mailed-tokens.ts'
import type { PasswordHasher } from './passwords.ts'
import { countAttempt, mailLimits } from './rate-limits.ts'
import { assertPassword } from './register-account.ts'

type MailDeps = Pick<Deps, 'config' | 'ledger' | 'log' | 'mailer' | 'now'>

type MailRequest = { email: string; address: string }

/**
 * Mails a link to set a new password, if an account has the address. The account is looked up after the response, so
 * that content and time of the response do not depend on it.
 *
 * @throws ServiceError VALIDATION_ERROR, NOT_FOUND without a mail server, or TOO_MANY_ATTEMPTS
 */
export function requestPasswordReset(deps: MailDeps, request: MailRequest): Promise<void> {
  return requestLink(deps, request, 'reset')
}

/**
 * Mails a link to confirm an address, if an account has this address unconfirmed; otherwise like
 * `requestPasswordReset`.
 */
export function requestConfirmation(deps: MailDeps, request: MailRequest): Promise<void> {
  return requestLink(deps, request, 'confirm')
}

async function requestLink(
  deps: MailDeps,
  { email, address }: MailRequest,
  purpose: TokenPurpose,
): Promise<void> {
  if (!isEmailAddress(email)) {
    throw new ServiceError('VALIDATION_ERROR', '"email" must be an e-mail address.')
  }
  if (deps.mailer === undefined) {
    throw new ServiceError('NOT_FOUND', 'This server sends no mail. Ask its operator.')
  }
  await countAttempt(deps, mailLimits(email, address))
  mailLater(deps, email, purpose)
}

/** Mails a link to confirm the address of a new account, if the operator requires it. */
export function mailFirstConfirmation(deps: MailDeps, email: string): void {
  if (deps.config.requiresConfirmedEmail) mailLater(deps, email, 'confirm')
}

/** Mails a link after the response, because the response time must not reveal whether the account exists. */
function mailLater(deps: MailDeps, email: string, purpose: TokenPurpose): void {
  mailLink(deps, email, purpose).catch((error) => {
    deps.log.error('failed to mail a link', { purpose, error })
  })
}

async function mailLink(deps: MailDeps, email: string, purpose: TokenPurpose): Promise<void> {
  const account = await deps.ledger.accounts.getByEmail(email)
  if (account === undefined) return
  if (purpose === 'confirm' && account.email_confirmed_at !== null) return
  await sendLink(deps, account, purpose)
}

/** Mails a link to the address of an account. */
async function sendLink(
  { config, ledger, log, mailer, now }: MailDeps,
  { id: account_id, email: to }: Pick<Credentials, 'id' | 'email'>,
  purpose: TokenPurpose,
): Promise<void> {
  const token = generateSessionToken((bytes) => randomBytes(bytes))
  const [page, validMs, render] = LINKS[purpose]
  const token_hash = hashSecret(token)
  await ledger.mailedTokens.create({ account_id, purpose, token_hash, validMs }, now())
  const { publicUrl } = config
  const mail = render(mailedUrl(publicUrl, page, token), new URL(publicUrl).host)
  const outcome = await mailer?.send({ id: crypto.randomUUID(), to, ...mail })
  if (outcome?.kind !== 'sent') log.warn('a mail to an account was not sent', { purpose, outcome })
}

const LINKS = {
  reset: ['reset-password', RESET_LINK_MS, renderResetMail],
  confirm: ['confirm-email', CONFIRM_LINK_MS, renderConfirmationMail],
} as const

/**
 * Sets a new password with the token of a mail, ends all sessions, and removes links to the login provider that are
 * older than the first confirmation of the address.
 *
 * @returns the account, and the number of removed links
 * @throws ServiceError VALIDATION_ERROR, LINK_INVALID, TOO_MANY_ATTEMPTS or UNAVAILABLE
 */
export async function resetPasswordByMail(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  hasher: PasswordHasher,
  { token, password, address }: { token: string; password: string; address: string },
): Promise<PasswordReset> {
  assertPassword('new_password', password)
  const hash = await hasher.hash(password)
  const audit = { now: now(), address }
  return requireLink(await ledger.mailedTokens.resetPassword(hashSecret(token), hash, audit))
}

/**
 * Confirms an e-mail address with the token of a mail.
 *
 * @returns the account
 * @throws ServiceError LINK_INVALID
 */
export async function confirmEmail(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  { token, address }: { token: string; address: string },
): Promise<Credentials> {
  const audit = { now: now(), address }
  return requireLink(await ledger.mailedTokens.confirmEmail(hashSecret(token), audit))
}

function requireLink<Used>(used: Used | undefined): Used {
  if (used !== undefined) return used
  throw new ServiceError(
    'LINK_INVALID',
    'This link has expired, was used, or was replaced by a newer one. Request another mail.',
  )
}
