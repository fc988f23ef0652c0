// The command as people run it, in a separate process on its own data folder.
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { dayOf } from '#rules/primitives/days.ts'
import { openSourcePublisher } from '#store/catalog/sources/source-publisher.ts'
import { startScripts } from '../support/operations/run-scripts.ts'
import { createTestApp } from '../support/test-app.ts'

/** An outer limit on a busy machine; nothing here waits for it. */
setDefaultTimeout(120_000)

const testApp = await createTestApp({ onDisk: true })
const folder = mkdtempSync(join(tmpdir(), 'cardstock-resolve-'))
afterAll(() => {
  testApp.close()
  rmSync(folder, { recursive: true, force: true })
})

function fileOf(text: string): string {
  const path = join(folder, `${crypto.randomUUID()}.csv`)
  writeFileSync(path, text)
  return path
}

const scripts = startScripts(folder)
afterAll(scripts.close)

function run(...args: string[]) {
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: testApp.deps.config.dataDir }
  return scripts.run({ path: 'scripts/resolve.ts', args }, env)
}

const COLLECTION = 'Quantity,Name,Set\n2,Cindle,TPP\n1,Nobody,\n'

describe('resolve', () => {
  test('writes a table to stdout, and what it wrote to stderr', async () => {
    const { code, stdout, stderr } = await run(fileOf(COLLECTION))
    expect(code).toBe(0)
    const table = parse<Record<string, string>>(stdout, { columns: true })
    expect(table.map(({ row, card_id, value }) => [row, card_id, value])).toEqual([
      ['1', '900101', '0.24'],
      ['2', '', ''],
      ['total', '', '0.24'],
    ])
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual([
      expect.objectContaining({ task: 'resolve', done: 41, total: 41 }),
      { format: 'csv', rows: 2, matched: 1 },
    ])
  })

  test('writes JSON, to a file that appears when it is complete', async () => {
    const out = join(folder, 'out.json')
    const args = ['--format', 'json', '--game', 'wickerwild', '--out', out]
    const { code, stdout } = await run(fileOf(COLLECTION), ...args)
    const bytes = Bun.file(out).size
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ format: 'json', rows: 2, matched: 1, out, bytes })
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      rows: [{ row: 1, value: 0.24 }],
      unmatched: [{ row: 2, name: 'Nobody', reason: 'no_match' }],
      total_value: 0.24,
      meta: { total_requested: 2, total_matched: 1, unpriced: 0 },
    })
  })

  test('converts prices into a currency, which the table names', async () => {
    openSourcePublisher(testApp.catalogDb).putRates(
      [{ day: dayOf(new Date()), perEuro: { USD: 1.25 } }],
      new Date(),
    )
    const { code, stdout } = await run(fileOf(COLLECTION), '--currency', 'EUR')
    expect(code).toBe(0)
    const table = parse<Record<string, string>>(stdout, { columns: true })
    expect(
      table.map(({ market_price, value, currency, converted, rate }) => [
        market_price,
        value,
        currency,
        converted,
        rate,
      ]),
    ).toEqual([
      ['0.1', '0.2', 'EUR', 'true', '0.8'],
      ['', '', '', '', ''],
      ['', '0.2', 'EUR', '', ''],
    ])
    const unknown = await run(fileOf(COLLECTION), '--currency', 'XXX')
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('--currency is not available. Choose from EUR, USD.')
  })

  test('accepts a file of 50 MB, and reports the progress', async () => {
    const notes = 'x'.repeat(2_000)
    const record = `2,Cindle,TPP,900101,"${notes}\r\n"\r\n1,Marginwyrm,,900205,${notes}\r\n`
    const path = fileOf(`Quantity,Name,Set,Product ID,Notes\r\n${record.repeat(12_500)}`)
    expect(Bun.file(path).size).toBeGreaterThan(50_000_000)
    const { code, stdout, stderr } = await run(path)
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\r\n')).toHaveLength(1 + 25_000 + 1)
    expect(stdout).toEndWith(`total${','.repeat(12)}73000,,,,\r\n`)
    const lines = stderr.trimEnd().split('\n')
    expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ done: Bun.file(path).size })
  })

  test.each([
    ['a file that is not there', '/no/such/file.csv'],
    ['a folder', '.'],
    ['wrong columns', fileOf('Date,Amount\n1,2\n')],
    ['an empty file', fileOf('')],
    ['a quote that is not closed', fileOf('Name\nCindle\n"Cindle\n')],
  ])('exits with 1 for %s, with a message, and leaves no file', async (_, path) => {
    const out = join(folder, 'none.csv')
    const result = await run(path, '--out', out)
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(/\w/)
    expect(result.stderr).not.toMatch(/\n\s+at |node_modules/)
    expect([out, `${out}.part`].filter(existsSync)).toEqual([])
  })

  test('exits with 1 for an unknown game', async () => {
    const { code, stderr } = await run(fileOf(COLLECTION), '--game', 'no-such-game')
    expect([code, stderr]).toEqual([1, expect.stringContaining('no-such-game')])
  })
})
