// Reads passwords without showing them, and without an argument, which the shell's history and the process list would
// expose.
import { findPasswordProblem } from '#rules/accounts/credentials.ts'
import { UsageError } from './parse.ts'
import { promptNewPassword, withPrompts } from './prompts.ts'

/**
 * Returns the password of --password. Without the option, prompts for a password on a terminal, and otherwise reads
 * the first line of stdin.
 *
 * @throws UsageError without a password, or if it is not valid; Interrupted
 */
export async function readPassword(given: string | undefined): Promise<string> {
  if (given === undefined && process.stdin.isTTY) return withPrompts(promptNewPassword)
  const password = given ?? (await readFirstLine())
  if (password === '') {
    throw new UsageError(
      'A password is required. Run the command on a terminal, write the password to stdin, or give --password P.',
    )
  }
  const problem = findPasswordProblem(password)
  if (problem !== undefined) throw new UsageError(`The password ${problem}.`)
  return password
}

async function readFirstLine(): Promise<string> {
  const [line = ''] = (await Bun.stdin.text()).split(/\r?\n/)
  return line
}
