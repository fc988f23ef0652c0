// The operator's account, which the setup creates first.
import type { PasswordHasher } from '#actions/accounts/passwords.ts'
import { setUpOperator } from '#actions/accounts/set-up-operator.ts'
import type { Deps } from '#deps.ts'
import { isEmailAddress } from '#rules/accounts/email-address.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Account } from '#store/ledger/accounts.ts'
import { PROGRAM } from '../program.ts'
import { type Prompts, promptNewPassword } from '../prompts.ts'
import { readPassword } from '../read-password.ts'
import { printText, printTitle } from './questions.ts'

type OperatorDeps = Pick<Deps, 'ledger' | 'liveConfig' | 'now'>
type Given = { email: string | undefined; password: string | undefined }

/**
 * Returns the existing operator.
 *
 * @throws ServiceError SETUP_DONE if `email` is given and that account is not an operator's
 */
export async function findOperator(
  { ledger }: OperatorDeps,
  email: string | undefined,
): Promise<Account | undefined> {
  const first = await ledger.accounts.getOperator()
  if (first === undefined || email === undefined) return first
  const named = await ledger.accounts.getByEmail(email)
  if (named?.is_operator === true) return named
  throw new ServiceError(
    'SETUP_DONE',
    `${first.email} is the operator of this server. To have another one, create the account ${email} and run "${PROGRAM} admin account operator --email ${email}".`,
  )
}

/** Creates the account that the options describe. Without a password, prompts for it or reads it from stdin. */
export async function createOperator(
  deps: OperatorDeps,
  hasher: PasswordHasher,
  { email, password }: Given & { email: string },
): Promise<Account> {
  return create(deps, hasher, { email, password: await readPassword(password) })
}

/** Prompts for an e-mail address and a password until the account is created. @throws Interrupted */
export async function promptOperator(
  deps: OperatorDeps,
  hasher: PasswordHasher,
  prompts: Prompts,
): Promise<Account> {
  printTitle('Create your account')
  printText(
    "It is the operator's: it can change settings and see the state of the server. A password has at least 8 characters, and is not shown; a few random words work best.\n",
  )
  for (;;) {
    const email = await promptEmail(prompts)
    const password = await promptNewPassword(prompts)
    try {
      return await create(deps, hasher, { email, password })
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'EMAIL_TAKEN') throw error
      printText(error.message)
    }
  }
}

async function promptEmail({ ask }: Prompts): Promise<string> {
  for (;;) {
    const email = await ask('E-mail: ')
    if (isEmailAddress(email)) return email
    printText('Type an e-mail address such as you@example.com.')
  }
}

async function create(
  deps: OperatorDeps,
  hasher: PasswordHasher,
  account: { email: string; password: string },
): Promise<Account> {
  try {
    return await setUpOperator(deps, hasher, { ...account, address: undefined })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'EMAIL_TAKEN') {
      throw new ServiceError(
        'EMAIL_TAKEN',
        `An account with this e-mail address, or one that looks like it, exists already. Use another one, or run "${PROGRAM} admin account operator --email ${account.email}" and then "${PROGRAM} setup" again.`,
      )
    }
    if (error.code !== 'SETUP_DONE') throw error
    const operator = await deps.ledger.accounts.getOperator()
    throw new ServiceError(
      'SETUP_DONE',
      `${operator?.email} has become the operator of this server in the meantime, so your account was not created. If that is correct, run "${PROGRAM} setup" again to continue.`,
    )
  }
}
