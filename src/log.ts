import type { LogFormat, LogLevel } from '#config.ts'
import { errorCode, storageFault } from '#rules/primitives/system-errors.ts'

/** Logs an event with its details. Never log a key, cookie, password or photo. */
export type Log = Record<Exclude<LogLevel, 'silent'>, (event: string, facts?: object) => void>

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

/** Writes a line per event to stderr. */
export function openLog(
  level: LogLevel,
  format: LogFormat = process.stderr.isTTY ? 'text' : 'json',
): Log {
  const out = process.stderr
  // If the disk is full, log lines are lost. Without this listener, the error would end the process.
  if (out.listenerCount('error') === 0) out.on('error', () => {})
  const write =
    (eventLevel: Exclude<LogLevel, 'silent'>) =>
    (event: string, facts: object = {}) => {
      if (RANK[eventLevel] < RANK[level]) return
      const plain = Object.fromEntries(
        Object.entries(facts).map(([name, value]) => [name, toPlain(value)]),
      )
      const time = new Date().toISOString()
      out.write(
        format === 'text'
          ? `${time.slice(11, 19)} ${eventLevel.padEnd(5)} ${event} ${formatFacts(plain)}\n`
          : `${JSON.stringify({ time, level: eventLevel, event, ...plain })}\n`,
      )
    }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

/** Receives a copy of each logged error. */
export type ErrorRecorder = { add(at: Date, event: string, facts?: object): void }

/** Returns a log that also records its errors. */
export function withErrorRecord(log: Log, record: ErrorRecorder, now: () => Date): Log {
  return {
    ...log,
    error(event, facts) {
      log.error(event, facts)
      record.add(now(), event, facts)
    },
  }
}

function formatFacts(facts: object): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}

/** Formats an error as its stack and its causes; the stack of a disk error is useless. */
function toPlain(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const isFault = storageFault(value) !== undefined
  const text = isFault ? `${value.message} (${errorCode(value)})` : (value.stack ?? value.message)
  return value.cause === undefined ? text : `${text}\ncaused by ${toPlain(value.cause)}`
}
