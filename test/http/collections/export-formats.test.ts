// Files for apps have the games of the app alone. The games of the sample stand for games that the apps have.
import { beforeAll, describe, expect, test } from 'bun:test'
import { COLLECTION_FORMATS } from '#rules/collections/collection-formats.ts'
import { parseDate } from '#rules/primitives/days.ts'
import { callsOf } from '../../support/collections/collection-calls.ts'
import { parseCsv } from '../../support/csv.ts'
import { addPriceSources, listTestRates } from '../../support/pricing/price-sources.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp } from '../../support/test-app.ts'

const testApp = await createTestApp()
const { create, add, get } = callsOf(testApp)

/** Cards of the sample by the game for which they stand. */
const CARDS = { magic: 900201, lorcana: 900402, other: 900101 }

let mixed: string

beforeAll(async () => {
  testApp.catalogDb.exec(`
    UPDATE games SET slug = 'magic' WHERE id = 9002;
    UPDATE games SET slug = 'lorcana' WHERE id = 9003;
    UPDATE sets SET name = 'Rise of the Floodborn' WHERE game_id = 9003;
    UPDATE cards SET name = '+2 Mace' WHERE id = ${CARDS.magic}`)
  mixed = await create()
  const items = Object.values(CARDS).map((card_id) => ({ card_id, place: '=Box' }))
  expect((await add(mixed, items)).status).toBe(201)
})

/** Returns the columns of a file by header, and the number of left-out items. */
async function exported(id: string, format: string) {
  const { status, text, headers } = await get(id, `/export?format=${format}`)
  expect([format, status]).toEqual([format, 200])
  const [header = [], ...records] = parseCsv(text.replace(/^"sep=,"\r\n/, ''))
  const rows = records.map((cells) =>
    Object.fromEntries(header.map((name, at) => [name, cells[at]])),
  )
  return { rows, leftOut: headers.get('x-items-left-out'), text }
}

describe('the file of a collection with several games', () => {
  test.each([
    ['full', 3, '0'],
    ['tcgplayer', 3, '0'],
    ['collectr', 2, '1'],
    ['moxfield', 1, '2'],
    ['manabox', 1, '2'],
    ['archidekt', 1, '2'],
    ['deckbox', 1, '2'],
    ['dragon_shield', 1, '2'],
    ['dreamborn', 1, '2'],
  ])('for %s has %p items, and leaves out %p', async (format, items, leftOut) => {
    const file = await exported(mixed, format)
    expect([file.rows.length, file.leftOut]).toEqual([items, leftOut])
  })

  test('for an app without any of its games is refused, with the formats to use', async () => {
    const refused = await get(mixed, '/export?format=pokecollector')
    expectRefusal(refused, 409, 'FORMAT_UNAVAILABLE')
    expect(refused.body.error.message).toBe(
      'PokéCollector has no game of these cards, but pokemon. Use the format full or tcgplayer.',
    )
  })

  test('has texts for apps as they are, and guards those of our own formats', async () => {
    const { rows } = await exported(mixed, 'manabox')
    expect(rows).toMatchObject([{ Name: '+2 Mace', 'Binder Name': '=Box' }])
    const own = await exported(mixed, 'full')
    expect(own.rows[0]).toMatchObject({ Name: "'+2 Mace", Place: "'=Box" })
    const all = await testApp.client.get('/v1/collections/export', { as: 'pro' })
    expect(all.text).toContain("'+2 Mace")
  })

  test('has prices paid in their currency, or in US dollars at the rate of their day', async () => {
    const own = await createTestApp()
    addPriceSources(own)
    own.catalogDb.exec("UPDATE games SET slug = 'magic' WHERE id = 9002")
    const calls = callsOf(own)
    const id = await calls.create()
    const bought = { card_id: CARDS.magic, price_paid: 4, acquired_on: '2026-10-20' }
    await calls.add(id, [
      { ...bought, paid_currency: 'EUR' },
      { ...bought, paid_currency: 'TWD' },
      bought,
    ])
    const cellsIn = async (format: string, columns: readonly string[]) => {
      const { text } = await calls.get(id, `/export?format=${format}`)
      const [header = [], ...records] = parseCsv(text)
      return records.map((cells) => columns.map((column) => cells[header.indexOf(column)]))
    }
    expect(await cellsIn('manabox', ['Purchase price', 'Purchase price currency'])).toEqual([
      ['4', 'EUR'],
      ['4', 'TWD'],
      ['4', 'USD'],
    ])
    const rate = listTestRates().findLast(({ day }) => day <= (parseDate('2026-10-20') ?? 0))
    const dollars = (Math.round(400 * (rate?.perEuro.USD ?? 0)) / 100).toFixed(2)
    expect(await cellsIn('moxfield', ['Purchase Price'])).toEqual([[dollars], [''], ['4.00']])
    expect(await cellsIn('deckbox', ['My Price'])).toEqual([[`$${dollars}`], ['$0.00'], ['$4.00']])
  })

  test('for Dreamborn has the number of the set', async () => {
    const { rows } = await exported(mixed, 'dreamborn')
    expect(rows).toMatchObject([{ 'Set Number': '002', Count: '1' }])
  })
})

test('an empty collection has a file with a header in every format', async () => {
  const id = await create()
  for (const format of COLLECTION_FORMATS) {
    const { rows, leftOut } = await exported(id, format)
    expect([format, rows, leftOut]).toEqual([format, [], '0'])
  }
})

test("Dragon Shield's file begins with its delimiter", async () => {
  const { text } = await exported(mixed, 'dragon_shield')
  expect(text.split('\r\n')[0]).toBe('"sep=,"')
})
