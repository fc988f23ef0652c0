import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { COLLECTION_FORMATS } from '#rules/collections/collection-formats.ts'
import { exportCells, exportHeader } from '#rules/collections/export-columns.ts'
import {
  HOLDING_TEXTS,
  type Holding,
  mapHoldingTexts,
  UNKNOWN_HOLDING,
} from '#rules/collections/holding.ts'
import {
  parseHoldingHeader,
  parseHoldingPrice,
  parseHoldingRow,
} from '#rules/collections/holding-columns.ts'
import { LANGUAGE_CODES } from '#rules/collections/languages.ts'
import { CONDITIONS } from '#rules/pricing/price-key.ts'
import { parseDate } from '#rules/primitives/days.ts'
import { SEED } from '../../support/random.ts'

const TODAY = day('2026-11-15')

function day(date: string): number {
  return parseDate(date) ?? Number.NaN
}

function read(header: string, record: string) {
  return parseHoldingRow(parseHoldingHeader(header.split(',')), record.split(','), TODAY)
}

describe('the export of', () => {
  test.each([
    [
      "TCGplayer's app",
      'Quantity,Name,Set,Printing,Condition,Language,Product ID',
      '2,Cindle,Lantern Season,Foil,Lightly Played Foil,Japanese,1',
      { condition: 'lightly_played', language: 'ja' },
    ],
    [
      'Moxfield',
      'Count,Name,Edition,Condition,Language,Foil,Purchase Price',
      '2,Cindle,lsn,Good (Lightly Played),English,foil,1.25',
      { condition: 'lightly_played', language: 'en', price_paid: 125 },
    ],
    [
      'ManaBox',
      'Binder Name,Name,ManaBox ID,Purchase price,Condition,Language,Purchase price currency',
      'Rares,Cindle,1001,1.5,played,zhs,USD',
      { place: 'Rares', condition: 'heavily_played', language: 'zhs', price_paid: 150 },
    ],
    [
      'ManaBox with a date, and the languages of its app',
      'Binder Name,Name,ManaBox ID,Purchase price,Condition,Language,Purchase price currency,Added',
      'Rares,Cindle,1001,1.5,excellent,zh_TW,USD,2026-07-11T18:44:33.509Z',
      {
        place: 'Rares',
        condition: 'lightly_played',
        language: 'zht',
        price_paid: 150,
        acquired_on: day('2026-07-11'),
      },
    ],
    [
      'TopDecked',
      'QUANTITY,NAME,SETCODE,SETNAME,COLLECTOR NUMBER,CONDITION,FINISH,LANG,ACQUIRED PRICE',
      '2,Cindle,LSN,Lantern Season,1,slightly played,foil,de,0.20',
      { condition: 'lightly_played', language: 'de', price_paid: 20 },
    ],
    [
      "Cardmarket's stock",
      'idProduct,groupCount,price,idLanguage,condition,isFoil',
      '13232,1,0.10,7,3,1',
      { condition: 'lightly_played', language: 'ja' },
    ],
    [
      'a spreadsheet in German',
      'Anzahl,Name,Zustand,Sprache,Kaufpreis,Kaufdatum',
      '2,Cindle,NM,Deutsch,1.25,31.5.2026',
      { language: 'de', price_paid: 125, acquired_on: day('2026-05-31') },
    ],
    [
      'a spreadsheet in Japanese',
      '枚数,カード名,状態,言語,購入価格,購入日',
      '2,Cindle,NM,日本語,3,2026/05/31',
      { language: 'ja', price_paid: 300, acquired_on: day('2026-05-31') },
    ],
    [
      'Archidekt',
      'Quantity,Name,Finish,Condition,Date Added,Language,Purchase Price',
      '2,Cindle,Foil,MP,2026-05-15,EN,0.00',
      { condition: 'moderately_played', language: 'en', acquired_on: day('2026-05-15') },
    ],
    [
      'Deckbox',
      'Count,Name,Condition,Language,My Price',
      '2,Cindle,Played,English,$0.00',
      { condition: 'moderately_played', language: 'en' },
    ],
    [
      'Dragon Shield',
      'Folder Name,Quantity,Card Name,Condition,Language,Price Bought,Date Bought',
      'Box 1,2,Cindle,LightPlayed,English,0.5,3/1/2024',
      {
        place: 'Box 1',
        condition: 'moderately_played',
        language: 'en',
        price_paid: 50,
        acquired_on: day('2024-03-01'),
      },
    ],
    [
      "Dragon Shield's phone app",
      'Quantity,Name,PurchasePrice,Condition,Language,PurchaseDate',
      '2,Cindle,3,Poor,Deutsch,20220129',
      { condition: 'damaged', language: 'de', price_paid: 300, acquired_on: day('2022-01-29') },
    ],
    [
      'Collectr',
      'Portfolio Name,Product Name,Grade,Card Condition,Average Cost Paid,Date Added,Notes',
      'Slabs,Cindle,PSA 10,Near Mint,99.5,2025-01-02,gift',
      {
        place: 'Slabs',
        grade: 'PSA 10',
        price_paid: 9_950,
        acquired_on: day('2025-01-02'),
        note: 'gift',
      },
    ],
  ] as [string, string, string, Partial<Holding>][])(
    '%s is understood',
    (_app, header, record, expected) => {
      const { holding } = read(header, record)
      const known = Object.entries(holding).filter(([, value]) => value !== null)
      expect(Object.fromEntries<unknown>(known)).toEqual({
        condition: 'near_mint',
        paid_currency: 'USD',
        ...expected,
      })
    },
  )
})

test('cells that are not understood are noted, and the rest of the row counts', () => {
  const header = 'Name,Condition,Language,Price Paid,Currency,Date,Place'
  const { holding, notes } = read(header, 'Cindle,shiny,Klingon,-5,USD,2027-01-01,=Box')
  expect(notes).toEqual(['invalid_condition', 'invalid_language', 'invalid_price', 'invalid_date'])
  expect(holding).toMatchObject({ condition: 'near_mint', price_paid: null, place: '=Box' })
})

describe('a price paid keeps its currency', () => {
  test.each([
    ['Price Paid,Currency', '5,EUR', 500, 'EUR'],
    ['Price Paid,Currency', '5,eur', 500, 'EUR'],
    ['Price Paid,Currency', '5,€', 500, 'EUR'],
    ['Price Paid,Currency', '5,', 500, 'USD'],
    ['Purchase price,Purchase price currency', '9.99,GBP', 999, 'GBP'],
    ['Purchase Price', '€3.50', 350, 'EUR'],
    ['Purchase Price', '"€ 3,50"', 350, 'EUR'],
    ['Purchase Price', '3.50 EUR', 350, 'EUR'],
    ['Purchase Price', 'CHF 4', 400, 'CHF'],
    ['Purchase Price', 'C$4', 400, 'CAD'],
    ['Purchase Price', '¥500', 50_000, 'JPY'],
    ['Purchase Price', '"10.000.000 KRW"', 1_000_000_000, 'KRW'],
    ['Purchase Price', '"¥1,500"', 150_000, 'JPY'],
    ['Purchase Price', '"1.500,00 €"', 150_000, 'EUR'],
    ['Purchase Price', '0.125 €', 13, 'EUR'],
    ['Purchase Price', '1.2345 €', 123, 'EUR'],
    ['Purchase Price', '$1.500', 150, 'USD'],
    ['My Price', '$4', 400, 'USD'],
    ['Purchase Price (EUR)', '4', 400, 'EUR'],
    ['Purchase Price €', '4', 400, 'EUR'],
    // The currency of a header is that of its column only.
    ['My Price,Cost (EUR)', '5,', 500, 'USD'],
    ['My Price,Cost (EUR)', ',5', 500, 'EUR'],
    ['My Price (GBP),Cost (EUR)', ',5', 500, 'EUR'],
    // A sign of several currencies is that of the column.
    ['Price Paid,Currency', '$5,CAD', 500, 'CAD'],
    ['Price Paid,Currency', '¥5,CNY', 500, 'CNY'],
    ['Purchase Price (EUR),Currency', '5,GBP', 500, 'GBP'],
    // A currency without exchange rates.
    ['Price Paid,Currency', '5,TWD', 500, 'TWD'],
  ])('%s: %s is %i of %s', (header, record, price_paid, paid_currency) => {
    const cells = record.startsWith('"') ? [record.slice(1, -1)] : record.split(',')
    const { holding, notes } = parseHoldingRow(parseHoldingHeader(header.split(',')), cells, TODAY)
    expect({ ...holding, notes }).toMatchObject({ price_paid, paid_currency, notes: [] })
  })

  test.each([
    ['Price Paid,Currency', '5,XYZ', 'currency_not_supported'],
    ['Price Paid,Currency', '5,Euro', 'currency_not_supported'],
    ['Price Paid,Currency', '€5,USD', 'currency_not_supported'],
    ['Price Paid,Currency', '$5,EUR', 'currency_not_supported'],
    ['Price Paid,Currency', '5 XYZ,', 'currency_not_supported'],
    ['Price Paid,Currency', '-5,EUR', 'invalid_price'],
    ['Price Paid,Currency', '€5$,EUR', 'invalid_price'],
    ['Price Paid,Currency', '10000000.01,EUR', 'invalid_price'],
    ['Price Paid,Currency', '1e5,EUR', 'invalid_price'],
    // A thousand and a half, or one and a half.
    ['Price Paid', '1.500 €', 'invalid_price'],
    ['Price Paid,Currency', '1.500,EUR', 'invalid_price'],
    ['Price Paid (EUR)', '1.500', 'invalid_price'],
    ['Price Paid', '¥1.500', 'invalid_price'],
    ['Price Paid,Currency', '$1.500,CAD', 'invalid_price'],
  ] as const)('%s: %s is ignored with a note', (header, record, note) => {
    const { holding, notes } = read(header, record)
    expect([holding.price_paid, holding.paid_currency, notes]).toEqual([null, 'USD', [note]])
  })

  test('unless three digits after its comma may be a thousand', () => {
    const columns = parseHoldingHeader(['Price Paid'])
    const { holding, notes } = parseHoldingRow(columns, ['£1,500'], TODAY)
    expect([holding.price_paid, notes]).toEqual([null, ['invalid_price']])
  })

  test('of which the unknown price of an app has none', () => {
    const { holding, notes } = read('Purchase price,Purchase price currency', '0,XYZ')
    expect([holding.price_paid, holding.paid_currency, notes]).toEqual([null, 'USD', []])
  })
})

test.each([
  ['1', 100],
  ['1.5', 150],
  ['$1,234.56', 123_456],
  ['1.234,56', 123_456],
  ['0,5', 50],
  ['12 USD', 1_200],
  ['US$12', 1_200],
  ['$12 USD', 1_200],
  ['12 usd', 1_200],
  ['1.234', 123],
  ['19.999', 2_000],
  ['1,000', 100_000],
  ['-1', undefined],
  ['1e9', undefined],
  ['1000000.01', undefined],
  ['999999999999', undefined],
  ['one', undefined],
  ['5 EUR', undefined],
  ['', undefined],
])('the amount %p is %p cents', (text, cents) => {
  expect(parseHoldingPrice(text)).toBe(cents)
})

test('our own format keeps every member, whatever its text', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
  const item = fc.record({
    condition: fc.constantFrom(...CONDITIONS),
    language: fc.option(fc.constantFrom(...LANGUAGE_CODES)),
    price_paid: fc.option(fc.integer({ min: 0, max: 1_000_000_000 })),
    paid_currency: fc.constantFrom('USD', 'EUR', 'JPY', 'TWD'),
    target_price: fc.option(fc.integer({ min: 0, max: 100_000_000 })),
    acquired_on: fc.option(fc.integer({ min: 7_305, max: TODAY })),
    ...mapHoldingTexts(() => fc.option(text)),
    grade: fc.constantFrom(null, 'PSA 10', 'BGS 9.5'),
  })
  fc.assert(
    fc.property(item, (made) => {
      const header = exportHeader('full')
      const card = { card_id: 1, name: 'Cindle', number: null, game: 'a', set_code: null }
      const cells = exportCells(
        'full',
        {
          ...UNKNOWN_HOLDING,
          ...card,
          set_name: 'Set',
          printing: null,
          quantity: 1,
          cost: null,
          ...made,
        },
        TODAY,
      )
      const texts = cells.map((cell) => String(cell ?? ''))
      const { holding, notes } = parseHoldingRow(parseHoldingHeader(header), texts, TODAY)
      expect(notes).toEqual([])
      const kept = parseHoldingRow(
        parseHoldingHeader([
          'Price Paid',
          ...Object.values(HOLDING_TEXTS).map(({ header }) => header),
        ]),
        ['', ...Object.values(mapHoldingTexts((_, name) => made[name] ?? ''))],
        TODAY,
      ).holding
      const paid_currency = made.price_paid === null ? 'USD' : made.paid_currency
      expect(holding).toEqual({
        ...made,
        paid_currency,
        ...mapHoldingTexts((_, name) => kept[name]),
      })
    }),
    { seed: SEED },
  )
})

/** Members that the format of an app has no column for. */
const LACKS: Partial<Record<string, readonly string[]>> = {
  tcgplayer: ['price'],
  collectr: ['language'],
  dreamborn: ['condition', 'language', 'price'],
}

test.each(COLLECTION_FORMATS)('the format %s keeps the condition of a raw card', (format) => {
  const lacks = LACKS[format] ?? []
  for (const condition of CONDITIONS) {
    // Only our own format and TCGplayer's distinguish sealed products.
    if (condition === 'unopened' && format !== 'full' && format !== 'tcgplayer') continue
    // PokéCollector has nothing below heavily played.
    if (condition === 'damaged' && format === 'pokecollector') continue
    const item = {
      ...UNKNOWN_HOLDING,
      card_id: 1,
      name: 'Cindle',
      number: '1',
      game: 'magic',
      set_code: 'A',
      set_name: 'Set',
      printing: 'Normal',
      condition,
      language: 'ja',
      quantity: 2,
      price_paid: 150,
      cost: 150,
      acquired_on: TODAY,
      place: 'Box',
    } as const
    const texts = exportCells(format, item, TODAY).map((cell) => String(cell ?? ''))
    const { holding, notes } = parseHoldingRow(
      parseHoldingHeader(exportHeader(format)),
      texts,
      TODAY,
    )
    expect([format, notes]).toEqual([format, []])
    expect([format, holding.condition, holding.language, holding.price_paid]).toEqual([
      format,
      lacks.includes('condition') ? 'near_mint' : condition,
      lacks.includes('language') ? null : 'ja',
      lacks.includes('price') ? null : 150,
    ])
  }
})
