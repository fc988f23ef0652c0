import { describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { EXPORT_FORMATS, exportSet } from '#actions/pricing/export-prices.ts'
import { parseCsv } from '../../support/csv.ts'
import { runProcess } from '../../support/process.ts'
import { parseCsvWithPython } from '../../support/python-csv.ts'
import { createTestApp } from '../../support/test-app.ts'
import type { Row } from '../../support/test-client.ts'

const SETS = [90011, 90012, 90021, 90022, 90031]
const TYPES = { json: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8' }

const testApp = await createTestApp({ onDisk: true })

const request = (set: number | string, query = '', headers: Record<string, string> = {}) =>
  testApp.client.get(`/v1/export/set/${set}${query}`, { as: 'business', headers })

describe.each(EXPORT_FORMATS)('GET /v1/export/set/{id}?format=%s', (format) => {
  test('equals the output of the command and the action, byte for byte', async () => {
    for (const set of SETS) {
      const { status, text } = await request(set, `?format=${format}`)
      expect(status).toBe(200)
      expect(text).toBe([...exportSet(testApp.deps, set, format)].join(''))
    }
    const { text } = await request(90021, `?format=${format}`)
    expect(await commandOf('--set', '90021', '--format', format)).toBe(text)
  })

  test('has a file name, a type, and is private to its caller', async () => {
    const { headers } = await request(90021, `?format=${format}`)
    const names = ['content-disposition', 'content-type', 'cache-control', 'vary', 'accept-ranges']
    expect(names.map((name) => headers.get(name))).toEqual([
      `attachment; filename="vellum-and-thorn-the-ninth-library.${format}"`,
      TYPES[format],
      'private, no-cache',
      'X-API-Key, Authorization, Accept-Encoding',
      null,
    ])
  })

  test('ignores ranges: it is rendered for each request', async () => {
    const { status, text } = await request(90021, `?format=${format}`, { range: 'bytes=0-9' })
    expect([status, text.length > 10]).toEqual([200, true])
  })

  test('304 for the same format, and 200 for the other', async () => {
    const { headers } = await request(90021, `?format=${format}`)
    const tag = headers.get('etag') ?? ''
    const known = await request(90021, `?format=${format}`, { 'if-none-match': tag })
    expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', tag])
    const other = format === 'csv' ? 'json' : 'csv'
    expect((await request(90021, `?format=${other}`, { 'if-none-match': tag })).status).toBe(200)
  })
})

test('JSON has the set and its game once, as their own URLs return them', async () => {
  const exported = JSON.parse((await request(90021)).text)
  const dataOf = async (path: string) => (await testApp.client.get(path, { as: 'free' })).body.data
  expect(Object.keys(exported)).toEqual(['game', 'set', 'prices'])
  expect(exported.set).toEqual(await dataOf('/v1/sets/90021'))
  expect(exported.game).toEqual(await dataOf('/v1/games/vellum-and-thorn'))
  const { body } = await testApp.client.get<Row[]>('/v1/sets/90021/prices', { as: 'business' })
  expect(exported.prices).toEqual(body.data)
})

describe('CSV', () => {
  const FORMULAS = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '＝1+1', ' =1']

  test('has every row, as each parser reads it', async () => {
    for (const set of SETS) {
      const { text } = await request(set, '?format=csv')
      const [header = [], ...records] = parseCsv(text)
      expect(parse(text)).toEqual([header, ...records])
      expect(JSON.parse((await request(set)).text).prices).toHaveLength(records.length)
      const read = await parseCsvWithPython(text)
      if (read !== undefined) expect(read).toEqual([header, ...records])
    }
  })

  test('has no formula in any column, whatever the catalog contains', async () => {
    const own = await createTestApp()
    for (const formula of FORMULAS) {
      const change = (sql: string) => own.catalogDb.prepare(sql).run(...bindings(sql, formula))
      change('UPDATE games SET name = ?')
      change('UPDATE sets SET name = ?, abbreviation = ?')
      change('UPDATE cards SET name = ?, number = ?, rarity = ?')
      const { text } = await own.client.get('/v1/export/set/90021?format=csv', { as: 'pro' })
      const [, ...records] = parseCsv(text)
      const cells = records.flat()
      expect(cells.filter((cell) => cell === `'${formula}`).length).toBeGreaterThan(0)
      // A number may be negative; everything else must not look like a formula.
      const live = cells.filter((cell) => /^[=+@\t\r\0]|^-(?!\d+(\.\d+)?$)/.test(cell))
      expect(live).toEqual([])
    }
  })

  function bindings(sql: string, text: string): string[] {
    return Array(sql.split('?').length - 1).fill(text)
  }
})

describe('is rejected:', () => {
  test('has the prices of the view that a request or the command chooses', async () => {
    const path = '/v1/export/set/90021?format=csv&source=tcgplayer'
    const { text } = await testApp.client.get(path, { as: 'business' })
    expect(text).toContain(',source,currency,converted,rate,rate_date\r\n')
    expect(text).toContain(',tcgplayer,USD,false,,\r\n')
    const args = ['--set', '90021', '--format', 'csv', '--source', 'tcgplayer']
    expect(await commandOf(...args)).toBe(text)
  })

  test('500 if the catalog fails, and the request is refunded', async () => {
    const own = await createTestApp()
    const before = await own.client.get('/v1/sets', { as: 'pro' })
    own.catalogDb.exec('DROP TABLE price_texts')
    const { status, body, headers } = await own.client.get('/v1/export/set/90021', { as: 'pro' })
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(headers.has('content-disposition')).toBe(false)
    expect(body.rate_limit).toEqual(before.body.rate_limit)
  })
})

/** Returns the output of `bun run export`. */
async function commandOf(...args: string[]): Promise<string> {
  const { dataDir, publicUrl } = testApp.deps.config
  const env = { DATA_DIR: dataDir, PUBLIC_URL: publicUrl }
  const { code, stdout, stderr } = await runProcess('scripts/export.ts', { args, env })
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  return stdout
}
