/** The repository's documents, as tests read them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../../..')

/** Guides and other pages that describe how the service is used today. */
export const USER_PAGES = [
  'README.md',
  'CHANGELOG.md',
  'docs/changes.md',
  ...new Bun.Glob('docs/guides/**/*.md').scanSync({ cwd: ROOT }),
  ...[
    'errors',
    'choices',
    'configuration',
    'limits-of-scale',
    'metrics',
    'not-planned',
    'versions',
  ].map((name) => `docs/reference/${name}.md`),
].sort()

export function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Returns the code blocks of a page: fenced or indented by four spaces. */
export function listBlocks(page: string): string[] {
  const text = readDocument(page)
  const fenced = [...text.matchAll(/^ *(```|~~~)\w*\n([\s\S]*?)^ *\1$/gm)].map(
    ([, , code = '']) => code,
  )
  const indented = withoutFences(text).match(/(?:^ {4}\S.*\n)+/gm) ?? []
  return [...fenced, ...indented]
}

/** Returns the inline code in the sentences and tables of a page. */
export function listInlineCode(page: string): string[] {
  return [...withoutFences(readDocument(page)).matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  )
}

/** Returns the table rows whose first cell matches, each as its cells. */
export function listRows(page: string, first: RegExp): string[][] {
  const lines = readDocument(page).match(/^ *\|.*\|$/gm) ?? []
  return lines
    .map((line) => line.trim().split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter(([cell = '']) => first.test(cell))
}

/** Returns a page without its code blocks. */
export function withoutFences(text: string): string {
  return text.replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1$/gm, '')
}

// biome-ignore lint/suspicious/noExplicitAny: the document of OpenAPI has no type here.
export type ApiDocument = any

/** Resolves a reference of the API document; returns any other value unchanged. */
export function resolveReference(document: ApiDocument, value: ApiDocument): ApiDocument {
  if (value?.$ref === undefined) return value
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((at: ApiDocument, key: string) => at[key], document)
}
