// Runs a command by its definition, and sets the exit code: 0 for success and --help, 1 for a failure, 2 for a
// wrong call, 130 for Ctrl-C at a question.
import { ServiceError } from '#rules/primitives/errors.ts'
import { failureText, hasErrorCode } from '#rules/primitives/system-errors.ts'
import {
  type AnyCommand,
  type CommandDefinition,
  type CommandGroup,
  type Input,
  isGroup,
} from './definition.ts'
import { renderHelp } from './help.ts'
import { parseInput, selectCommand, UsageError } from './parse.ts'
import { PROGRAM } from './program.ts'
import { INTERRUPTED_CODE, Interrupted } from './prompts.ts'

export type ExitCode = number | undefined

type Run<D extends CommandDefinition> = (input: Input<D>) => Promise<ExitCode> | ExitCode

/** The function of each command of a group. */
export type GroupHandlers<Group extends CommandGroup> = {
  [Name in keyof Group['commands']]: Run<Group['commands'][Name]>
}

/** Runs a command, and prints one line for an error; a stack only for bugs with LOG_LEVEL=debug. */
export async function runCommand<D extends CommandDefinition>(
  command: D,
  run: Run<D>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const input = readInput(command, args)
  if (input === undefined) return
  // A stream reports a full disk or a closed pipe outside the command.
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.once(event, (error) => {
      // A reader such as `head` has closed the pipe.
      if (!hasErrorCode(error, 'EPIPE')) reportFailure(command.name, error)
      process.exit()
    })
  }
  try {
    process.exitCode = (await run(input)) ?? 0
  } catch (error) {
    reportFailure(command.name, nameOption(command, error))
  }
}

/** Replaces the field of a message such as `"scans" must be …` by the option `--scans`. */
function nameOption({ options }: CommandDefinition, error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_ERROR') return error
  const [quoted = '', name = ''] = /^"([a-z_]+)"/.exec(error.message) ?? []
  if (!Object.hasOwn(options, name)) return error
  return new UsageError(`--${name}${error.message.slice(quoted.length)}`)
}

/** Runs the command of a group that the first words select. */
export async function runGroup<Group extends CommandGroup>(
  group: Group,
  handlers: GroupHandlers<Group>,
): Promise<void> {
  const selected = parseOrExplain(group, () => selectCommand(group, process.argv.slice(2)))
  if (selected === undefined) return
  const command = group.commands[selected.name]
  const handler = handlers[selected.name]
  if (command === undefined || handler === undefined) return
  // Each handler accepts the input of the command with the same name.
  await runCommand(command, handler as Run<CommandDefinition>, selected.args)
}

/** Returns the input of a call; undefined after it has printed the help or an error. */
export function readInput<D extends CommandDefinition>(
  command: D,
  args: readonly string[] = process.argv.slice(2),
): Input<D> | undefined {
  return parseOrExplain(command, () => parseInput(command, args))?.input
}

/** Returns true for a call that can run; false after it has printed the help or an error. */
export function isCall(command: AnyCommand, args: readonly string[]): boolean {
  if (!isGroup(command)) return readInput(command, args) !== undefined
  const selected = parseOrExplain(command, () => selectCommand(command, args))
  const one = selected && command.commands[selected.name]
  return one !== undefined && readInput(one, selected?.args ?? []) !== undefined
}

function parseOrExplain<Parsed extends object>(
  command: AnyCommand,
  parse: () => Parsed | { help: AnyCommand },
): Parsed | undefined {
  try {
    const parsed = parse()
    if (!('help' in parsed)) return parsed
    process.stdout.write(renderHelp(parsed.help, PROGRAM))
    process.exitCode = 0
  } catch (error) {
    reportFailure(command.name, error)
  }
  return undefined
}

/** Prints an error and sets the exit code. @param name words of the command */
export function reportFailure(name: string, error: unknown): void {
  if (error instanceof UsageError) {
    const call = [PROGRAM, name, '--help'].filter(Boolean).join(' ')
    process.stderr.write(`${error.message}\n\nFor usage, run: ${call}\n`)
    process.exitCode = 2
    return
  }
  if (error instanceof Interrupted) {
    process.exitCode = INTERRUPTED_CODE
    return
  }
  process.stderr.write(`${failureText(error, process.env.LOG_LEVEL === 'debug')}\n`)
  process.exitCode = 1
}
