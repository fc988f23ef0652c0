/** Pages that are lists: choices in order, decisions with their state, and pages with a maximum length. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..')
const DECISIONS = 'docs/decisions'

describe('docs/reference/choices.md', () => {
  const rows = readText('docs/reference/choices.md')
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line))
    .map(readCells)

  test('has its rows in order, and no number twice', () => {
    const numbers = rows.map(([number]) => Number(number))
    expect(numbers.length).toBeGreaterThan(200)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  })

  test.each(rows.map((row) => [row[0] ?? '', row] as const))(
    'row %s has a question, a choice, a reason and tests that exist',
    (_, row) => {
      expect(row).toHaveLength(5)
      expect(row.filter((cell) => !/\w/.test(cell))).toEqual([])
      const tests = [...(row[4] ?? '').matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path)
      expect(tests.length).toBeGreaterThan(0)
      expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    },
  )
})

describe('docs/decisions', () => {
  const index = [
    ...readText(`${DECISIONS}/README.md`).matchAll(/^\| \[(.+)\]\((\d{4}-.+\.md)\) \| (.+) \|$/gm),
  ].map(([, title = '', file = '', state = '']) => ({ title, file, state }))

  test('has an index with each decision once', () => {
    const files = [...new Bun.Glob('[0-9]*.md').scanSync({ cwd: join(ROOT, DECISIONS) })]
    expect(index.map(({ file }) => file).sort()).toEqual(files.sort())
  })

  test.each(index)('$file has the title and the state of the index', ({ title, file, state }) => {
    const [heading, first = ''] = readText(`${DECISIONS}/${file}`).split('\n\n')
    expect(heading).toBe(`# ${title}`)
    expect(state).toBe(stateOf(first))
  })

  test('names as a later decision one that exists and is later', () => {
    const later = index.flatMap(({ file, state }) =>
      [...state.matchAll(/\((\d{4}-[^)]+)\)/g)].map(([, other = '']) => [file, other] as const),
    )
    expect(later.length).toBeGreaterThan(20)
    const files = index.map(({ file }) => file)
    expect(later.filter(([file, other]) => !files.includes(other) || other <= file)).toEqual([])
  })

  test('has the same state in the index as in its first line', () => {
    expect(stateOf('**Context.** Prices.')).toBe('valid')
    expect(stateOf('Superseded by [decision 40](0040-a.md): apart.')).toBe(
      'superseded by [40](0040-a.md)',
    )
    expect(
      stateOf(
        'Amended by [decision 5](0005-a.md) and [decision 6](0006-b.md): both, see [1](c.md).',
      ),
    ).toBe('amended by [5](0005-a.md), [6](0006-b.md)')
  })
})

describe('a page that is read in one go', () => {
  test.each([
    ['AGENTS.md', 60],
    ['CONTRIBUTING.md', 100],
  ])('%s has at most %i lines', (page, max) => {
    expect(readText(page).trimEnd().split('\n').length).toBeLessThanOrEqual(max)
  })

  test('CHANGELOG.md has at most 40 lines below Unreleased', () => {
    const [, unreleased = ''] = readText('CHANGELOG.md').split(/^## /m)
    expect(unreleased.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  })
})

/** Returns the state in the first paragraph of a decision, as the index writes it. */
function stateOf(paragraph: string): string {
  const [, word, names = ''] = /^(Amended|Superseded) by ([^:]+):/.exec(paragraph) ?? []
  if (word === undefined) return 'valid'
  const links = [...names.matchAll(/\[decision (\d+)\]\(([^)]+)\)/g)]
  return `${word.toLowerCase()} by ${links.map(([, number, file]) => `[${number}](${file})`).join(', ')}`
}

function readCells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
