import type { Deps } from '#deps.ts'
import { type AttemptLimits, placeOf, WINDOW_MS } from '#rules/accounts/rate-limit.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Limited } from '#store/ledger/attempts.ts'

type AttemptDeps = Pick<Deps, 'ledger' | 'config' | 'now'>

/** Who tries, and from where. */
export type Attempt = { email: string; address: string }

/** The limits of a login: for this address from this place, for this address, from this place. */
export function loginLimits({ config }: AttemptDeps, { email, address }: Attempt): Limited[] {
  // What was typed as an address may be anything, a password even: only its hash is kept.
  const who = new Bun.CryptoHasher('sha256').update(email.toLowerCase()).digest('hex')
  const place = placeOf(address)
  return limitsOf(config.attemptLimits, {
    loginEmailPlace: `login ${who} from ${place}`,
    loginEmail: `login ${who}`,
    loginPlace: `login from ${place}`,
  })
}

export function registrationLimits({ config }: AttemptDeps, address: string): Limited[] {
  return limitsOf(config.attemptLimits, { registerPlace: `register from ${placeOf(address)}` })
}

/** Checkouts of an account: more than people make, and few enough for Stripe. */
export function checkoutLimits(accountId: number): Limited[] {
  return [{ name: `checkout ${accountId}`, allowance: { limit: 60, windowMs: 3_600_000 } }]
}

/** Tests of watches: each is a request to an address of the account's choice, and kept for a month. */
export function webhookTestLimits(accountId: number): Limited[] {
  return [
    { name: `webhook test ${accountId}`, allowance: { limit: 10, windowMs: 60_000 } },
    { name: `webhook tests a day ${accountId}`, allowance: { limit: 100, windowMs: 86_400_000 } },
  ]
}

/** Messages that are sent once more: each is up to ten such requests. */
export function redeliveryLimits(accountId: number): Limited[] {
  return [{ name: `redelivery ${accountId}`, allowance: { limit: 1_000, windowMs: 86_400_000 } }]
}

/** @throws ServiceError TOO_MANY_ATTEMPTS that says how long to wait */
export async function countAttempt(
  { ledger, now }: AttemptDeps,
  limits: readonly Limited[],
): Promise<void> {
  const waitMs = await ledger.attempts.count(limits, now())
  if (waitMs !== undefined) throw tooManyAttempts(waitMs)
}

/** What says how long to wait. */
export function tooManyAttempts(waitMs: number): ServiceError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000))
  return new ServiceError(
    'TOO_MANY_ATTEMPTS',
    `Too many attempts. Wait ${retryAfter} seconds and try again.`,
    { retryAfter },
  )
}

/** The limits that are on: 0 turns one off. */
function limitsOf(
  limits: AttemptLimits,
  names: Partial<Record<keyof AttemptLimits, string>>,
): Limited[] {
  return (Object.entries(names) as [keyof AttemptLimits, string][]).flatMap(([kind, name]) =>
    limits[kind] === 0
      ? []
      : [{ name, allowance: { limit: limits[kind], windowMs: WINDOW_MS[kind] } }],
  )
}
