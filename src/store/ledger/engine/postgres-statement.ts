import type { Parameter, Value } from './operation.ts'

/** A statement in the syntax of PostgreSQL, with its parameters in the order of `$1`, `$2` and so on. */
export type PostgresStatement = {
  text: string
  values(parameters: readonly Parameter[]): Value[]
}

/** Clock of `clock(@now)`: the database's, or the parameter for tests that set the time. */
export type Clock = 'database' | 'caller'

// Text in quotes stays unchanged. A hint is written without a space: `+?`, unlike the sum `used + ?`.
const TOKENS = /'(?:[^']|'')*'| INDEXED BY \w+|\bclock\(@(\w+)\)|\+?\?|\+?@(\w+)/g

/**
 * Start of the statement, in milliseconds. Unlike the start of the transaction, it is after any wait for locks of
 * earlier statements; unlike the time of each call, it can be compared through an index.
 */
const DATABASE_TIME = 'floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint'

/** Translates a statement of the common SQL: numbers its parameters, and removes hints for SQLite's planner. */
export function toPostgres(sql: string, clock: Clock = 'database'): PostgresStatement {
  const names: string[] = []
  let count = 0
  const numberOf = (name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  }
  const text = sql.replace(TOKENS, (token, time?: string, name?: string) => {
    if (token.startsWith("'")) return token
    if (token.startsWith(' INDEXED')) return ''
    if (time !== undefined)
      return clock === 'database' ? DATABASE_TIME : `${numberOf(time)}::bigint`
    return name === undefined ? `$${++count}` : numberOf(name)
  })
  return {
    text,
    // `@now` may be the only parameter, which the database's clock replaces.
    values: (parameters) =>
      count > 0 ? (parameters as Value[]) : namedValues(names, parameters[0] as Named | undefined),
  }
}

type Named = Readonly<Record<string, Value>>

function namedValues(names: readonly string[], named: Named = {}): Value[] {
  return names.map((name) => named[name] ?? null)
}
