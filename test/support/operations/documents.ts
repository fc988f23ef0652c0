/** The documents of the repository as tests read them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../../..')

/** Guides and the pages beside them that state how the service is used today. */
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

/** Returns the blocks of code of a page: fenced ones, and those that are indented by four spaces. */
export function listBlocks(page: string): string[] {
  const text = readDocument(page)
  const fenced = [...text.matchAll(/^ *(```|~~~)\w*\n([\s\S]*?)^ *\1$/gm)].map(
    ([, , code = '']) => code,
  )
  const indented = withoutFences(text).match(/(?:^ {4}\S.*\n)+/gm) ?? []
  return [...fenced, ...indented]
}

/** Returns the code within the sentences and tables of a page. */
export function listInlineCode(page: string): string[] {
  return [...withoutFences(readDocument(page)).matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  )
}

/** Returns the rows of tables of which the first cell fits, each as its cells. */
export function listRows(page: string, first: RegExp): string[][] {
  const lines = readDocument(page).match(/^ *\|.*\|$/gm) ?? []
  return lines
    .map((line) => line.trim().split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter(([cell = '']) => first.test(cell))
}

/** Returns a page without its blocks of code. */
export function withoutFences(text: string): string {
  return text.replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1$/gm, '')
}

// biome-ignore lint/suspicious/noExplicitAny: the document of OpenAPI has no type here.
export type ApiDocument = any

/** Returns what a reference of the API document stands for, and any other value as it is. */
export function resolveReference(document: ApiDocument, value: ApiDocument): ApiDocument {
  if (value?.$ref === undefined) return value
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((at: ApiDocument, key: string) => at[key], document)
}
