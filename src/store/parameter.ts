import { type Placeholder, sql } from 'drizzle-orm'

/**
 * Returns a named parameter for a prepared statement with joins. A bare parameter makes such a statement three to
 * five times as slow, a plus sign before it prevents this. The likely cause: the planner, built with STAT4, plans
 * again for each value that it can see (docs/decisions/0008).
 */
export function parameter(name: string) {
  return sql`+${sql.placeholder(name)}`
}

/** Returns a parameter for LIMIT or OFFSET, which the planner also considers without joins. */
export function pageParameter(name: 'limit' | 'offset'): Placeholder {
  // Drizzle declares only bare placeholders here, but renders any SQL.
  return parameter(name) as unknown as Placeholder
}
