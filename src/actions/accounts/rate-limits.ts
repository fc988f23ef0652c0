import type { Deps } from '#deps.ts'
import { listNetworks, NETWORK_SHARES } from '#rules/accounts/client-networks.ts'
import { mailboxOf } from '#rules/accounts/email-address.ts'
import {
  ATTEMPT_WINDOW_MS,
  type AttemptLimits,
  clientNetwork,
  evenPace,
  hashAddress,
  loginNamePrefix,
  withWholeSteps,
} from '#rules/accounts/rate-limit.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { LimitedAction } from '#store/ledger/attempts.ts'

type AttemptDeps = Pick<Deps, 'ledger' | 'config' | 'now'>

/** Limits of a login. All of them count wrong passwords only. */
export type LoginLimits = {
  /** Per e-mail and client network; empty if disabled. */
  place: LimitedAction[]
  /** Per client network; empty if disabled. */
  network: LimitedAction[]
  /**
   * Passwords that are checked before their turn, per e-mail and client network. Separate from `place`, so that
   * nothing that others can observe depends on it.
   */
  early: LimitedAction[]
  /** Turns of all unknown networks, per e-mail; undefined if disabled. */
  pace: LimitedAction | undefined
  /**
   * Earlier failures of an unknown network and of the larger networks that contain it, per e-mail. They only decide
   * the order of attempts.
   */
  history: LimitedAction[]
}

/** Returns the limits of a login to an account, existing or not. */
export function loginLimits({ config }: AttemptDeps, email: string, address: string): LoginLimits {
  // Only a hash is stored, because people type passwords into the e-mail field.
  const login = loginNamePrefix(email)
  const networks = listNetworks(address)
  const place = networks[0].key
  const { attemptLimits } = config
  const { loginEmail } = attemptLimits
  // A turn must come while people are still waiting, even if the operator chose a low limit.
  const interval = Math.min(ATTEMPT_WINDOW_MS.loginEmail / loginEmail, LOGIN_WAIT_MAX_MS)
  return {
    place: limitsOf(attemptLimits, { loginEmailIp: `${login}from ${place}` }),
    network: limitsOf(attemptLimits, { loginIp: `login from ${place}` }),
    early: limitsOf(attemptLimits, { loginEmailIp: `${login}early from ${place}` }),
    pace:
      loginEmail === 0
        ? undefined
        : { name: `${login}in turn`, limit: evenPace(interval, LOGIN_WAIT_MAX_MS) },
    history: networks
      .filter(({ width }) => width !== 'home')
      .map(({ key }) => ({ name: `${login}failed from ${key}`, limit: FAILURE_HISTORY })),
  }
}

/** Maximum time that a login from an unknown network waits for its turn. */
export const LOGIN_WAIT_MAX_MS = 10_000

/** Remembers up to 24 failures, each for an hour. */
const FAILURE_HISTORY = { limit: 24, windowMs: 24 * 3_600_000 }

export function registrationLimits({ config }: AttemptDeps, address: string): LimitedAction[] {
  return limitsOf(config.attemptLimits, { registerIp: `register from ${clientNetwork(address)}` })
}

/** Allows more mistyped links than people open, and few enough for the ledger. */
export function linkLimits(address: string): LimitedAction[] {
  return [
    { name: `link from ${clientNetwork(address)}`, limit: { limit: 60, windowMs: 3_600_000 } },
  ]
}

/** Limits of mails with a link, in an hour. They are counted even if no account exists. */
export type MailLimits = {
  /** Per client network. */
  network: LimitedAction[]
  /** Per mailbox, requested from anywhere. */
  mailbox: LimitedAction[]
  /** Per mailbox and client network. */
  place: LimitedAction[]
}

/** Returns the limits of mails to an address, however it is spelled. */
export function mailLimits(email: string, address: string): MailLimits {
  // Not a name of the account, so that mails still count after the account was deleted.
  const mail = `mail to ${hashAddress(mailboxOf(email))}`
  const network = clientNetwork(address)
  const anHour = (name: string, limit: number) => [{ name, limit: { limit, windowMs: 3_600_000 } }]
  return {
    network: anHour(`mail for ${network}`, 30),
    mailbox: anHour(mail, 5),
    place: anHour(`${mail} from ${network}`, 2),
  }
}

/** Returns the limits of the mail that confirms the address of a new account; none if it is not required. */
export function firstMailLimits(
  { config }: Pick<Deps, 'config'>,
  email: string,
  address: string,
): LimitedAction[] {
  if (!config.requiresConfirmedEmail) return []
  const { network, mailbox } = mailLimits(email, address)
  return [...network, ...mailbox]
}

/**
 * Returns the limits of trials: per client network, with twice as many per IPv6 /56, and four times as many per IPv4
 * /24 or IPv6 /48.
 */
export function trialLimits({ config }: Pick<Deps, 'config'>, address: string): LimitedAction[] {
  const { trialIp } = config.attemptLimits
  if (trialIp === 0) return []
  return listNetworks(address).flatMap(({ key, width }) =>
    width === 'provider'
      ? []
      : {
          name: `trial from ${key}`,
          limit: withWholeSteps({
            limit: trialIp * NETWORK_SHARES[width],
            windowMs: ATTEMPT_WINDOW_MS.trialIp,
          }),
        },
  )
}

/**
 * Limits of readers of shared collections: two pages a second per client network, with as many more for larger networks
 * as `trialLimits` has.
 */
export function sharedLimits(address: string): LimitedAction[] {
  return listNetworks(address).flatMap(({ key, width }) =>
    width === 'provider'
      ? []
      : {
          name: `shared for ${key}`,
          limit: { limit: SHARED_PAGES_A_MINUTE * NETWORK_SHARES[width], windowMs: 60_000 },
        },
  )
}

const SHARED_PAGES_A_MINUTE = 120

/** Allows more checkouts than people need, and few enough for Stripe. */
export function checkoutLimits(accountId: number): LimitedAction[] {
  return [{ name: `checkout ${accountId}`, limit: { limit: 60, windowMs: 3_600_000 } }]
}

/** Each test sends a request to a URL of the account's choice, and is kept for a month. */
export function webhookTestLimits(accountId: number): LimitedAction[] {
  return [
    { name: `webhook test ${accountId}`, limit: { limit: 10, windowMs: 60_000 } },
    { name: `webhook tests a day ${accountId}`, limit: { limit: 100, windowMs: 86_400_000 } },
  ]
}

/** Each redelivery sends up to ten such requests. */
export function redeliveryLimits(accountId: number): LimitedAction[] {
  return [{ name: `redelivery ${accountId}`, limit: { limit: 1_000, windowMs: 86_400_000 } }]
}

/** Each test is a message to an address of the account's choice. */
export function channelTestLimits(accountId: number): LimitedAction[] {
  return [
    { name: `channel test ${accountId}`, limit: { limit: 10, windowMs: 60_000 } },
    { name: `channel tests a day ${accountId}`, limit: { limit: 50, windowMs: 86_400_000 } },
  ]
}

/** Returns the limits of mails that confirm channels: few per account, and fewer per mailbox. */
export function confirmationLimits(
  accountId: number,
  mailboxHash: string,
): Record<'account' | 'mailbox', LimitedAction[]> {
  const aDay = (name: string, limit: number) => [{ name, limit: { limit, windowMs: 86_400_000 } }]
  return {
    account: aDay(`confirmation by ${accountId}`, 10),
    mailbox: aDay(`confirmation to ${mailboxHash}`, 3),
  }
}

/** Limits files of an account's own data: one of 100,000 items keeps a processor busy for seconds. */
export function exportLimits(accountId: number): LimitedAction[] {
  return [{ name: `export ${accountId}`, limit: { limit: 60, windowMs: 3_600_000 } }]
}

/** @throws ServiceError TOO_MANY_ATTEMPTS with the time to wait */
export async function countAttempt(
  { ledger, now }: AttemptDeps,
  limits: readonly LimitedAction[],
): Promise<void> {
  const waitMs = await ledger.attempts.consume(limits, now())
  if (waitMs !== undefined) throw tooManyAttempts(waitMs)
}

export function tooManyAttempts(waitMs: number): ServiceError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000))
  return new ServiceError(
    'TOO_MANY_ATTEMPTS',
    `Too many attempts. Wait ${retryAfter} seconds and try again.`,
    { retryAfter },
  )
}

/** Omits limits of 0, which are disabled. */
function limitsOf(
  limits: AttemptLimits,
  names: Partial<Record<keyof AttemptLimits, string>>,
): LimitedAction[] {
  return (Object.entries(names) as [keyof AttemptLimits, string][])
    .map(([kind, name]) => ({ name, limit: limits[kind], windowMs: ATTEMPT_WINDOW_MS[kind] }))
    .flatMap(({ name, ...limit }) =>
      limit.limit === 0 ? [] : [{ name, limit: withWholeSteps(limit) }],
    )
}
