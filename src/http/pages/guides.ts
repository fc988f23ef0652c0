import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The documentation folder of the repository. */
export const DOCS = join(import.meta.dir, '../../../docs')

const GUIDES = join(DOCS, 'guides')

/**
 * Lists the guides in alphabetical order: name -> path below `docs`, `alerts` -> `guides/alerts/alerts.md`.
 * Empty if the folder is missing.
 */
export function listGuides(): Map<string, string> {
  const paths = existsSync(GUIDES) ? globSync('**/*.md', { cwd: GUIDES }) : []
  const guides = paths.map((path) => [basename(path, '.md'), `guides/${path}`] as const)
  return new Map(guides.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the first heading of a document; its path if it has none. */
export function documentTitle(path: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(DOCS, path), 'utf8'))?.[1] ?? path
}
