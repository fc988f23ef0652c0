// Prompts on a terminal. They go to stderr, so that stdout only has the result.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { findPasswordProblem } from '#rules/accounts/credentials.ts'

/** Asks questions on the terminal. */
export type Prompts = {
  /** Returns the answer without spaces around it. @throws Interrupted */
  ask(question: string): Promise<string>
  /** Returns the unchanged answer, which is not shown while it is typed. @throws Interrupted */
  askHidden(question: string): Promise<string>
}

/** The user has canceled a prompt with Ctrl-C or Ctrl-D. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Exit code of a program that Ctrl-C ended. */
export const INTERRUPTED_CODE = 130

/** Opens the terminal for the questions of `run`. Ctrl-C between two of them ends the process at once. */
export async function withPrompts<Result>(
  run: (prompts: Prompts) => Promise<Result>,
): Promise<Result> {
  let isHidden = false
  let isAsking = false
  // Readline echoes the line to this stream, which discards hidden ones.
  const output = new Writable({
    write: (chunk, _encoding, done) =>
      isHidden ? done() : process.stderr.write(chunk, () => done()),
  })
  // Without a history, because hidden answers would be recorded in it.
  const terminal = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  terminal.once('SIGINT', () => {
    terminal.close()
    if (!isAsking) process.exit(INTERRUPTED_CODE)
  })
  const lines = terminal[Symbol.asyncIterator]()

  async function ask(question: string): Promise<string> {
    isAsking = true
    terminal.setPrompt(question)
    terminal.prompt()
    const { value, done } = await lines.next()
    isAsking = false
    if (done !== true) return value
    process.stderr.write('\n')
    throw new Interrupted()
  }

  async function askHidden(question: string): Promise<string> {
    process.stderr.write(question)
    isHidden = true
    const answer = await ask('').finally(() => {
      isHidden = false
    })
    process.stderr.write('\n')
    return answer
  }

  try {
    return await run({ ask: async (question) => (await ask(question)).trim(), askHidden })
  } finally {
    terminal.close()
  }
}

/** Asks for a new password until it is valid, and typed twice. @throws Interrupted */
export async function promptNewPassword({ askHidden }: Prompts): Promise<string> {
  for (;;) {
    const password = await askHidden('Password: ')
    const problem = findPasswordProblem(password)
    if (problem !== undefined) process.stderr.write(`The password ${problem}.\n`)
    else if ((await askHidden('Again: ')) === password) return password
    else process.stderr.write('The two passwords differ.\n')
  }
}
