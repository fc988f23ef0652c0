import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The documents of the repository, of which the guides are served. */
export const DOCS = join(import.meta.dir, '../../docs')

const GUIDES = join(DOCS, 'guides')

/** The names of the guides' files, in their order; none where there is no such folder. */
export function guideFiles(): string[] {
  const files = existsSync(GUIDES) ? readdirSync(GUIDES) : []
  return files.filter((file) => file.endsWith('.md')).sort()
}

/** What a guide's first heading says. */
export function titleOf(file: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(GUIDES, file), 'utf8'))?.[1] ?? file
}
