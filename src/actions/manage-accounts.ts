import { randomBytes, randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { hashKey, mintKey, partsOf } from '#rules/credentials.ts'
import { ServiceError } from '#rules/errors.ts'
import { TIERS, type Tier } from '#rules/tiers.ts'
import type { Account } from '#store/ledger/accounts.ts'

type AccountDeps = Pick<Deps, 'ledger' | 'now'>

/**
 * Opens an account.
 *
 * @param password at least 8 characters (specification, Limits 5), at most 1,024 bytes
 * @throws ServiceError EMAIL_TAKEN, or VALIDATION_ERROR that names the field
 */
export async function openAccount(
  { ledger, now }: AccountDeps,
  { email, password, tier }: { email: string; password: string; tier: string },
): Promise<Account> {
  if (!EMAIL.test(email)) throw new ServiceError('VALIDATION_ERROR', '"email" must be an address.')
  if (password.length < 8 || Buffer.byteLength(password) > 1_024) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      '"password" must be 8 characters to 1,024 bytes long.',
    )
  }
  const known = tierOf(tier)
  const password_hash = await Bun.password.hash(password, PASSWORD)
  const account = await ledger.accounts.add({ email, password_hash, tier: known, now: now() })
  if (account === undefined) {
    throw new ServiceError('EMAIL_TAKEN', `An account with the address ${email} exists already.`)
  }
  return account
}

/** @throws ServiceError NOT_FOUND, or VALIDATION_ERROR for a tier that is none */
export async function changeTier(
  { ledger }: AccountDeps,
  { email, tier }: { email: string; tier: string },
): Promise<Account> {
  const account = await ledger.accounts.putTier(email, tierOf(tier))
  if (account === undefined) throw noSuchAccount(email)
  return account
}

/**
 * Makes an API key. It is told here and never again: only its hash is kept.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function createKey(
  { ledger, now }: AccountDeps,
  { email, name }: { email: string; name: string },
): Promise<{ id: string; key: string }> {
  const account = await ledger.accounts.byEmail(email)
  if (account === undefined) throw noSuchAccount(email)
  const key = mintKey((bytes) => randomBytes(bytes))
  const id = randomUUID()
  await ledger.keys.add({
    id,
    account_id: account.id,
    name,
    key_hash: hashKey(key),
    ...partsOf(key),
    now: now(),
  })
  return { id, key }
}

/** @throws ServiceError NOT_FOUND */
export async function revokeKey({ ledger }: AccountDeps, id: string): Promise<void> {
  if (await ledger.keys.deactivate(id)) return
  throw new ServiceError('NOT_FOUND', `No key has the id ${id}.`)
}

function tierOf(text: string): Tier {
  const tier = TIERS.find((known) => known === text)
  if (tier !== undefined) return tier
  throw new ServiceError('VALIDATION_ERROR', `"tier" must be one of ${TIERS.join(', ')}.`)
}

function noSuchAccount(email: string): ServiceError {
  return new ServiceError('NOT_FOUND', `No account has the address ${email}.`)
}

// One @ with something on both sides: whether mail arrives there only mail can tell.
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/

/** argon2id at the minimum that OWASP's password storage page gives. */
const PASSWORD = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
