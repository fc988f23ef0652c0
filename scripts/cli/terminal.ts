// What the commands share: settings, arguments, progress and the end of the process. Results go to
// stdout, everything else to stderr.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { type Config, readConfig } from '#config.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Runs a command to its exit code; what it throws is said in words, with a stack only for our bugs. */
export async function runCommand(command: () => Promise<number> | number): Promise<void> {
  try {
    process.exitCode = await command()
  } catch (error) {
    const known = error instanceof ServiceError || error instanceof UsageError
    const text =
      error instanceof Error
        ? known
          ? error.message
          : (error.stack ?? error.message)
        : String(error)
    process.stderr.write(`${text}\n`)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

/** The command was called wrongly; its message says how it is called. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * The settings, as a command wants them: its log speaks of what went wrong alone, and no thread waits
 * for photos.
 */
export function commandConfig(): Config {
  try {
    return { ...readConfig({ LOG_LEVEL: 'warn', ...process.env }), identifyWorkers: 0 }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Reads the arguments of a command, of which at most `positionalsMax` stand alone.
 *
 * @throws UsageError with the usage for anything that it does not take
 */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
  positionalsMax = 0,
) {
  try {
    const args = process.argv.slice(2)
    const read = parseArgs({ args, options, allowPositionals: true, strict: true })
    const extra = read.positionals[positionalsMax]
    if (extra !== undefined) throw new Error(`"${extra}" is not expected.`)
    return read
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

/** A whole number of at least 1 from an argument. */
export function parseWholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new UsageError(`${name} is "${text}": give a whole number from 1.`)
}

/** One result: a JSON line where a program reads, something readable where a person does. */
export function printResult(result: object): void {
  const text = process.stdout.isTTY ? JSON.stringify(result, null, 2) : JSON.stringify(result)
  process.stdout.write(`${text}\n`)
}

export type ProgressBar = { show(done: number, total: number, what: string): void; end(): void }

/** A bar where a person is looking, a JSON line every few seconds elsewhere; both on stderr. */
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
