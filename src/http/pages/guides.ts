import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The documentation folder of the repository. */
export const DOCS = join(import.meta.dir, '../../../docs')

/**
 * Lists guides and reference pages by name: `alerts` -> `guides/alerts/alerts.md`, `errors` -> `reference/errors.md`.
 * Empty if the folder is missing.
 */
export function listGuides(): Map<string, string> {
  const paths = existsSync(DOCS) ? globSync('{guides,reference}/**/*.md', { cwd: DOCS }) : []
  const guides = paths.map((path) => [basename(path, '.md'), path] as const)
  return new Map(guides.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the first heading of a document; its path if it has none. */
export function documentTitle(path: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(DOCS, path), 'utf8'))?.[1] ?? path
}
