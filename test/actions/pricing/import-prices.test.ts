// Price lists on the sample, from the file to the prices of the catalog.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { importPrices } from '#actions/pricing/import-prices.ts'
import type { PriceListInput } from '#actions/pricing/read-price-list.ts'
import { type CatalogWriterDeps, openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

let testApp: TestApp

beforeEach(async () => {
  testApp = await createTestApp({ onDisk: true })
})
afterEach(() => testApp.close())

const HEADER = 'card_id,name,set,number,printing,condition,grade,price,currency,source\n'

type Options = Partial<Omit<PriceListInput, 'bytes'>> & { dryRun?: boolean }

function load(text: string, { dryRun = false, ...options }: Options = {}) {
  const { deps } = testApp
  const bytes = new TextEncoder().encode(text)
  const input = { bytes, format: 'list' as const, source: undefined, currency: 'USD', ...options }
  const openWriter = (): Promise<CatalogWriterDeps> => openCatalogWriterDeps(deps.config)
  return importPrices(deps, input, { openWriter: dryRun ? undefined : openWriter })
}

/** Returns the prices of a card by condition and printing. */
function pricesOf(cardId: number) {
  const prices = testApp.deps.catalog.sources.prices.listByCard(cardId)
  return prices.map((price) => {
    const { source, printing, currency, condition, grade, market_price } = price
    return [source, printing, currency, condition, grade, market_price]
  })
}

const historyOf = (cardId: number) =>
  testApp.deps.catalog.sources.prices
    .listByCard(cardId)
    .flatMap(({ series }) => testApp.deps.catalog.history.getPoints(series, 0))

describe('a price list', () => {
  const LIST = `${HEADER}900101,,,,,NM,,10.50,EUR,my-shop
,Cindle,Tidepool Parade,001/020,Reverse Holofoil,Lightly Played,,"€ 8,25",,my-shop
900101,,,,,,psa10,250,USD,My-Shop
`

  test('has prices by id or by name, in any currency, by condition and grade', async () => {
    expect(await load(LIST)).toEqual({
      source: 'my-shop',
      rows: 3,
      prices: 3,
      changed: 3,
      left_out: [],
    })
    expect(pricesOf(900101)).toEqual([
      ['my-shop', 'Normal', 'EUR', 'near_mint', null, 1_050],
      ['my-shop', 'Normal', 'USD', null, 'PSA 10', 25_000],
      ['my-shop', 'Reverse Holofoil', 'EUR', 'lightly_played', null, 825],
    ])
  })

  test('that is imported twice changes nothing', async () => {
    await load(LIST)
    const before = [pricesOf(900101), historyOf(900101)]
    expect(await load(LIST)).toMatchObject({ prices: 3, changed: 0 })
    expect([pricesOf(900101), historyOf(900101)]).toEqual(before)
  })

  test('replaces all prices of its source, and of no other source source', async () => {
    await load(LIST)
    await load(`${HEADER}900101,,,,,NM,,3,EUR,other-shop\n`)
    expect(await load(`${HEADER}900102,,,,,NM,,1,EUR,my-shop\n`)).toMatchObject({ changed: 4 })
    expect(pricesOf(900101)).toEqual([['other-shop', 'Normal', 'EUR', 'near_mint', null, 300]])
    expect(pricesOf(900102)).toHaveLength(1)
  })

  test('in a dry run is only reported', async () => {
    expect(await load(LIST, { dryRun: true })).toMatchObject({ prices: 3, changed: null })
    expect(pricesOf(900101)).toEqual([])
  })

  test('keeps the history of each price', async () => {
    await load(LIST)
    expect(historyOf(900101).map(({ market_price }) => market_price)).toEqual([1_050, 25_000, 825])
  })

  test('lists the rows that it leaves out, with their lines', async () => {
    const rows = [
      ['900101,,,,,NM,,1,,', undefined],
      ['900101,,,,,NM,,2,,', 'duplicate'],
      ['123,,,,,NM,,1,,', 'product_id_not_found'],
      [',Nobody,,,,NM,,1,,', 'no_match'],
      [',Cindle,Nowhere,,,NM,,1,,', 'set_not_found'],
      [',Cindle,Tidepool Parade,999,,NM,,1,,', 'number_not_found'],
      [',,,,,NM,,1,,', 'no_name'],
      ['900101,,,,Etched,NM,,1,,', 'printing_not_found'],
      ['900101,,,,,Wow,,1,,', 'unknown_condition'],
      ['900101,,,,,,PSA 11,1,,', 'unknown_grade'],
      ['900101,,,,,LP,,free,,', 'invalid_price'],
      ['900101,,,,,LP,,,,', 'no_price'],
      ['900101,,,,,LP,,0.00,,', 'no_price'],
      ['900101,,,,,LP,,1,euro,', 'invalid_currency'],
      ['900101,,,,,LP,,$1,EUR,', 'invalid_currency'],
      ['900101,,,,,LP,,1,,elsewhere', 'other_source'],
    ] as const
    const text = HEADER + rows.map(([row]) => `${row}\n`).join('')
    const { left_out, prices } = await load(text, { source: 'my-shop' })
    expect(prices).toBe(1)
    const expected = rows.flatMap(([, reason], index) =>
      reason === undefined ? [] : [[index + 2, reason]],
    )
    expect(left_out.map(({ line, reason }) => [line, reason])).toEqual(expected)
  })

  test('counts blank lines and the line that names the delimiter', async () => {
    const text = `sep=;\ncard_id;price\n900101;1\n\n900102;"x\ny"\n900103;x\n`
    const { left_out } = await load(text, { source: 'my-shop' })
    expect(left_out.map(({ line }) => line)).toEqual([6, 7])
  })

  test('does not take a price for one of several cards with the same name', async () => {
    const { deps } = testApp
    const cards = (deps.catalog.names.findExact(['cindle']).get('cindle') ?? []).flatMap((hit) =>
      hit.listAll(),
    )
    const { left_out } = await load(`${HEADER},Cindle,,,,NM,,1,,\n900101,,,,,NM,,1,,\n`, {
      source: 'my-shop',
    })
    expect(left_out.map(({ reason }) => reason)).toEqual(cards.length > 1 ? ['ambiguous'] : [])
  })

  test.each([
    ['no source', LIST.replaceAll(/my-shop/gi, ''), {}, 'states no source'],
    ['two sources', LIST.replace('my-shop', 'other'), {}, 'several sources: other, my-shop'],
    ['a reserved source', LIST, { source: 'cardmarket' }, 'reads itself'],
    ['the source of the mirror', LIST, { source: 'tcgplayer' }, 'reads itself'],
    ['a source with a wrong name', LIST, { source: 'My Shop' }, 'not a name of a source'],
    ['no prices', 'card_id,name\n1,x\n', { source: 'a' }, 'no column with prices'],
    ['no cards', 'price\n1\n', { source: 'a' }, 'no column with card names'],
    ['no rows', HEADER, { source: 'a' }, 'No row of the list could be imported'],
    ['only unknown cards', `${HEADER}5,,,,,,,1,,`, { source: 'a' }, 'the prices of a stay'],
    ['nothing', '', { source: 'a' }, 'The file is empty'],
  ])('with %s is refused', async (_, text, options, problem) => {
    await load(LIST)
    await expect(load(text, options)).rejects.toThrow(problem)
    expect(pricesOf(900101)).toHaveLength(3)
  })
})

describe('the price guide of PriceCharting', () => {
  const COLUMNS =
    'id,console-name,product-name,loose-price,cib-price,new-price,graded-price,box-only-price,manual-only-price,bgs-10-price,condition-17-price,condition-18-price,condition-19-price,retail-loose-buy,sales-volume,genre,tcg-id,release-date\n'
  const row = (product: string, prices: string, rest: string) =>
    `1,Wickerwild Creature Duels Tidepool Parade,${product},${prices},$9.99,12,${rest},2026-01-01\n`
  const ALL = '$1.50,$7.00,$8.00,$9.00,$9.50,"$1,010.00",$20.00,$17.00,$18.00,$19.00'
  const GENRE = 'Wickerwild Creature Duels Card'

  test('has the prices of raw cards and of each grade', async () => {
    const text = COLUMNS + row('Cindle #001', ALL, `${GENRE},`)
    const report = await load(text, { format: 'pricecharting' })
    expect(report).toMatchObject({ source: 'pricecharting', rows: 1, prices: 12, left_out: [] })
    const found = pricesOf(900101)
    expect(new Set(found.map(([source, , currency]) => `${source} ${currency}`))).toEqual(
      new Set(['pricecharting USD']),
    )
    expect(Object.fromEntries(found.map((price) => [price[4] ?? 'raw', price[5]]))).toEqual({
      raw: 150,
      'Grade 7': 700,
      'Grade 7.5': 700,
      'Grade 8': 800,
      'Grade 8.5': 800,
      'Grade 9': 900,
      'Grade 9.5': 950,
      'PSA 10': 101_000,
      'BGS 10': 2_000,
      'CGC 10': 1_700,
      'SGC 10': 1_800,
      'CGC 10 Pristine': 1_900,
    })
  })

  test('finds cards by the id of the marketplace, and printings in brackets', async () => {
    const prices = '$1.50,,,,,$0.00,,,,'
    const text =
      COLUMNS +
      row('Cindle #001', prices, 'Pokemon Card,900101') +
      row('Cindle [Reverse Holo] #001', prices, `${GENRE},`) +
      row('Cindle [Shadowless] #001', prices, `${GENRE},900101`) +
      row('Tidepool Parade Booster Box', prices, 'Systems,') +
      row('Cindle #001', '$0.00,,,,,,,,,', `${GENRE},`)
    const { left_out } = await load(text, { format: 'pricecharting' })
    expect(pricesOf(900101).map(([, printing]) => printing)).toEqual(['Normal', 'Reverse Holofoil'])
    expect(left_out.map(({ line, reason }) => [line, reason])).toEqual([
      [4, 'printing_not_found'],
      [5, 'not_a_card'],
      [6, 'no_price'],
    ])
  })

  test('is recognized by its columns', async () => {
    await expect(load(HEADER, { format: 'pricecharting' })).rejects.toThrow('not a price guide')
  })
})
