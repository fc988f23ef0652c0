// Searches all files of the repository, with git, for text that none may contain.
import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')
const inGit = git('rev-parse', '--is-inside-work-tree').exitCode === 0

describe.skipIf(!inGit)('no file in the repository', () => {
  // No pattern matches itself: each has a backslash or a bracket where the text has a letter.
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

function git(...args: string[]) {
  return Bun.spawnSync(['git', ...args], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
}

/** Returns the lines of tracked and new text files that match the pattern. */
function linesWith(pattern: string): string[] {
  const found = git('grep', '-nIE', '--untracked', '-e', pattern)
  if (found.exitCode > 1) throw new Error(found.stderr.toString())
  return found.stdout.toString().split('\n').filter(Boolean)
}

/** Returns true if git would find the pattern in this line. */
function matches(pattern: string, line: string): boolean {
  const found = Bun.spawnSync(['grep', '-qE', '-e', pattern], { stdin: Buffer.from(line) })
  return found.exitCode === 0
}
