import type { Deps } from '#deps.ts'
import { ATTEMPT_WINDOW_MS, type AttemptLimits, clientNetwork } from '#rules/accounts/rate-limit.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { LimitedAction } from '#store/ledger/attempts.ts'

type AttemptDeps = Pick<Deps, 'ledger' | 'config' | 'now'>

/** Returns the limits of a login: per e-mail and client network, per e-mail, and per client network. */
export function loginLimits(
  { config }: AttemptDeps,
  email: string,
  address: string,
): LimitedAction[] {
  // Only a hash is stored: people type passwords into the e-mail field.
  const who = new Bun.CryptoHasher('sha256').update(email.toLowerCase()).digest('hex')
  const place = clientNetwork(address)
  return limitsOf(config.attemptLimits, {
    loginEmailIp: `login ${who} from ${place}`,
    loginEmail: `login ${who}`,
    loginIp: `login from ${place}`,
  })
}

export function registrationLimits({ config }: AttemptDeps, address: string): LimitedAction[] {
  return limitsOf(config.attemptLimits, { registerIp: `register from ${clientNetwork(address)}` })
}

/** More checkouts than people need, and few enough for Stripe. */
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

/** Each redelivery is up to ten such requests. */
export function redeliveryLimits(accountId: number): LimitedAction[] {
  return [{ name: `redelivery ${accountId}`, limit: { limit: 1_000, windowMs: 86_400_000 } }]
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

/** Omits the limits that are 0, which turns them off. */
function limitsOf(
  limits: AttemptLimits,
  names: Partial<Record<keyof AttemptLimits, string>>,
): LimitedAction[] {
  return (Object.entries(names) as [keyof AttemptLimits, string][])
    .map(([kind, name]) => ({ name, limit: limits[kind], windowMs: ATTEMPT_WINDOW_MS[kind] }))
    .flatMap(({ name, ...limit }) => (limit.limit === 0 ? [] : [{ name, limit }]))
}
