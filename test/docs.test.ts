/** The documents: error codes, links, paths and names that they mention exist. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ERRORS } from '#rules/primitives/errors.ts'

const root = resolve(import.meta.dir, '..')
const PAGES = [
  ...new Bun.Glob('*.md').scanSync({ cwd: root }),
  ...new Bun.Glob('{docs,data,scripts}/**/*.md').scanSync({ cwd: root }),
].sort()

test('docs/reference/errors.md has every error code with the sentences of the API document, in alphabetical order', () => {
  const rows = readText('docs/reference/errors.md').matchAll(/^\| `\w+` \| .+ \|$/gm)
  const expected = Object.entries(ERRORS)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([code, { status, cause, remedy }]) => `| \`${code}\` | ${status} | ${cause} | ${remedy} |`,
    )
  expect([...rows].map(([row]) => row)).toEqual(expected)
})

describe('a page', () => {
  test.each(PAGES)('%s links only to files and headings that exist', (page) => {
    expect(linksIn(readText(page)).filter((link) => !linkExists(page, link))).toEqual([])
  })

  test.each(PAGES)('%s names only files that exist', (page) => {
    expect(pathsIn(readText(page)).filter((path) => !exists(path))).toEqual([])
  })

  test('names every package in docs/decisions/0004-dependencies.md', () => {
    const { dependencies, devDependencies } = JSON.parse(readText('package.json'))
    const page = readText('docs/decisions/0004-dependencies.md')
    const unnamed = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([name, version]) => !page.includes(`\`${name}\` ${version} `),
    )
    expect(unnamed).toEqual([])
  })

  test('is in docs/README.md if it is a guide, a reference page or about the code', () => {
    const listed = linksIn(readText('docs/README.md'))
    const pages = new Bun.Glob('{*,guides/**/*,reference/*}.md').scanSync({
      cwd: join(root, 'docs'),
    })
    expect([...pages].filter((page) => page !== 'README.md' && !listed.includes(page))).toEqual([])
  })

  test('with a broken link or a wrong path is found', () => {
    const text =
      '[a](b.md#c) ![d](../e.png "f")\n[g]: h.md\n<img src="i.svg"> [j](https://k.io) [l](#m)'
    expect(linksIn(`${text}\n\`\`\`\n[n](o.md)\n\`\`\`\n\`[p](q.md)\``)).toEqual([
      'b.md#c',
      '../e.png',
      'h.md',
      'i.svg',
      '#m',
    ])
    expect(linkExists('docs/page.md', '../package.json')).toBe(true)
    expect(linkExists('docs/page.md', 'package.json')).toBe(false)
    expect(linkExists('docs/README.md', 'guides/start.md#next-steps')).toBe(true)
    expect(linkExists('docs/README.md', 'guides/start.md#nowhere')).toBe(false)
    expect(
      pathsIn('`test/a.test.ts: sorts` `src/b` `src/c/*.ts` `bun scripts/d.ts` test/e.ts'),
    ).toEqual(['test/a.test.ts', 'src/b', 'scripts/d.ts'])
  })
})

describe('docs/architecture.md', () => {
  const named = exportsIn(readText('docs/architecture.md'))

  test('names functions in every walkthrough', () => {
    expect(named.length).toBeGreaterThan(25)
  })

  test.each(named)('%s has %s', (path, name) => {
    expect(new RegExp(`\\b${name}\\b`).test(readText(path))).toBe(true)
  })
})

test('CHANGELOG.md has an Unreleased section, dated releases and known sections', () => {
  const headings = readText('CHANGELOG.md').match(/^##+ .*$/gm) ?? []
  expect(headings[0]).toBe('## Unreleased')
  const known =
    /^(## (Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d)|### (Added|Changed|Deprecated|Removed|Fixed|Security))$/
  expect(headings.filter((heading) => !known.test(heading))).toEqual([])
})

function exists(path: string): boolean {
  return existsSync(join(root, path))
}

function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Returns links to files and headings, except other sites and links within code. */
function linksIn(text: string): string[] {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const links = prose.matchAll(
    /\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\s*\[[^\]]+\]:\s*(\S+)|\b(?:src|href)="([^"]+)"/gm,
  )
  return [...links]
    .map(([, inline, reference, html]) => inline ?? reference ?? html ?? '')
    .filter((link) => !/^(?:[a-z]+:|\/\/)/i.test(link))
}

function linkExists(page: string, link: string): boolean {
  const [file = '', heading] = decodeURIComponent(link).split('#')
  const path = file === '' ? page : join(file.startsWith('/') ? '.' : dirname(page), file)
  if (!exists(path) || heading === undefined) return exists(path)
  const headings = readText(path).match(/^#+ .*$/gm) ?? []
  return headings.some((line) => headingId(line) === heading)
}

/** Returns the id that GitHub and the server give a heading. */
function headingId(line: string): string {
  const text = line.replace(/^#+ /, '').toLowerCase()
  return text.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
}

/** Returns the paths of this repository within inline code, without patterns and placeholders. */
function pathsIn(text: string): string[] {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '')
  const code = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, inline = '']) => inline)
  return code.flatMap((inline) =>
    [...inline.matchAll(/(?<![\w./-])(?:src|test|docs|scripts|bench)\/[\w./*{},…-]+/g)]
      .map(([path]) => path.replace(/[.,]+$/, ''))
      .filter((path) => !/[*{…]/.test(path)),
  )
}

/** Returns each file of a paragraph or list item with the names in code that follow it: "`src/a.ts`: `f`, `g`". */
function exportsIn(text: string): [path: string, name: string][] {
  return text.split(/\n(?=\d+\. |- |\n)/).flatMap((paragraph) => {
    let path = ''
    return [...paragraph.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']): [string, string][] => {
      if (/^(src|scripts|test)\/\S+$/.test(code)) path = /\.tsx?$/.test(code) ? code : ''
      return path === '' || !/^[A-Za-z]\w*$/.test(code) ? [] : [[path, code]]
    })
  })
}
