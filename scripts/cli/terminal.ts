// Settings, arguments, progress and exit codes of the commands. Results go to stdout, everything else to
// stderr.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { type Config, readConfig } from '#config.ts'
import { failureText } from '#rules/primitives/failure-text.ts'

/**
 * Runs a command and sets the exit code: 0 with the usage for --help, 2 for a wrong call, 1 for a failure.
 * Prints one line for an error, and a stack only for bugs with LOG_LEVEL=debug.
 *
 * @param usage begins with `Usage: bun run NAME`
 */
export async function runCommand(
  usage: string,
  command: () => Promise<number> | number,
): Promise<void> {
  // A stream reports a full disk or a closed pipe outside the command.
  process.once('uncaughtException', (error) => {
    reportFailure(error)
    process.exit(1)
  })
  try {
    process.exitCode = await command()
  } catch (error) {
    if (error instanceof HelpRequest) {
      process.stdout.write(`${usage}\n`)
      process.exitCode = 0
    } else if (error instanceof UsageError) {
      const [, name = 'this command'] = /^Usage: (bun run \S+|\w+)/.exec(usage) ?? []
      process.stderr.write(`${error.message}\n\nFor usage, run: ${name} --help\n`)
      process.exitCode = 2
    } else {
      reportFailure(error)
      process.exitCode = 1
    }
  }
}

/** Prints a line with the remedy; with LOG_LEVEL=debug also the stack of a bug. */
function reportFailure(error: unknown): void {
  process.stderr.write(`${failureText(error, process.env.LOG_LEVEL === 'debug')}\n`)
}

/** A wrong call of a command; the message states the mistake. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

class HelpRequest extends Error {}

/** The settings of a command: logs warnings and errors only, and starts no photo reader. */
export function commandConfig(): Config {
  try {
    const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
    return { ...config, identifyWorkers: 0, photoWorkers: undefined }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Parses the arguments of a command.
 *
 * @param positionalsMax how many arguments without an option it accepts
 * @throws UsageError for any other argument
 */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  options: Options,
  positionalsMax = 0,
) {
  const args = withNegativeNumbers(process.argv.slice(2))
  if (args.includes('--help')) throw new HelpRequest()
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true })
    const extra = parsed.positionals[positionalsMax]
    if (extra !== undefined) throw new Error(`Unexpected argument "${extra}".`)
    return parsed
  } catch (error) {
    // Node's first sentence names the mistake; the others explain its own parser.
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split(/(?<=\.) /)
    throw new UsageError(first.endsWith('.') ? first : `${first}.`)
  }
}

/** Joins `--scans -5` to `--scans=-5`, which Node would take for two options. */
function withNegativeNumbers(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    if (/^-\d/.test(arg) && args[index - 1]?.startsWith('--')) return []
    const next = args[index + 1] ?? ''
    return arg.startsWith('--') && /^-\d/.test(next) ? [`${arg}=${next}`] : [arg]
  })
}

/** Parses a whole number of at least 1. */
export function parseWholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new UsageError(`${name} must be a whole number of at least 1, not "${text}".`)
}

/** Prints a result as JSON: indented on a terminal, otherwise on one line. */
export function printResult(result: object): void {
  const text = process.stdout.isTTY ? JSON.stringify(result, null, 2) : JSON.stringify(result)
  process.stdout.write(`${text}\n`)
}

export type ProgressBar = { show(done: number, total: number, what: string): void; end(): void }

/** Shows progress on stderr: a bar on a terminal, otherwise a JSON line every few seconds. */
export function createProgress(task: string): ProgressBar {
  return process.stderr.isTTY ? openBar(task) : openLines(task)
}

function openBar(task: string): ProgressBar {
  const bar = new SingleBar({
    format: `${task} {bar} {percentage}% | {value}/{total} | {what}`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  })
  let started = false
  return {
    show(done, total, what) {
      if (!started) bar.start(total, done, { what })
      started = true
      bar.update(done, { what })
    },
    end() {
      if (started) bar.stop()
    },
  }
}

function openLines(task: string): ProgressBar {
  let last = 0
  return {
    show(done, total, what) {
      if (done < total && performance.now() - last < LINE_EVERY_MS) return
      last = performance.now()
      process.stderr.write(`${JSON.stringify({ task, done, total, what })}\n`)
    },
    end() {},
  }
}

const LINE_EVERY_MS = 2_000
