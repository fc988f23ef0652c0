import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { listUnmatched, mapProducts } from '#actions/sync/cardmarket/map-products.ts'
import { guideRow } from '../../../support/sync/cardmarket-files.ts'
import {
  type CardmarketWorld,
  createCardmarketWorld,
  GAME,
} from '../../../support/sync/cardmarket-world.ts'

let world: CardmarketWorld
beforeEach(async () => {
  world = await createCardmarketWorld()
  await world.import()
})
afterEach(() => world.close())

const map = (text: string) => mapProducts(world.deps, new TextEncoder().encode(text))
const COIN = 1
const CARD = 30_105
const PRODUCT = 301_005

describe('a mapping', () => {
  test('outlives each import, and the next one publishes its prices', async () => {
    expect(map(`product_id,card_id,printing\n${PRODUCT},,\n${COIN},${CARD},Normal\n`)).toEqual({
      taken: 2,
      errors: [],
    })
    // The files are unchanged.
    await world.import()
    expect(world.pricesOf(CARD)).toEqual({ Normal: [400, 240] })
    const renamed = world.products.map((product) =>
      product.id === COIN ? { ...product, name: 'Another coin' } : product,
    )
    world.write({ products: renamed, rows: [...world.rows.slice(0, -1), guideRow(COIN, 6)] })
    await world.import()
    expect(world.pricesOf(CARD)).toEqual({ Normal: [600, 360] })
  })

  test('lists the lines with errors, and imports the rest', () => {
    const { taken, errors } = map(
      [
        'card_id;product_id;printing',
        `${CARD};${PRODUCT};Normal`,
        `${CARD};abc;`,
        '',
        `${CARD};999;`,
        `999;${COIN};`,
        `${CARD};${COIN};Glitter`,
        `30106;${PRODUCT};`,
      ].join('\r\n'),
    )
    expect(taken).toBe(1)
    expect(errors).toEqual([
      { line: 3, reason: '"abc" is not a product id.' },
      { line: 5, reason: 'Product 999 is not in the lists that were imported.' },
      { line: 6, reason: 'The catalog has no card 999.' },
      { line: 7, reason: `Card ${CARD} has no printing "Glitter", but: Normal, Reverse Holofoil.` },
      { line: 8, reason: `Product ${PRODUCT} already has another card in an earlier row.` },
    ])
  })

  test('of 100,000 rows is read, whatever is wrong with some', () => {
    const rows = Array.from({ length: 100_000 }, (_, at) =>
      at % 5 === 0
        ? `${PRODUCT},${CARD}`
        : at % 5 === 1
          ? `${at + 5_000_000},${CARD}`
          : `x${at},"${at}`.replace('"', ''),
    )
    const { taken, errors } = map(`product_id,card_id\n${rows.join('\n')}\n`)
    expect(taken).toBe(1)
    expect(errors.length).toBe(80_000)
    expect(errors[0]).toEqual({
      line: 3,
      reason: 'Product 5000001 is not in the lists that were imported.',
    })
  })

  test.each(['', 'product,card\n1,2\n', '\0\0'])('%p is refused as a whole', (text) => {
    expect(() => map(text)).toThrow('product_id, card_id')
  })
})

test('products without a card are listed, except those that an operator has mapped', () => {
  expect(listUnmatched(world.catalog, 'pokemon')).toEqual([
    { id: COIN, name: 'Coin', expansion_id: 0, is_sealed: 1, set_id: null, set_name: null },
  ])
  map(`product_id,card_id\n${COIN},\n`)
  expect(listUnmatched(world.catalog, undefined)).toEqual([])
  expect(() => listUnmatched(world.catalog, 'chess')).toThrow('Cardmarket has no game')
  expect(
    world.deps.catalogWriter.sourceProducts.list('cardmarket', GAME).find(({ id }) => id === COIN),
  ).toMatchObject({ method: 'operator', confidence: 1, card_id: null })
})
