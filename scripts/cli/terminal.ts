// Settings, results and progress of the commands. Results go to stdout, everything else to stderr.
import { statSync } from 'node:fs'
import { SingleBar } from 'cli-progress'
import { type Config, readConfig } from '#config.ts'
import { UsageError } from './parse.ts'
import { formatBytes, secondsSince } from './text.ts'

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
 * Prints a result: the text on a terminal, otherwise JSON on one line. With `--json`, prints JSON on a terminal as
 * well.
 */
export function printResult(result: object, { json, text }: { json: boolean; text: string }): void {
  process.stdout.write(`${isForPeople(json) ? text : formatJson(result)}\n`)
}

/** Prints a list: a table on a terminal, otherwise a line of JSON for each row. */
export function printList(
  rows: readonly object[],
  { json, table }: { json: boolean; table: () => string },
): void {
  if (isForPeople(json)) process.stdout.write(`${table()}\n`)
  else for (const row of rows) process.stdout.write(`${formatJson(row)}\n`)
}

/**
 * Prints a summary of what was written: on stderr if the data is on stdout, otherwise on stdout.
 *
 * @param what the counted data, as text
 * @param out the file; undefined: stdout
 */
export function printWritten(
  report: object,
  { what, out, started }: { what: string; out: string | undefined; started: number },
): void {
  const stream = out === undefined ? process.stderr : process.stdout
  const file = out === undefined ? undefined : { out, bytes: statSync(out).size }
  const place = file === undefined ? '' : ` to ${file.out} (${formatBytes(file.bytes)})`
  const text = `Wrote ${what}${place} in ${secondsSince(started)}`
  stream.write(`${stream.isTTY ? text : JSON.stringify({ ...report, ...file })}\n`)
}

/** Returns true if people read the output, so that it is text. */
export function isForPeople(json: boolean): boolean {
  // `isTTY` is undefined in a pipe, although its type is boolean.
  return Boolean(process.stdout.isTTY) && !json
}

function formatJson(result: object): string {
  return process.stdout.isTTY ? JSON.stringify(result, null, 2) : JSON.stringify(result)
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
