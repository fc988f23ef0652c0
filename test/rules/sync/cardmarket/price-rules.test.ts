import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { chooseProductPrices } from '#rules/sync/cardmarket/choose-product-prices.ts'
import { readCreatedAt, readGuidePrices, readListedProduct } from '#rules/sync/cardmarket/files.ts'
import { isImportDue } from '#rules/sync/cardmarket/import-schedule.ts'
import { createRecordReader } from '#rules/sync/record-reader.ts'

describe('a large file', () => {
  test('has the same prices, wherever its chunks end', () => {
    const record = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.double(), fc.constant([{ a: '}' }])),
    )
    fc.assert(
      fc.property(fc.array(record), fc.integer({ min: 1, max: 9 }), (records, length) => {
        const text = JSON.stringify({ version: 1, products: records, createdAt: 'now' })
        const reader = createRecordReader('products')
        const found: unknown[] = []
        for (let at = 0; at < text.length; at += length)
          found.push(...reader.push(text.slice(at, at + length)))
        expect(found).toEqual(JSON.parse(JSON.stringify(records)))
        expect(reader.end()).toEqual({ version: 1, products: [], createdAt: 'now' })
      }),
    )
  })

  test.each([
    ['', 'empty'],
    ['<html>', 'web page'],
    ['{"products":[{"a":1}', 'cut off'],
    ['{"products":[{"a":', 'cut off'],
    ['{"products":[]', 'not JSON'],
    ['{"other":[]}', 'no list of products'],
    ['[]', 'not an object'],
    ['{"products":[{"a":tru}]}', 'not JSON'],
  ])('%p is refused', (text, reason) => {
    expect(() => {
      const reader = createRecordReader('products')
      reader.push(text)
      reader.end()
    }).toThrow(reason)
  })
})

describe('a row of a guide', () => {
  test.each([
    [
      { idProduct: 1, trend: 3.5, low: 0.02, 'trend-foil': 0, 'low-foil': null },
      [350, 2, null, null],
    ],
    [{ idProduct: 1, trend: 0, 'trend-holo': 12.34, 'low-holo': 1 }, [null, null, 1234, 100]],
    [{ idProduct: 1, avg: 'x', trend: 383.38 }, [38_338, null, null, null]],
  ])('%j is read in cents', (raw, [trend, low, foil_trend, foil_low]) => {
    const record = { product_id: 1, trend, low, foil_trend, foil_low }
    expect(readGuidePrices(raw)).toEqual({ record } as never)
  })

  test.each([
    [null, 'object'],
    [{ idProduct: 0 }, 'idProduct'],
    [{ idProduct: '1' }, 'idProduct'],
    [{ idProduct: 1, trend: -1 }, 'trend'],
    [{ idProduct: 1, low: '3.00' }, 'low'],
    [{ idProduct: 1, trend: 1e9 }, 'trend'],
  ])('%j is rejected', (raw, field) => {
    expect(readGuidePrices(raw)).toMatchObject({
      rejected: { reason: expect.stringContaining(field) },
    })
  })
})

test('a product has no date if it is missing, that of the first import, or in the future', () => {
  const dates = [
    '0000-00-00 00:00:00',
    '2007-01-01 00:00:00',
    '2999-01-01 00:00:00',
    '2015-11-20 12:40:51',
  ]
  const read = dates.map((dateAdded) => {
    const raw = { idProduct: 1, name: 'Weedle ""x""', idExpansion: 2, dateAdded }
    return readListedProduct(raw, 'singles', 20_700)
  })
  expect(read.map((one) => ('record' in one ? one.record.added_on : 'rejected'))).toEqual([
    null,
    null,
    null,
    16_759,
  ])
  expect(read[0]).toMatchObject({ record: { name: 'Weedle "x"' } })
})

test('a time has an offset with or without a colon', () => {
  for (const createdAt of ['2026-07-26T02:44:32+0200', '2026-07-26T02:44:32+02:00'])
    expect(readCreatedAt({ version: 1, createdAt }).toISOString()).toBe('2026-07-26T00:44:32.000Z')
})

describe('the columns of a guide', () => {
  const row = { product_id: 1, trend: 300, low: 200, foil_trend: 900, foil_low: 800 }
  const foilOnly = { ...row, trend: null, low: null }
  const printings = (...names: string[]) =>
    names.map((printing, at) => ({ printing, market_price: 100 + at, low_price: null }))
  const priced = (...args: Parameters<typeof chooseProductPrices>) =>
    Object.fromEntries(
      chooseProductPrices(...args).map(({ printing, market_price }) => [printing, market_price]),
    )

  test.each([
    [['Normal', 'Foil'], { Normal: 300, Foil: 900 }],
    [['Normal', 'Reverse Holofoil'], { Normal: 300, 'Reverse Holofoil': 900 }],
    [['Reverse Holofoil', 'Holofoil'], { Holofoil: 300, 'Reverse Holofoil': 900 }],
    [['Holofoil'], { Holofoil: 300 }],
    [['Normal'], { Normal: 300 }],
    [[], {}],
  ])('price %p', (names, expected) => {
    expect(priced(row, null, printings(...names))).toEqual(expected as never)
  })

  test('price the base printing of a card that has foils only', () => {
    expect(priced(foilOnly, null, printings('Foil'))).toEqual({ Foil: 900 })
    expect(priced(foilOnly, null, printings('Normal'))).toEqual({})
  })

  test('are both of one printing, if the product is', () => {
    expect(priced(row, 'Etched Foil', printings('Normal', 'Foil', 'Etched Foil'))).toEqual({
      'Etched Foil': 300,
    })
    expect(priced(foilOnly, 'Etched Foil', printings('Normal'))).toEqual({ 'Etched Foil': 900 })
  })
})

describe('an import is due', () => {
  test.each([
    [null, '2026-08-05T00:00:00Z', true],
    ['2026-08-04T05:00:00Z', '2026-08-05T00:49:00Z', false],
    ['2026-08-04T05:00:00Z', '2026-08-05T00:50:00Z', true],
    ['2026-08-05T00:51:00Z', '2026-08-05T23:00:00Z', false],
    ['2026-12-04T05:00:00Z', '2026-12-05T01:49:00Z', false],
    ['2026-12-04T05:00:00Z', '2026-12-05T01:50:00Z', true],
    ['2027-08-04T05:00:00Z', '2026-08-05T00:00:00Z', true],
    // The hour that is repeated when summer time ends.
    ['2026-10-25T00:55:00Z', '2026-10-25T01:10:00Z', false],
  ])('after %p at %p: %p', (last, now, due) => {
    expect(isImportDue(last, new Date(now))).toBe(due)
  })
})
