/** Commands on their own terminal, which `script` of util-linux opens. */
import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const ROOT = resolve(import.meta.dir, '../../..')

export const HAS_TERMINAL = Bun.spawnSync([
  'sh',
  '-c',
  'script --version 2>&1 | grep -q util-linux',
]).success
if (!HAS_TERMINAL)
  console.log('`script` is not installed: tests of commands on a terminal are skipped.')

export const CTRL_C = '\x03'
export const CTRL_D = '\x04'

/** A text that the command prints, and what is typed then: a line, a control character, or nothing. */
export type Answer = readonly [
  question: string,
  answer: string | (() => Promise<string | undefined>),
]

/**
 * Runs a script of the tree on a terminal.
 *
 * @param answers in order; each is typed once its question was printed after the previous answer
 */
export async function runOnTerminal(
  command: string,
  env: Readonly<Record<string, string>>,
  answers: readonly Answer[] = [],
) {
  const call = `'${process.execPath}' --no-env-file scripts/${command}`
  const child = Bun.spawn(['script', '--quiet', '--return', '--command', call, '/dev/null'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const waiting = [...answers]
  let [output, answeredTo] = ['', 0]
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk
    for (;;) {
      const [question = '', answer] = waiting[0] ?? []
      const at = answer === undefined ? -1 : output.indexOf(question, answeredTo)
      if (answer === undefined || at < 0) break
      waiting.shift()
      answeredTo = at + question.length
      const text = typeof answer === 'string' ? answer : await answer()
      if (text === undefined) continue
      child.stdin.write(text === CTRL_C || text === CTRL_D ? text : `${text}\r`)
      child.stdin.flush()
    }
  }
  child.stdin.end()
  const text = stripVTControlCharacters(output).replaceAll('\r\n', '\n')
  // A progress bar overwrites itself.
  const lines = text.split('\n').map((line) => line.replace(/^.*\r/, ''))
  return {
    code: await child.exited,
    text,
    lines: lines.filter(Boolean),
    /** Answers whose questions were not printed. */
    unanswered: waiting.map(([question]) => question),
  }
}
