import { describe, expect, test } from 'bun:test'
import { choosePriceView, listCurrencies, type PriceChoice } from '#rules/pricing/price-view.ts'

const KNOWN = {
  lists: [
    { source: 'cardmarket', currency: 'EUR' },
    { source: 'my-shop', currency: 'CHF' },
    { source: 'my-shop', currency: 'EUR' },
  ],
  convertible: ['EUR', 'GBP', 'USD'],
}

const viewOf = (choice: PriceChoice, known = KNOWN) => {
  const { currency, lists } = choosePriceView(choice, known)
  return [currency, ...lists.map((list) => `${list.source} ${list.currency}`)]
}

describe('a choice of prices', () => {
  test.each<[PriceChoice, string[]]>([
    [{ currency: 'USD' }, ['USD', 'tcgplayer USD']],
    [{ currency: 'EUR' }, ['EUR', 'cardmarket EUR', 'tcgplayer USD']],
    [{ currency: 'GBP' }, ['GBP', 'tcgplayer USD']],
    [{ source: 'cardmarket' }, ['EUR', 'cardmarket EUR']],
    [{ source: 'cardmarket', currency: 'GBP' }, ['GBP', 'cardmarket EUR']],
    [{ source: 'tcgplayer', currency: 'EUR' }, ['EUR', 'tcgplayer USD']],
    [{ source: 'my-shop' }, ['CHF', 'my-shop CHF', 'my-shop EUR']],
    [{ source: 'my-shop', currency: 'EUR' }, ['EUR', 'my-shop EUR', 'my-shop CHF']],
  ])('%j is answered by %j', (choice, expected) => {
    expect(viewOf(choice)).toEqual(expected)
  })

  test('has native prices without any rate', () => {
    const known = { ...KNOWN, convertible: [] }
    expect(viewOf({ currency: 'EUR' }, known)).toEqual(['EUR', 'cardmarket EUR', 'tcgplayer USD'])
    expect(() => viewOf({ currency: 'GBP' }, known)).toThrow('Choose from EUR, USD.')
  })

  test.each<[PriceChoice, string]>([
    [{ currency: 'CHF' }, '"currency" is not available. Choose from EUR, GBP, USD.'],
    [{ currency: 'eur' }, '"currency" is not available. Choose from EUR, GBP, USD.'],
    [{ source: 'ebay' }, '"source" is not available. Choose from cardmarket, my-shop, tcgplayer.'],
    [
      { source: 'my-shop', currency: 'JPY' },
      '"currency" is not available. Choose from CHF, EUR, GBP, USD.',
    ],
  ])('%j is refused with the known values', (choice, message) => {
    expect(() => viewOf(choice)).toThrow(message)
  })

  test('can be any currency with rates or with a native source', () => {
    expect(listCurrencies(KNOWN)).toEqual(['EUR', 'GBP', 'USD'])
    expect(listCurrencies({ lists: [], convertible: [] })).toEqual(['USD'])
  })
})
