import { randomBytes } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { isEmailAddress } from '#rules/accounts/email-address.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Account } from '#store/ledger/accounts.ts'
import { NEW_PASSWORD_RANK, type PasswordHasher } from './passwords.ts'
import { assertPassword, emailTaken } from './register-account.ts'

/**
 * Creates a one-time token of 22 characters that proves that the first operator owns the server. Earlier ones, also of
 * other servers of the same ledger, stay valid until there is an operator.
 *
 * @returns the token, which is not stored; undefined if the server has an operator, or its setup has ended
 */
export async function createSetupToken({
  ledger,
  now,
}: Pick<Deps, 'ledger' | 'now'>): Promise<string | undefined> {
  const token = randomBytes(SETUP_TOKEN_BYTES).toString('base64url')
  return (await ledger.setupTokens.create(hashSecret(token), now())) ? token : undefined
}

/** 128 bits, so that tokens cannot be guessed. */
const SETUP_TOKEN_BYTES = 16

/** Next part of the setup: the operator's account, the operator's choices, or nothing. */
export type SetupStage = 'account' | 'choices' | 'finished'

/** Returns the stage of the setup. Reads the ledger only on a server that is not set up. */
export function findSetupStage({
  liveConfig,
  ledger,
}: Pick<Deps, 'liveConfig' | 'ledger'>): SetupStage | Promise<SetupStage> {
  if (liveConfig.readStored().isSetUp === true) return 'finished'
  return ledger.accounts.getOperator().then((operator) => (operator ? 'choices' : 'account'))
}

/**
 * Creates the operator's account of a new server, with all features.
 *
 * @param input `address`: IP address of the client; undefined for the operator's command line, which needs no token
 * @throws ServiceError SETUP_TOKEN_INVALID, SETUP_DONE, EMAIL_TAKEN, UNAVAILABLE, or VALIDATION_ERROR with the
 *   name of the field
 */
export async function setUpOperator(
  deps: Pick<Deps, 'ledger' | 'liveConfig' | 'now'>,
  hasher: PasswordHasher,
  input: { email: string; password: string; token?: string; address: string | undefined },
): Promise<Account> {
  const { email, password, token = '', address } = input
  const { accounts, setupTokens } = deps.ledger
  const tokenHash = address === undefined ? undefined : hashSecret(token)
  if ((await accounts.getOperator()) !== undefined) throw setupDone()
  // Before the password is hashed, so that people without the token do not cost that time.
  if (tokenHash !== undefined) {
    if (deps.liveConfig.readStored().isSetUp === true) throw noOperator()
    if (!(await setupTokens.isValid(tokenHash))) throw invalidToken()
  }
  if (!isEmailAddress(email))
    throw new ServiceError('VALIDATION_ERROR', '"email" must be an e-mail address.')
  assertPassword('password', password)
  const password_hash = await hasher.hash(password, NEW_PASSWORD_RANK, clientNetwork(address ?? ''))
  const operator = { email, password_hash, tier: 'business' } as const
  const audit = { now: deps.now(), address }
  const account = await accounts.createFirstOperator(operator, audit, tokenHash)
  if (account === 'has operator') throw setupDone()
  if (account === 'no token') throw invalidToken()
  if (account === undefined) throw emailTaken()
  return account
}

function invalidToken(): ServiceError {
  return new ServiceError(
    'SETUP_TOKEN_INVALID',
    'The setup token is wrong. Open the address that the server printed when it started.',
  )
}

function setupDone(): ServiceError {
  return new ServiceError('SETUP_DONE', 'This server already has an operator. Log in to continue.')
}

function noOperator(): ServiceError {
  return new ServiceError(
    'SETUP_DONE',
    'This server is set up. If it has no operator any more, run "bun run admin account operator" there.',
  )
}
