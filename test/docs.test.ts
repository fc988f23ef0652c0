/** What the written pages promise must be there: settings, links, tests. And no path of one machine. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')
const DEPENDENCIES = 'docs/decisions/0004-dependencies.md'
const inGit = git('rev-parse', '--is-inside-work-tree').exitCode === 0

describe('.env.example', () => {
  test.skipIf(!isThere('src/config.ts'))('names what src/config.ts reads, and nothing else', () => {
    const read = variablesRead(textOf('src/config.ts'))
    const named = variablesNamed(isThere('.env.example') ? textOf('.env.example') : '')
    expect({
      missing: read.filter((variable) => !named.some((name) => covers(variable, name))),
      unknown: named.filter((name) => !read.some((variable) => covers(variable, name))),
    }).toEqual({ missing: [], unknown: [] })
  })

  test('is held against every way of reading a variable', () => {
    const code = `env.PORT ?? env['HOST'] ?? flag(env, 'DEBUG') ?? env[\`PRICE_\${plan}\`] ?? 'GET'`
    expect(variablesRead(code)).toEqual(['PORT', 'HOST', 'DEBUG', 'PRICE_*'])
    expect(variablesNamed('PORT=1\n# HOST=a\n# The port, as in PORT=1.\n')).toEqual([
      'PORT',
      'HOST',
    ])
    expect(covers('PRICE_*', 'PRICE_PRO')).toBe(true)
    expect(covers('PRICE', 'PRICE_PRO')).toBe(false)
  })
})

describe('a page', () => {
  const pages = ['README.md', ...new Bun.Glob('docs/**/*.md').scanSync({ cwd: root })]

  test.each(pages.filter(isThere).sort())('%s links only to files that exist', (page) => {
    expect(linksIn(textOf(page)).filter((link) => !leadsSomewhere(page, link))).toEqual([])
  })

  test.skipIf(!isThere('docs/reference/choices.md'))(
    'docs/reference/choices.md names only tests that exist',
    () => {
      expect(testsIn(textOf('docs/reference/choices.md')).filter((path) => !isThere(path))).toEqual(
        [],
      )
    },
  )

  test.skipIf(!isThere(DEPENDENCIES))('of dependencies names each package', () => {
    const { dependencies, devDependencies } = JSON.parse(textOf('package.json'))
    const packages = Object.entries({ ...dependencies, ...devDependencies })
    const page = textOf(DEPENDENCIES)
    const unnamed = packages.filter(([name, version]) => !page.includes(`\`${name}\` ${version} `))
    expect(unnamed).toEqual([])
  })

  test('that links to nothing, or names a test that is not there, is seen', () => {
    const text =
      '[a](b.md#c) ![d](../e.png "f")\n[g]: h.md\n<img src="i.svg"> [j](https://k.io) [l](#m)'
    expect(linksIn(`${text}\n\`\`\`\n[n](o.md)\n\`\`\`\n\`[p](q.md)\``)).toEqual([
      'b.md',
      '../e.png',
      'h.md',
      'i.svg',
    ])
    expect(leadsSomewhere('docs/page.md', '../package.json')).toBe(true)
    expect(leadsSomewhere('docs/page.md', 'package.json')).toBe(false)
    expect(testsIn('| `test/a.test.ts` | `test/b/c.test.ts: sorts` | test/d.test.ts |')).toEqual([
      'test/a.test.ts',
      'test/b/c.test.ts',
    ])
  })
})

describe.skipIf(!inGit)('no file in the repository', () => {
  // Neither pattern matches itself: each has a backslash or a bracket where the text has a letter.
  const machinePath = '(^|[^[:alnum:]_.\\-])/(work|root)(/|$|[^[:alnum:]_/-])|/tmp/[[:alnum:]_.-]'
  const registryHost =
    '(registry|www)\\.npmjs\\.|npmjs\\.(org|com)|pypi\\.org|pythonhosted\\.|crates\\.io|proxy\\.golang\\.|repo1?\\.maven\\.|deb\\.debian\\.'

  test('names a path of one machine', () => {
    expect(linesWith(machinePath)).toEqual([])
  })

  test('names the host of a package registry', () => {
    expect(linesWith(registryHost)).toEqual([])
  })

  test('escapes these searches', () => {
    const folder = ['', 'work', 'main'].join('/')
    const host = ['registry', 'npmjs', 'org'].join('.')
    expect(matches(machinePath, `cd ${folder}`)).toBe(true)
    expect(matches(machinePath, `open ${['', 'tmp', 'a.txt'].join('/')}`)).toBe(true)
    expect(
      matches(
        machinePath,
        'https://example.test/rework/a, docs/work/a, /\\/work\\//, tmpfs on /tmp',
      ),
    ).toBe(false)
    expect(matches(registryHost, `https://${host}/bun`)).toBe(true)
  })
})

function isThere(path: string): boolean {
  return existsSync(join(root, path))
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** `env.A`, `env['A']`, `reader(env, 'A', …)`; a name that is put together gives `A_*`. */
function variablesRead(code: string): string[] {
  const reads = code.matchAll(
    /\benv(?:\.([A-Z][A-Z0-9_]*)|\[\s*'([A-Z][A-Z0-9_]*)'|,\s*'([A-Z][A-Z0-9_]*)'|(?:\[|,)\s*`([A-Z][A-Z0-9_]*)\$\{)/g,
  )
  const names = [...reads].map(([, dot, bracket, argument, start]) =>
    start === undefined ? (dot ?? bracket ?? argument ?? '') : `${start}*`,
  )
  return [...new Set(names)]
}

/** `A=…`, also where it is commented out because the default is right. */
function variablesNamed(text: string): string[] {
  return [...text.matchAll(/^#? ?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)
}

function covers(variable: string, name: string): boolean {
  return variable.endsWith('*') ? name.startsWith(variable.slice(0, -1)) : name === variable
}

/** Links to files, without what follows `#`; not to other sites, and not within code. */
function linksIn(text: string): string[] {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const links = prose.matchAll(
    /\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\s*\[[^\]]+\]:\s*(\S+)|\b(?:src|href)="([^"]+)"/gm,
  )
  return [...links]
    .map(([, inline, reference, html]) => inline ?? reference ?? html ?? '')
    .filter((link) => !/^(?:[a-z]+:|\/\/|#)/i.test(link))
    .map((link) => decodeURIComponent(link.replace(/[?#].*$/, '')))
}

function leadsSomewhere(page: string, link: string): boolean {
  return existsSync(link.startsWith('/') ? join(root, link) : join(root, dirname(page), link))
}

function testsIn(text: string): string[] {
  return [...text.matchAll(/`(test\/[^`\s:]+\.test\.tsx?)[^`]*`/g)].map(([, path = '']) => path)
}

function git(...args: string[]) {
  return Bun.spawnSync(['git', ...args], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
}

/** Lines of text files, tracked or about to be, in which the pattern is found. */
function linesWith(pattern: string): string[] {
  const found = git('grep', '-nIE', '--untracked', '-e', pattern)
  if (found.exitCode > 1) throw new Error(found.stderr.toString())
  return found.stdout.toString().split('\n').filter(Boolean)
}

/** Whether git would find the pattern in this line. */
function matches(pattern: string, line: string): boolean {
  const found = Bun.spawnSync(['grep', '-qE', '-e', pattern], { stdin: Buffer.from(line) })
  return found.exitCode === 0
}
