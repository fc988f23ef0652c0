import { timingSafeEqual } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { isEmailAddress } from '#rules/accounts/email-address.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Account } from '#store/ledger/accounts.ts'
import type { PasswordHasher } from './passwords.ts'
import { assertPassword, emailTaken } from './register-account.ts'

/**
 * Returns the token of 22 characters that proves that the first operator owns the server. It is the same on all
 * servers with the same secret, and invalid after the first operator was created.
 */
export function createSetupToken({ secrets }: Pick<Deps, 'secrets'>): string {
  return Buffer.from(secrets.hash('setup token')).toString('base64url')
}

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
  deps: Pick<Deps, 'ledger' | 'secrets' | 'now'>,
  hasher: PasswordHasher,
  input: { email: string; password: string; token?: string; address: string | undefined },
): Promise<Account> {
  const { email, password, token = '', address } = input
  if (address !== undefined && !isSetupToken(deps, token)) {
    throw new ServiceError(
      'SETUP_TOKEN_INVALID',
      'The setup token is wrong. Open the address that the server printed when it started.',
    )
  }
  if ((await deps.ledger.accounts.getOperator()) !== undefined) throw setupDone()
  if (!isEmailAddress(email))
    throw new ServiceError('VALIDATION_ERROR', '"email" must be an e-mail address.')
  assertPassword('password', password)
  const operator = { email, password_hash: await hasher.hash(password), tier: 'business' } as const
  const audit = { now: deps.now(), address }
  const account = await deps.ledger.accounts.createFirstOperator(operator, audit)
  if (account === 'has operator') throw setupDone()
  if (account === undefined) throw emailTaken()
  return account
}

function isSetupToken(deps: Pick<Deps, 'secrets'>, token: string): boolean {
  const [given, expected] = [token, createSetupToken(deps)].map((text) => Buffer.from(text))
  return (
    given !== undefined &&
    expected !== undefined &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  )
}

function setupDone(): ServiceError {
  return new ServiceError('SETUP_DONE', 'This server already has an operator. Log in to continue.')
}
