import { sql } from 'drizzle-orm'

/**
 * A named parameter of a prepared statement that joins tables. Bare parameters of joins cost three to
 * five times the look-up itself, a plus before them does not: most likely the planner, built with
 * STAT4, plans anew for each value that it can see (docs/decisions/0008).
 */
export function parameter(name: string) {
  return sql`+${sql.placeholder(name)}`
}
