/** Checks that docs/reference/benchmarks.md names the run of each table, and that figures quoted elsewhere stand there. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describeRun } from '../bench/measure.ts'
import { formatTable } from '../bench/table.ts'

const ROOT = resolve(import.meta.dir, '..')
const FILE = 'docs/reference/benchmarks.md'

/** The line above a table, as `bun run bench` prints it: machine, commit and day, then what else identifies the run. */
const RUN =
  /^Run: (?<machine>[^;]+); commit (?<commit>[0-9a-f]{8}); (?<day>\d{4}-\d\d-\d\d)(?:; .+)?$/

/** Pages that may quote figures; README.md has rules of its own. */
const PAGES = [...new Bun.Glob('docs/**/*.md').scanSync(ROOT)].filter((file) => file !== FILE)

type Table = { anchor: string; rows: string; run: RegExpExecArray['groups'] }

/** Lists the tables with the run above each, which holds for one table only. */
function listTables(markdown: string): Table[] {
  const tables: Table[] = []
  let anchor = ''
  let run: Table['run']
  for (const block of markdown.split(/\n{2,}/)) {
    const [, heading] = /^#+ (.+)$/.exec(block) ?? []
    if (heading !== undefined) anchor = heading.toLowerCase().replaceAll(' ', '-')
    else if (block.startsWith('|')) {
      tables.push({ anchor, rows: block, run })
      run = undefined
    } else if (block.startsWith('Run: ')) run = RUN.exec(block)?.groups
  }
  return tables
}

const TABLES = listTables(read(FILE))

/** A link to the section of a run, which names processor and commit. */
const RUN_LINK =
  /\[(?<machine>[^\]]+), commit (?<commit>[0-9a-f]{8})\]\(docs\/reference\/benchmarks\.md#(?<anchor>[\w-]+)\)/

/** Selects the tables of a run that README.md names. */
function tablesOfRun(link: RegExpExecArray | null, tables: readonly Table[]): Table[] {
  const { machine = '', commit, anchor } = link?.groups ?? {}
  return tables.filter(
    ({ run, ...table }) =>
      table.anchor === anchor && run?.commit === commit && run?.machine?.includes(machine),
  )
}

type Quote = { file: string; text: string; anchor: string }

/** Lists the quotes of a page: links to a section of the benchmarks whose text has a digit. */
function listQuotes(file: string): Quote[] {
  const links = [...read(file).matchAll(/\[([^\]]*\d[^\]]*)\]\(([^)#]+)#([\w-]+)\)/g)]
  return links.flatMap(([, text = '', target = '', anchor = '']) =>
    join(dirname(file), target) === FILE ? [{ file, text, anchor }] : [],
  )
}

/** Lists the numbers of a text that no table has. */
function listMissing(text: string, tables: readonly Table[]): string[] {
  const known = new Set(tables.flatMap(({ rows }) => rows.match(NUMBER) ?? []))
  return (text.match(NUMBER) ?? []).filter((number) => !known.has(number))
}

const NUMBER = /\d+(?:[.,]\d+)*/g

describe(FILE, () => {
  test('names processor, commit and day of the run above each table', () => {
    expect(TABLES.length).toBeGreaterThan(0)
    expect(
      TABLES.filter(({ run }) => run === undefined).map(({ rows }) => rows.split('\n')[0]),
    ).toEqual([])
  })

  test('has the figures that other pages link', () => {
    const quotes = PAGES.flatMap(listQuotes)
    expect(quotes.length).toBeGreaterThan(0)
    const wrong = quotes.map((quote) => ({
      ...quote,
      missing: listMissing(
        quote.text,
        TABLES.filter(({ anchor }) => anchor === quote.anchor),
      ),
    }))
    expect(wrong.filter(({ missing }) => missing.length > 0)).toEqual([])
  })

  test('has every figure of README.md, in a table of the run that README.md names', () => {
    const readme = read('README.md')
    const [introduction = '', ...figures] = readme
      .slice(readme.indexOf('## Figures'), readme.indexOf('[MIT license]'))
      .trim()
      .split(/\n+- /)
    expect(figures).toHaveLength(5)
    const missing = figures.map((figure) => {
      const link = RUN_LINK.exec(figure) ?? RUN_LINK.exec(introduction)
      return listMissing(figure.replace(RUN_LINK, ''), tablesOfRun(link, TABLES))
    })
    expect(missing).toEqual(figures.map(() => []))
  })
})

describe('a figure', () => {
  const tables = listTables(`## Speed

Run: 2 x AMD EPYC, 24 GiB; commit 12345678; 2026-11-23; \`bun run bench card\`

| requests | 12,345/s (4.6x) |

Run: 2 x AMD EPYC, 24 GiB; commit 87654321; 2026-11-24

| requests | 54,321/s |`)
  const check = (figure: string, named: string) => {
    const link = RUN_LINK.exec(`[${named}](docs/reference/benchmarks.md#speed)`)
    return listMissing(figure, tablesOfRun(link, tables))
  }

  test('is accepted if a table of the named run has it', () => {
    expect(check('12,345 a second, 4.6 times', 'AMD EPYC, commit 12345678')).toEqual([])
  })

  test.each([
    ['12,346', 'AMD EPYC, commit 12345678'],
    ['12,345', 'AMD EPYC, commit 87654321'],
    ['12,345', 'Intel Xeon, commit 12345678'],
    ['12,345', 'AMD EPYC'],
  ])('of %p is rejected if %p has no table with it', (figure, named) => {
    expect(check(figure, named)).toEqual([figure])
  })

  test('of `bun run bench` has the run that it prints', () => {
    const run = describeRun('commit 12345678', 'bun run bench card', { Bun: '1.4.5' })
    const row = { figure: 'a card', ours: '1/s' }
    const [table] = listTables([run, '500,000 cards.', formatTable([row])].join('\n\n'))
    expect(table?.run?.machine).toMatch(/^\d+ x /)
    expect(table?.rows).toContain('| a card | 1/s |')
  })

  test('of a tree with changes has no run', () => {
    const [table] = listTables('Run: 2 x AMD EPYC; changes after 12345678; 2026-11-23\n\n| 1 |')
    expect(table?.run).toBeUndefined()
  })
})

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}
