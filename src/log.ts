import type { LogLevel } from '#config.ts'

/** One event: what happened, and its facts. Never a key, a cookie, a password or a photo. */
export type Log = Record<Exclude<LogLevel, 'silent'>, (event: string, facts?: object) => void>

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

/** Writes one JSON line an event to stderr, or readable lines where a person is looking. */
export function openLog(level: LogLevel, out: NodeJS.WriteStream = process.stderr): Log {
  const write =
    (of: Exclude<LogLevel, 'silent'>) =>
    (event: string, facts: object = {}) => {
      if (RANK[of] < RANK[level]) return
      const plain = Object.fromEntries(
        Object.entries(facts).map(([name, value]) => [name, plainOf(value)]),
      )
      const time = new Date().toISOString()
      out.write(
        out.isTTY
          ? `${time.slice(11, 19)} ${of.padEnd(5)} ${event} ${readable(plain)}\n`
          : `${JSON.stringify({ time, level: of, event, ...plain })}\n`,
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

function readable(facts: object): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}

/** A stack alone does not tell what an error came of. */
function plainOf(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const told = value.stack ?? value.message
  return value.cause === undefined ? told : `${told}\nbecause of ${plainOf(value.cause)}`
}
