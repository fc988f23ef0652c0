import type { Parameter, Value } from './operation.ts'

/** A statement as PostgreSQL takes it, and its parameters in the order of `$1`, `$2` and so on. */
export type PostgresStatement = {
  text: string
  values(parameters: readonly Parameter[]): Value[]
}

// Text in quotes stays as it is. A hint is written without a space: `+?`, unlike the sum `used + ?`.
const TOKENS = /'(?:[^']|'')*'| INDEXED BY \w+|\+?\?|\+?@(\w+)/g

/** Translates a statement of the common SQL: numbered parameters, and nothing for SQLite's planner. */
export function toPostgres(sql: string): PostgresStatement {
  const names: string[] = []
  let count = 0
  const text = sql.replace(TOKENS, (token, name: string | undefined) => {
    if (token.startsWith("'")) return token
    if (token.startsWith(' INDEXED')) return ''
    if (name === undefined) return `$${++count}`
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text, values: (parameters) => valuesOf(names, parameters) }
}

function valuesOf(names: readonly string[], parameters: readonly Parameter[]): Value[] {
  if (names.length === 0) return parameters as Value[]
  const named = parameters[0] as Readonly<Record<string, Value>>
  return names.map((name) => named[name] ?? null)
}
