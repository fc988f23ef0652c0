// A password that is neither an argument, which the shell and the process list keep, nor shown.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { findPasswordProblem } from '#rules/accounts/passwords.ts'
import { UsageError } from './parse.ts'

/**
 * Returns the password of --password. Without it, asks for one twice on a terminal, and otherwise reads the
 * first line of stdin.
 *
 * @throws UsageError without a password, or if the two differ
 */
export async function readPassword(given: string | undefined): Promise<string> {
  if (given !== undefined) return given
  if (process.stdin.isTTY) return askTwice()
  const [line = ''] = (await Bun.stdin.text()).split(/\r?\n/)
  if (line !== '') return line
  throw new UsageError(
    'A password is required. Run the command on a terminal, write the password to stdin, or give --password P.',
  )
}

async function askTwice(): Promise<string> {
  // Readline edits the line; what it would show goes nowhere.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  terminal.once('SIGINT', () => {
    terminal.close()
    process.stderr.write('\n')
    process.exit(INTERRUPTED)
  })
  const lines = terminal[Symbol.asyncIterator]()
  const ask = async (question: string) => {
    process.stderr.write(question)
    const { value = '' } = await lines.next()
    process.stderr.write('\n')
    return value
  }
  try {
    const password = await ask('Password: ')
    const problem = findPasswordProblem(password)
    if (problem !== undefined) throw new UsageError(`The password ${problem}.`)
    if ((await ask('Again: ')) === password) return password
    throw new UsageError('The two passwords differ. Run the command again.')
  } finally {
    terminal.close()
  }
}

/** Exit code of a program that Ctrl-C ended. */
const INTERRUPTED = 130
