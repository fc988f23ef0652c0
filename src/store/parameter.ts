import { sql } from 'drizzle-orm'

/**
 * A named parameter of a prepared statement that joins tables. SQLite (built with STAT4, as the
 * driver builds it) looks at the values of bare parameters when it plans a join, and plans anew
 * whenever they change: five times the cost of the look-up itself. Behind a plus it does not look.
 */
export function parameter(name: string) {
  return sql`+${sql.placeholder(name)}`
}
