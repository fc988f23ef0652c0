import { type Placeholder, sql } from 'drizzle-orm'

/**
 * A named parameter of a prepared statement that joins tables. Bare parameters of joins cost three to
 * five times the look-up itself, a plus before them does not: most likely the planner, built with
 * STAT4, plans anew for each value that it can see (docs/decisions/0008).
 */
export function parameter(name: string) {
  return sql`+${sql.placeholder(name)}`
}

/** A parameter of LIMIT or OFFSET: the planner looks at these in statements without joins, too. */
export function pageParameter(name: 'limit' | 'offset'): Placeholder {
  // The types foresee only a bare placeholder there, but whatever stands there is written as SQL.
  return parameter(name) as unknown as Placeholder
}
