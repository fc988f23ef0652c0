import { randomBytes } from 'node:crypto'
import { createFairQueue, type FairQueue } from '#concurrency/fair-queue.ts'
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
import type { NewMailedToken, TokenPurpose } from '#store/ledger/logins/mailed-tokens.ts'
import { isKnownPlace } from './manage-sessions.ts'
import { mailLimits, tooManyAttempts } from './rate-limits.ts'

type MailDeps = Pick<Deps, 'config' | 'ledger' | 'log' | 'mailer' | 'now' | 'secrets'>

type MailRequest = { email: string; address: string }

/** Queue in which the mails of an account wait for each other, so that the newest link arrives last. */
export type LinkQueue = Pick<FairQueue<{ account: string }>, 'run'>

export function createLinkQueue(): LinkQueue {
  return createFairQueue({
    turns: ({ account }) => [account],
    limits: ({ account }) => [[account, 1]],
  })
}

/**
 * Mails a link to set a new password, if an account has the address. The account is looked up after the response, so
 * that content and time of the response do not depend on it.
 *
 * @throws ServiceError VALIDATION_ERROR, NOT_FOUND without a mail server, or TOO_MANY_ATTEMPTS
 */
export function requestPasswordReset(
  deps: MailDeps,
  queue: LinkQueue,
  request: MailRequest,
): Promise<void> {
  return requestLink(deps, queue, request, 'reset')
}

/**
 * Mails a link to confirm an address, if an account has this address unconfirmed; otherwise like
 * `requestPasswordReset`.
 */
export function requestConfirmation(
  deps: MailDeps,
  queue: LinkQueue,
  request: MailRequest,
): Promise<void> {
  return requestLink(deps, queue, request, 'confirm')
}

/**
 * Counts a request, and mails the link later. Each network has two requests of its own for an address, which count when
 * others have used up those of all: the mail is then sent only to an account that has logged in from the network. The
 * response is the same for all accounts and networks.
 */
async function requestLink(
  deps: MailDeps,
  queue: LinkQueue,
  { email, address }: MailRequest,
  purpose: TokenPurpose,
): Promise<void> {
  if (!isEmailAddress(email)) {
    throw new ServiceError('VALIDATION_ERROR', '"email" must be an e-mail address.')
  }
  if (deps.mailer === undefined) {
    throw new ServiceError('NOT_FOUND', 'This server sends no mail. Ask its operator.')
  }
  const { network, mailbox, place } = mailLimits(email, address)
  const consume = (limits: typeof place) => deps.ledger.attempts.consume(limits, deps.now())
  const isKnown = ({ id }: Credentials) => isKnownPlace(deps, id, address)
  const networkWaitMs = await consume(network)
  if (networkWaitMs !== undefined) {
    // Counted for known places only, so that a refused network adds nothing to the ledger.
    const mayMail = async (account: Credentials) =>
      (await isKnown(account)) && (await consume(place)) === undefined
    mailLater(deps, queue, { email, purpose, mayMail })
    throw tooManyAttempts(networkWaitMs)
  }
  const waitMs = await consume(mailbox)
  const placeWaitMs = await consume(place)
  if (waitMs === undefined) mailLater(deps, queue, { email, purpose })
  else if (placeWaitMs === undefined) mailLater(deps, queue, { email, purpose, mayMail: isKnown })
  else throw tooManyAttempts(waitMs)
}

/**
 * Mails a link to confirm the address of a new account, if the operator requires it. The registration has counted the
 * mail.
 */
export function mailFirstConfirmation(deps: MailDeps, queue: LinkQueue, email: string): void {
  if (deps.config.requiresConfirmedEmail) mailLater(deps, queue, { email, purpose: 'confirm' })
}

type WantedMail = {
  email: string
  purpose: TokenPurpose
  /** Returns true for an account that may get this mail; by default all may. */
  mayMail?: (account: Credentials) => Promise<boolean>
}

/** Mails a link after the response, because the response time must not reveal whether the account exists. */
function mailLater(deps: MailDeps, queue: LinkQueue, wanted: WantedMail): void {
  mailLink(deps, queue, wanted).catch((error) => {
    deps.log.error('failed to mail a link', { purpose: wanted.purpose, error })
  })
}

async function mailLink(
  deps: MailDeps,
  queue: LinkQueue,
  { email, purpose, mayMail }: WantedMail,
): Promise<void> {
  const account = await deps.ledger.accounts.getByEmail(email)
  if (account === undefined) return
  if (purpose === 'confirm' && account.email_confirmed_at !== null) return
  if (mayMail !== undefined && !(await mayMail(account))) return
  await queue.run({ account: String(account.id) }, () => sendLink(deps, account, purpose))
}

/**
 * Mails a link to the address of an account. Mails of other servers may overtake it: if two newer links have ended this
 * one by the time the mail is sent, another one follows, so that the mail that arrives last has a valid link.
 */
async function sendLink(
  deps: MailDeps,
  account: Pick<Credentials, 'id' | 'email'>,
  purpose: TokenPurpose,
): Promise<void> {
  for (let sent = 0; sent < MAILS_MAX; sent++) {
    const token = generateSessionToken((bytes) => randomBytes(bytes))
    const link = { account_id: account.id, purpose, token_hash: hashSecret(token) }
    await sendNewLink(deps, account, link, token)
    if (!(await deps.ledger.mailedTokens.isReplaced(link))) return
  }
}

/** Requests are limited, so no mail is overtaken more often. */
const MAILS_MAX = 3

async function sendNewLink(
  { config, ledger, log, mailer, now }: MailDeps,
  { email: to }: Pick<Credentials, 'email'>,
  link: Omit<NewMailedToken, 'validMs'>,
  token: string,
): Promise<void> {
  const { purpose } = link
  const [page, validMs, render] = LINKS[purpose]
  await ledger.mailedTokens.create({ ...link, validMs }, now())
  const { publicUrl } = config
  const mail = render(mailedUrl(publicUrl, page, token), new URL(publicUrl).host)
  const outcome = await mailer?.send({ id: crypto.randomUUID(), to, ...mail })
  if (outcome?.kind !== 'sent') log.warn('a mail to an account was not sent', { purpose, outcome })
}

const LINKS = {
  reset: ['reset-password', RESET_LINK_MS, renderResetMail],
  confirm: ['confirm-email', CONFIRM_LINK_MS, renderConfirmationMail],
} as const
