import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { priceGuidePath, productListPath } from '#rules/sync/cardmarket/files.ts'
import { guideRow, writeFile } from '../../../support/sync/cardmarket-files.ts'
import {
  CARDS_A_SET,
  type CardmarketWorld,
  createCardmarketWorld,
  GAME,
} from '../../../support/sync/cardmarket-world.ts'
import { startMirror } from '../../../support/sync/mirror-server.ts'

let world: CardmarketWorld
beforeEach(async () => {
  world = await createCardmarketWorld()
})
afterEach(() => world.close())

const CARD = 30_105
const PRODUCT = 301_005
const NEXT_DAY = '2026-08-06T02:44:32+0200'
const PRICES = { Normal: [800, 480], 'Reverse Holofoil': [1000, 600] }

/** Advances the clock by a day. */
function nextDay() {
  world.clock.now = new Date('2026-08-06T06:00:00Z')
}

describe('an import', () => {
  test('publishes trend and low of both printings in euros', async () => {
    const report = await world.import()
    expect(report).toMatchObject({
      outcome: 'complete',
      games: 1,
      products: 2 * CARDS_A_SET + 1,
      matched: 2 * CARDS_A_SET,
      prices: 4 * CARDS_A_SET,
      prices_changed: 4 * CARDS_A_SET,
      failures: [],
    })
    expect(world.pricesOf(CARD)).toEqual(PRICES as never)
    expect(world.catalog.sources.prices.listByCard(CARD)[0]).toMatchObject({
      source: 'cardmarket',
      currency: 'EUR',
      condition: null,
      grade: null,
      median_price: null,
    })
    expect(world.state()).toMatchObject({
      published_at: Date.parse('2026-08-05T00:44:32Z') / 1000,
      stale_since: null,
    })
    expect(readdirSync(join(world.dataDir, 'staging-cardmarket'))).toEqual([])
  })

  test('does not fetch unchanged files again', async () => {
    const content = [
      productListPath('singles', GAME),
      productListPath('nonsingles', GAME),
      priceGuidePath(GAME),
    ].map((path): [string, string] => [path, readFileSync(join(world.root, path), 'utf8')])
    const server = startMirror(new Map(content))
    try {
      await world.import({}, { cardmarketUrl: server.url })
      const second = await world.import({}, { cardmarketUrl: server.url })
      expect(second).toMatchObject({ outcome: 'complete', prices: 0 })
      expect(server.requests.map(({ status }) => status)).toEqual([200, 200, 200, 304, 304, 304])
    } finally {
      server.close()
    }
  })

  test('is due once a day, and each hour after a failure', async () => {
    expect((await world.import({ due: true })).games).toBe(1)
    expect((await world.import({ due: true })).games).toBe(0)
    nextDay()
    writeFile(world.root, priceGuidePath(GAME), '<html>')
    expect((await world.import({ due: true })).outcome).toBe('failed')
    world.write({ rows: world.rows, createdAt: NEXT_DAY })
    expect((await world.import({ due: true })).outcome).toBe('complete')
    expect((await world.import({ due: true })).games).toBe(0)
  })

  test('keeps the history of each day', async () => {
    await world.import()
    nextDay()
    const rows = world.rows.map((row) => (row.idProduct === PRODUCT ? guideRow(PRODUCT, 9) : row))
    world.write({ rows, createdAt: NEXT_DAY })
    expect(await world.import()).toMatchObject({ prices_changed: 2 })
    expect(world.pricesOf(CARD)).toEqual({ Normal: [900, 540] })
    const [price] = world.catalog.sources.prices.listByCard(CARD)
    const points = world.catalog.history.getPoints(price?.series ?? 0, 0)
    expect(points.map(({ market_price }) => market_price)).toEqual([800, 900])
  })

  test('of a game that the catalog does not have is refused', async () => {
    await expect(world.import({ game: 'magic' })).rejects.toThrow('Cardmarket has no game')
  })
})

describe('a price guide', () => {
  const guide = () => readFileSync(join(world.root, priceGuidePath(GAME)), 'utf8')
  const withRows = (change: (row: (typeof world.rows)[number], index: number) => object) =>
    JSON.stringify({ version: 1, createdAt: NEXT_DAY, priceGuides: world.rows.map(change) })
  const withTime = (createdAt: string) =>
    guide().replace(/"createdAt":"[^"]*"/, `"createdAt":"${createdAt}"`)

  const REFUSED: [string, () => string, RegExp][] = [
    ['that is cut off', () => guide().slice(0, 5_000), /cut off/],
    ['that is a web page', () => '<!doctype html><title>Denied</title>', /web page/],
    ['that is empty', () => '', /empty/],
    [
      'of another game',
      () => withRows((_, index) => guideRow(9_000_000 + index, 2)),
      /do not have 61 of the 61/,
    ],
    [
      'of few products',
      () =>
        withRows((row, i) => (i < 20 ? row : guideRow(1, 2))).replaceAll(
          /,\{"idProduct":1,[^}]*\}/g,
          '',
        ),
      /only 20 of the 61/,
    ],
    ['with negative prices', () => withRows((row) => ({ ...row, trend: -3 })), /invalid/],
    ['with prices in strings', () => withRows((row) => ({ ...row, trend: '3.00' })), /invalid/],
    ['of another version', () => guide().replace('"version":1', '"version":2'), /version/],
    ['of the far past', () => withTime('2025-08-06T02:44:32+0200'), /days ago/],
    ['of the future', () => withTime('2027-08-06T02:44:32+0200'), /future/],
    ['of the day before', () => withTime('2026-08-04T02:44:32+0200'), /before the published one/],
    ['without a time', () => withTime('yesterday'), /createdAt/],
    [
      'whose prices vanish',
      () => withRows((row, i) => (i < 20 ? guideRow(row.idProduct, 0, 0) : row)),
      /would lose 40 of its 120 known prices.*--source cardmarket --game pokemon/,
    ],
    [
      'whose prices jump',
      () => withRows((row) => guideRow(row.idProduct, 900, 900)),
      /--source cardmarket --game pokemon --force/,
    ],
  ]

  test.each(REFUSED)('%s is refused, and the old prices stay', async (_, content, reason) => {
    await world.import()
    const before = world.catalog.publication.refresh()
    nextDay()
    writeFile(world.root, priceGuidePath(GAME), content())
    const report = await world.import()
    expect(report.outcome).toBe('failed')
    expect(report.failures).toMatchObject([
      { game: 'pokemon', reason: expect.stringMatching(reason) },
    ])
    expect(world.pricesOf(CARD)).toEqual(PRICES as never)
    expect(world.state()).toMatchObject({
      stale_since: '2026-08-06T06:00:00.000Z',
      failure: report.failures[0]?.reason ?? '',
    })
    expect(world.catalog.publication.refresh()).toBe(before)
    writeFile(
      world.root,
      priceGuidePath(GAME),
      withRows((row) => row),
    )
    expect((await world.import()).outcome).toBe('complete')
    expect(world.state()).toMatchObject({ stale_since: null, failure: null })
  })

  test('that was refused is accepted by force', async () => {
    await world.import()
    nextDay()
    writeFile(
      world.root,
      priceGuidePath(GAME),
      withRows((row) => guideRow(row.idProduct, 900, 900)),
    )
    await world.import()
    expect((await world.import({ force: true })).outcome).toBe('complete')
    expect(world.pricesOf(CARD).Normal).toEqual([90_000, 54_000])
  })

  test('with zeros for unknown prices has none of them', async () => {
    world.write({
      rows: world.rows.map((row) => (row.idProduct === PRODUCT ? guideRow(PRODUCT, 0, 7) : row)),
    })
    await world.import()
    expect(world.pricesOf(CARD)).toEqual({ 'Reverse Holofoil': [700, 420] })
  })

  test('with a few invalid rows loses only those', async () => {
    const rows = world.rows.map((row, index) => (index === 0 ? { ...row, trend: 'x' } : row))
    world.write({ rows })
    expect(await world.import()).toMatchObject({ outcome: 'complete', bad_records: 1 })
  })
})

describe('product lists', () => {
  test('that lose many products are refused', async () => {
    await world.import()
    world.write({ products: world.products.slice(0, 40) })
    const { failures } = await world.import()
    expect(failures).toMatchObject([
      { reason: expect.stringContaining('would lose 20 of 60 products') },
    ])
  })

  test('that no longer have a product leave its card without a price', async () => {
    await world.import()
    nextDay()
    world.write({
      products: world.products.filter(({ id }) => id !== PRODUCT),
      rows: world.rows,
      createdAt: NEXT_DAY,
    })
    expect(await world.import()).toMatchObject({
      outcome: 'complete',
      matched: 2 * CARDS_A_SET - 1,
    })
    expect(world.pricesOf(CARD)).toEqual({})
  })

  test('with an expansion before its set are matched when the set appears', async () => {
    const early = Array.from({ length: 10 }, (_, card) => ({
      id: 303_000 + card,
      name: `Egret ${card}x`,
      expansion_id: 4_303,
      is_sealed: false,
      added_on: null,
    }))
    world.write({
      products: [...world.products, ...early],
      rows: [...world.rows, ...early.map(({ id }) => guideRow(id, 4))],
    })
    expect(await world.import()).toMatchObject({ matched: 2 * CARDS_A_SET })
    const { upstream } = world
    upstream.addSet(3, { id: 303, name: 'Set 303' })
    for (let card = 0; card < 10; card++) {
      const prices = { Normal: 3 }
      upstream.addCard(303, {
        id: 30_300 + card,
        name: `Egret ${card}x`,
        number: `${card + 1}`,
        prices,
      })
    }
    await world.day()
    // The files are unchanged, but their products have cards now.
    expect(await world.import()).toMatchObject({ matched: 2 * CARDS_A_SET + 10 })
    expect(world.pricesOf(30_304)).toEqual({ Normal: [400, 240] })
  })

  test('with two products of one printing price it once', async () => {
    const twin = { ...world.product(PRODUCT), id: 399_999 }
    world.write({
      products: [...world.products, twin],
      rows: [...world.rows, guideRow(399_999, 99)],
    })
    expect(await world.import()).toMatchObject({ outcome: 'complete' })
    expect(Object.keys(world.pricesOf(CARD)).length).toBeLessThanOrEqual(2)
  })
})

test('a match stays while neither product nor card changes', async () => {
  await world.import()
  const added = { ...world.product(PRODUCT), id: 200_000 }
  world.write({ products: [added, ...world.products] })
  await world.import()
  const stored = world.deps.catalogWriter.sourceProducts.list('cardmarket', GAME)
  expect(stored.find(({ id }) => id === PRODUCT)).toMatchObject({ card_id: CARD, method: 'name' })
  expect(stored.find(({ id }) => id === 200_000)?.card_id ?? null).toBeNull()
})
