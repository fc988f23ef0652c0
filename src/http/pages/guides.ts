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

/** Link of the list beside a guide. */
export type GuideLink = { title: string; url: string; file: string }

export type GuideGroup = { title: string; links: readonly GuideLink[] }

/** Groups all guides, in the order of the overview. */
export function groupGuides(): GuideGroup[] {
  const overview = existsSync(DOCS) ? readFileSync(join(DOCS, 'README.md'), 'utf8') : ''
  const links = [...listGuides()]
    .map(([name, file]): GuideLink => {
      return { title: documentTitle(file), url: `/guides/${name}`, file }
    })
    .sort((a, b) => overview.indexOf(a.file) - overview.indexOf(b.file))
  return GROUPS.map(([title, folders]) => ({
    title,
    links: links.filter(({ file }) => folders.some((folder) => file.startsWith(folder))),
  })).filter(({ links }) => links.length > 0)
}

/** Every folder of guides has a group, so that every guide is listed. */
const GROUPS: readonly (readonly [title: string, folders: readonly string[]])[] = [
  ['First steps', ['guides/start.md']],
  [
    'Use the API',
    ['accounts', 'search', 'pricing', 'matching', 'collections', 'photos', 'alerts'].map(
      (one) => `guides/${one}`,
    ),
  ],
  ['Clients', ['guides/clients']],
  ['Run a server', ['guides/sync', 'guides/operations', 'guides/billing']],
  ['Reference', ['reference']],
]
