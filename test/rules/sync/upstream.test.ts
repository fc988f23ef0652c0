import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  parseCardsFile,
  parseGamesFile,
  parsePricesFile,
  parsePublishTime,
  parseSetsFile,
  refreshPriority,
} from '#rules/sync/upstream.ts'

const file = (...results: unknown[]) =>
  JSON.stringify({ totalItems: results.length, success: true, errors: [], results })

const GAME = { categoryId: 900, name: 'Ember Lane', displayName: 'Ember Lane TCG', popularity: 500 }
const SET = {
  groupId: 7,
  categoryId: 900,
  name: 'First Light',
  abbreviation: 'FL',
  publishedOn: '2022-11-11T00:00:00',
  modifiedOn: '2025-12-12T22:37:34.34',
}
const CARD = {
  productId: 71,
  categoryId: 900,
  groupId: 7,
  name: 'Lamplighter',
  cleanName: 'Lamplighter',
  imageUrl: 'pictures/71.webp',
  url: 'https://market.example/71',
  presaleInfo: { isPresale: false, releasedOn: null, note: null },
  extendedData: [
    { name: 'Number', displayName: 'Card Number', value: '012/100' },
    { name: 'Rarity', displayName: 'Rarity', value: 'Rare' },
  ],
}
const PRICE = {
  productId: 71,
  lowPrice: 0.35,
  midPrice: 0.7,
  highPrice: 2.99,
  marketPrice: 0.74,
  directLowPrice: null,
  subTypeName: 'Reverse Holofoil',
}

function only<T>(records: T[]): T {
  const [record] = records
  if (record === undefined || records.length > 1) throw new Error(`${records.length} records`)
  return record
}
const oneCard = (fields: object) => {
  const { records, rejected } = parseCardsFile(file({ ...CARD, ...fields }), 900, 7)
  expect(rejected).toEqual([])
  return only(records)
}
const attributes = (gameId: number, ...pairs: [string, unknown][]) => {
  const extendedData = pairs.map(([name, value]) => ({ name, value }))
  const { records } = parseCardsFile(file({ ...CARD, categoryId: gameId, extendedData }), gameId, 7)
  return only(records).custom_attributes
}

describe('an invalid file is rejected', () => {
  const LONG = 'x'.repeat(500)
  test.each([
    ['nothing', '', 'is empty'],
    ['a web page', `<!DOCTYPE html><h1>${LONG}`, 'is a web page, not JSON'],
    ['half a file', file(GAME).slice(0, -20), 'is cut off after'],
    ['too many records', file(...Array<object>(10_001).fill({})), 'more than 10000 records'],
    ['too many values', file({ a: Array(400_000).fill(1) }), 'more than 400000 values'],
    ['deep nesting', '['.repeat(1_000_000), 'more than 400000 values'],
    ['some words', `Too many requests ${LONG}`, 'is not JSON'],
    ['a list', JSON.stringify([LONG]), 'is not an object with results'],
    ['null', 'null', 'is not an object with results'],
    ['a failure', '{"success":false,"errors":["no"],"results":[]}', 'success is not true'],
    ['no results', '{"success":true}', 'has no results array'],
    ['an object of results', '{"success":true,"results":{}}', 'has no results array'],
  ])('%s', (_, text, reason) => {
    expect(() => parseGamesFile(text)).toThrow(reason)
    expect(() => parseCardsFile(text, 900, 7)).toThrow(reason)
  })

  test('the reason never quotes more than 80 characters of it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 200 }), (text) => {
        try {
          parsePricesFile(text)
        } catch (cause) {
          expect((cause as Error).message.length).toBeLessThan(160)
        }
      }),
    )
  })
})

test('an envelope with a byte order mark and without totals is parsed', () => {
  expect(
    parsePricesFile(`\ufeff${JSON.stringify({ success: true, results: [PRICE] })}\r\n`).records,
  ).toHaveLength(1)
})

test('an invalid record is named and affects no other', () => {
  const { records, rejected } = parseCardsFile(
    file(CARD, { categoryId: 900, groupId: 7, productId: 72, name: 5 }, 'nonsense', null, {
      ...CARD,
      productId: 73,
    }),
    900,
    7,
  )
  expect(records.map(({ id }) => id)).toEqual([71, 73])
  expect(rejected.map(({ id }) => id)).toEqual(['72', 'record 2', 'record 3'])
  expect(rejected[0]?.reason).toStartWith('name: ')
})

describe('games', () => {
  test('are mapped, in ascending id', () => {
    const { records } = parseGamesFile(
      file(GAME, { categoryId: 3, name: 'Pokemon', popularity: 1_241_400 }),
    )
    expect(records).toEqual([
      { id: 3, name: 'Pokemon', slug: 'pokemon', priority: 3, logo_url: null },
      { id: 900, name: 'Ember Lane TCG', slug: 'ember-lane', priority: 0, logo_url: null },
    ])
  })

  test('of the same name have different slugs', () => {
    const { records } = parseGamesFile(file({ ...GAME, categoryId: 901 }, GAME))
    expect(records.map(({ id, slug }) => [id, slug])).toEqual([
      [900, 'ember-lane'],
      [901, 'ember-lane-901'],
    ])
  })

  test('that the mirror excludes are skipped', () => {
    expect(parseGamesFile(file({ ...GAME, categoryId: 21 }, GAME)).records).toHaveLength(1)
  })

  test.each([
    [null, 3],
    [1_241_400, 3],
    [300_000, 3],
    [299_999, 2],
    [100_000, 2],
    [99_999, 1],
    [10_000, 1],
    [9_999, 0],
    [0, 0],
  ])('of popularity %p have priority %i', (popularity, priority) => {
    expect(refreshPriority(popularity)).toBe(priority)
  })

  test.each([0, -1, 1.5, 2 ** 53, '3', null])('with the id %p are bad', (categoryId) => {
    expect(parseGamesFile(file({ ...GAME, categoryId }))).toMatchObject({
      records: [],
      rejected: [{}],
    })
  })
})

describe('sets', () => {
  test('are mapped', () => {
    expect(parseSetsFile(file(SET), 900).records).toEqual([
      {
        id: 7,
        game_id: 900,
        name: 'First Light',
        abbreviation: 'FL',
        release_date: '2022-11-11',
        modified_on: '2025-12-12T22:37:34.34',
      },
    ])
  })

  test.each([
    ['2022-11-11', '2022-11-11'],
    ['0001-01-01T00:00:00', null],
    ['2022-02-30T00:00:00', null],
    ['soon', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('published on %p have the release date %p', (publishedOn, date) => {
    expect(parseSetsFile(file({ ...SET, publishedOn }), 900).records[0]?.release_date).toBe(date)
  })

  test('of another game are rejected, and so is a repeated id', () => {
    const { records, rejected } = parseSetsFile(file(SET, { ...SET, categoryId: 3 }, SET), 900)
    expect(records).toHaveLength(1)
    expect(rejected.map(({ reason }) => reason)).toEqual(['duplicate record', 'duplicate record'])
    expect(parseSetsFile(file({ ...SET, categoryId: 3 }), 900).rejected).toEqual([
      { id: '7', reason: 'categoryId is not 900' },
    ])
  })

  test('without an abbreviation have none', () => {
    expect(
      parseSetsFile(file({ ...SET, abbreviation: '' }), 900).records[0]?.abbreviation,
    ).toBeNull()
  })
})

describe('cards', () => {
  test('are mapped', () => {
    expect(oneCard({})).toEqual({
      id: 71,
      game_id: 900,
      set_id: 7,
      name: 'Lamplighter',
      clean_name: 'Lamplighter',
      number: '012/100',
      rarity: 'Rare',
      image_url: 'pictures/71.webp',
      marketplace_url: 'https://market.example/71',
      product_type: 'Cards',
      total_listings: 0,
      shipping_category_id: 1,
      product_status_id: 1,
      hp: null,
      custom_attributes: {},
      foil_only: undefined,
    })
  })

  test.each([
    ['First Light Booster Box', 3],
    ['First Light Booster Box Case', 4],
    ['Showcase Tin', 3],
  ])('without number and rarity are sealed products: %p ships as %i', (name, shipping) => {
    const product = oneCard({ name, extendedData: [] })
    expect(product.product_type).toBe('Sealed Products')
    expect(product.shipping_category_id).toBe(shipping)
  })

  test.each([['None'], ['none'], [' NONE ']])('with the rarity %p have none', (value) => {
    const card = oneCard({ extendedData: [{ name: 'Rarity', value }] })
    expect(card).toMatchObject({ rarity: null, product_type: 'Cards', shipping_category_id: 1 })
  })

  test('with only a number, or only a rarity, are cards', () => {
    for (const name of ['Number', 'Rarity']) {
      expect(oneCard({ extendedData: [{ name, value: 'X' }] }).product_type).toBe('Cards')
    }
  })

  test.each(['*64', 'OP13-089_p1', 'HGSS18', ' 7 ', '!/28', '71★'])(
    'keep their number %p unchanged',
    (value) => {
      expect(oneCard({ extendedData: [{ name: 'Number', value }] }).number).toBe(value)
    },
  )

  test('keep their name unchanged', () => {
    for (const name of [
      '"Ach!"',
      'Fire // Ice',
      'Taillow δ',
      'N <ของ N>',
      'A & B;',
      'リザードン',
    ]) {
      expect(oneCard({ name }).name).toBe(name)
    }
  })

  test.each([
    ['Lamplighter', 'Lamp lighter', 'Lamp lighter'],
    ['Lamplighter!', null, 'Lamplighter'],
    ['Lamplighter!', '', 'Lamplighter'],
    ['Flabébé', 'Flab b', 'Flabebe'],
    ['リザードンex', 'ex', 'リザードンex'],
  ])('called %p, cleaned upstream as %p, are cleaned as %p', (name, cleanName, clean) => {
    expect(oneCard({ name, cleanName }).clean_name).toBe(clean)
  })

  test('are on presale before their release', () => {
    expect(oneCard({ presaleInfo: { isPresale: true } }).product_status_id).toBe(20)
  })

  test('use the additional fields of a fuller upstream', () => {
    const upstreamCard = {
      totalListings: 12,
      shippingCategoryId: 4,
      productStatusId: 20,
      foilOnly: true,
    }
    expect(oneCard(upstreamCard)).toMatchObject({
      total_listings: 12,
      shipping_category_id: 4,
      product_status_id: 20,
      foil_only: 1,
    })
    expect(oneCard({ foilOnly: 0 }).foil_only).toBe(0)
    expect(oneCard({ foilOnly: null, totalListings: null })).toMatchObject({
      total_listings: 0,
      foil_only: undefined,
    })
  })

  test.each([
    ['https://cdn.example/71.jpg', 'https://cdn.example/71.jpg'],
    ['pictures/71.webp', 'pictures/71.webp'],
    ['', null],
    [null, null],
    ['javascript:alert(1)', null],
    ['java\tscript:alert(1)', null],
    [' data:text/html,x', null],
  ])('with the image %p have the image %p', (imageUrl, image_url) => {
    expect(oneCard({ imageUrl }).image_url).toBe(image_url)
  })

  test.each([
    ['another game', { categoryId: 3 }, 'categoryId is not 900'],
    ['another set', { groupId: 8 }, 'groupId is not 7'],
    ['a blank name', { name: ' ' }, 'name: '],
    ['a NUL in its name', { name: 'a\u0000b' }, 'name: '],
    ['a name of 1,001 letters', { name: 'x'.repeat(1_001) }, 'name: '],
    ['a text for an id', { productId: '71' }, 'productId: '],
    ['a text for its data', { extendedData: 'none' }, 'extendedData: '],
    [
      'a number for a value',
      { extendedData: [{ name: 'HP', value: 1 }] },
      'extendedData.0.value: ',
    ],
    ['fewer listings than none', { totalListings: -1 }, 'totalListings: '],
    ['a word for a flag', { foilOnly: 'yes' }, 'foilOnly: '],
  ])('with %s are rejected', (_, fields, reason) => {
    const { records, rejected } = parseCardsFile(file({ ...CARD, ...fields }), 900, 7)
    expect(records).toEqual([])
    expect(rejected[0]?.reason).toStartWith(reason)
  })
})

describe('custom attributes', () => {
  test('have the names of the specification in every upstream spelling', () => {
    const values = attributes(
      3,
      ['HP', '120'],
      ['Card Type', 'Colorless'],
      ['Stage', 'Basic'],
      ['Attack 1', '[4] Dive (220)\r\n<br>\r\nDiscard 3 &amp; draw.'],
      ['attack 2', 'Peck'],
      ['Weakness', 'Lx2'],
      ['Resistance', 'F-30'],
      ['RetreatCost', '2'],
      ['CardText', '<em>Once</em> a turn'],
    )
    expect(values).toEqual({
      hp: '120',
      energyType: ['Colorless'],
      stage: 'Basic',
      attack1: '[4] Dive (220)\nDiscard 3 & draw.',
      attack2: 'Peck',
      weakness: 'Lx2',
      resistance: 'F-30',
      retreatCost: '2',
      description: 'Once a turn',
    })
  })

  test('of Magic and its like', () => {
    const values = attributes(
      1,
      ['P', '2'],
      ['T', '1'],
      ['SubType', 'Creature — Zombie'],
      ['OracleText', 'a < b'],
      ['FlavorText', 'R&D'],
      ['ManaCost', '{B}'],
      ['Card Type', 'Creature'],
    )
    expect(values).toEqual({
      power: '2',
      toughness: '1',
      subType: 'Creature — Zombie',
      oracleText: 'a < b',
      flavorText: 'R&D',
      manaCost: '{B}',
      cardType: 'Creature',
    })
  })

  // Names of the upstream in One Piece, Flesh and Blood, Yu-Gi-Oh and Lorcana, and what they could become.
  test.each([
    [68, 'Subtypes', 'subType'],
    [62, 'Card Sub Type', 'subType'],
    [62, 'CardSubType', 'subType'],
    [1, 'Sub-Types', 'subType'],
    [62, 'Card Type', 'cardType'],
    [68, 'Card Types', 'cardType'],
    [3, 'Card Types', 'energyType'],
    [62, 'Defense Value', 'defense'],
    [62, 'Attack Value', 'attack'],
    [62, 'Power', 'power'],
    [68, 'Colors', 'color'],
    [2, 'Card Level', 'level'],
    [2, 'Attribute', 'attribute'],
    [71, 'Flavor Text', 'flavorText'],
    [71, 'Flavor', 'flavorText'],
    [71, 'Text', 'description'],
  ])('in game %p: %s has the key %s', (game, name, key) => {
    expect(Object.keys(attributes(game, [name, 'x']))).toEqual([key])
  })

  // Similar, and another fact.
  test.each([
    ['Monster Type', 'monsterType'],
    ['Pitch Value', 'pitchValue'],
    ['Lore Value', 'loreValue'],
    ['Cost', 'cost'],
    ['Counterplus', 'counterplus'],
    ['Life', 'life'],
    ['Class', 'class'],
    ['Strength', 'strength'],
  ])('%s stays %s', (name, key) => {
    expect(Object.keys(attributes(62, [name, 'x']))).toEqual([key])
  })

  test('unknown to the specification are kept in camelCase', () => {
    expect(attributes(2, ['Monster Type', 'Dragon'], ['LinkArrows', 'Top'], ['LP', '8'])).toEqual({
      monsterType: 'Dragon',
      linkArrows: 'Top',
      lp: '8',
    })
    expect(attributes(2, ['Pendulum Scale 2', '1'], ['★', '5'])).toEqual({
      pendulumScale2: '1',
      '★': '5',
    })
  })

  test('that are lists are joined, except the energy types', () => {
    expect(attributes(68, ['Color', ['Red', 'Green']])).toEqual({ color: 'Red, Green' })
    expect(attributes(85, ['Card Type', ['Fire', 'Water']])).toEqual({
      energyType: ['Fire', 'Water'],
    })
    expect(attributes(3, ['CardType', 'Fire;Water'])).toEqual({ energyType: ['Fire', 'Water'] })
  })

  test('with two values keep both, once each', () => {
    const texts: [string, string][] = [
      ['Description', 'one'],
      ['CardText', 'two'],
      ['Card Text', 'two'],
    ]
    expect(attributes(3, ...texts)).toEqual({ description: 'one\ntwo' })
  })

  test('that are empty are omitted', () => {
    expect(attributes(3, ['Attack 3', null], ['Stage', ' '], ['Card Type', ''])).toEqual({})
  })

  test('give the card its hit points', () => {
    expect(oneCard({ extendedData: [{ name: 'HP', value: '90' }] }).hp).toBe('90')
  })

  test('cannot reach the prototype of objects', () => {
    const values = attributes(1, ['__proto__', 'x'], ['constructor', 'y'])
    expect(values.constructor as unknown).toBe('y')
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype)
  })
})

describe('prices', () => {
  const onePrice = (fields: object) => only(parsePricesFile(file({ ...PRICE, ...fields })).records)

  test('are mapped to cents, unknown ones to null', () => {
    expect(parsePricesFile(file(PRICE)).records).toEqual([
      {
        card_id: 71,
        printing: 'Reverse Holofoil',
        market_price: 74,
        low_price: 35,
        median_price: 70,
        lowest_with_shipping: null,
        buylist_price: null,
        avg_sales_price: null,
        sales_volume: null,
      },
    ])
  })

  test('of a fuller upstream are parsed', () => {
    const upstreamPrice = {
      lowestPriceWithShipping: 1.49,
      buylistPrice: 0.3,
      averageSalesPrice: 0.726,
      salesVolume: 0,
    }
    expect(onePrice(upstreamPrice)).toMatchObject({
      lowest_with_shipping: 149,
      buylist_price: 30,
      avg_sales_price: 73,
      sales_volume: 0,
    })
  })

  test('of zero are unknown', () => {
    expect(onePrice({ marketPrice: 0, lowPrice: 0 })).toMatchObject({
      market_price: null,
      low_price: null,
    })
  })

  test('may be missing', () => {
    const { records } = parsePricesFile(file({ productId: 71, subTypeName: 'Normal' }))
    expect(records[0]).toMatchObject({ market_price: null, low_price: null, median_price: null })
  })

  test('are exact for every number of cents up to a million dollars', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), (cents) => {
        expect(onePrice({ marketPrice: cents / 100 }).market_price).toBe(cents)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    [0.745, 75],
    [0.744, 74],
    [0.7449999, 74],
    // The nearest double is below 1.005.
    [1.005, 101],
    [1.015, 102],
    [999_999.995, 100_000_000],
    [0.005, 1],
    [0.0049, null],
    [1e-9, null],
  ])('of %p with more than two decimals are rounded to %p cents, halves up', (dollars, cents) => {
    expect(
      onePrice({
        marketPrice: dollars,
        lowPrice: dollars,
        midPrice: dollars,
        lowestPriceWithShipping: dollars,
        buylistPrice: dollars,
      }),
    ).toMatchObject({
      market_price: cents,
      low_price: cents,
      median_price: cents,
      lowest_with_shipping: cents,
      buylist_price: cents,
    })
  })

  test('with half a cent more are rounded up for every number of cents up to a million dollars', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), (cents) => {
        const marketPrice = Number(
          `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}5`,
        )
        expect(onePrice({ marketPrice }).market_price).toBe(cents + 1)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['marketPrice', -0.01],
    ['marketPrice', 1_000_000.01],
    ['marketPrice', '0.74'],
    ['lowPrice', true],
    ['midPrice', -1],
    ['salesVolume', 1.5],
    ['subTypeName', ''],
    ['subTypeName', null],
    ['productId', 0],
  ])('with %s of %p are rejected', (field, value) => {
    expect(parsePricesFile(file({ ...PRICE, [field]: value }))).toMatchObject({
      records: [],
      rejected: [{}],
    })
  })

  test('that are infinite are rejected', () => {
    const text = file(PRICE).replace('0.74', '1e999')
    expect(parsePricesFile(text)).toMatchObject({ records: [], rejected: [{ id: '71' }] })
  })

  test('of the same card and printing count once; each printing has its own', () => {
    const { records, rejected } = parsePricesFile(
      file(PRICE, { ...PRICE, subTypeName: 'Gold Cold Foil' }, PRICE),
    )
    expect(records.map(({ printing }) => printing)).toEqual(['Reverse Holofoil', 'Gold Cold Foil'])
    expect(rejected).toEqual([{ id: '71 Reverse Holofoil', reason: 'duplicate record' }])
  })
})

describe('HTML entities', () => {
  test('are decoded in every text of a game, a set, a card and a price', () => {
    const [game] = parseGamesFile(
      file({ ...GAME, name: 'Ember &amp; Ash', displayName: 'Ember &amp; Ash TCG' }),
    ).records
    expect(game).toMatchObject({ name: 'Ember & Ash TCG', slug: 'ember-and-ash' })
    const [set] = parseSetsFile(
      file({ ...SET, name: 'Ace &amp; Newgate', abbreviation: 'A&amp;N' }),
      900,
    ).records
    expect(set).toMatchObject({ name: 'Ace & Newgate', abbreviation: 'A&N' })
    const attributes = [
      { name: 'Number', displayName: 'Card Number', value: '1&#47;2' },
      { name: 'Rarity', displayName: 'Rarity', value: 'Rare &amp; Holo' },
      { name: 'Artist &amp; Writer', displayName: 'Artist', value: 'Ann &amp; Bo' },
    ]
    const [card] = parseCardsFile(
      file({
        ...CARD,
        name: 'Luffy &amp; Ace',
        cleanName: 'Luffy amp Ace',
        url: 'https://market.example/71?a=1&amp;b=2',
        extendedData: attributes,
      }),
      900,
      7,
    ).records
    expect(card).toMatchObject({
      name: 'Luffy & Ace',
      clean_name: 'Luffy Ace',
      number: '1/2',
      rarity: 'Rare & Holo',
      marketplace_url: 'https://market.example/71?a=1&b=2',
      custom_attributes: { artistWriter: 'Ann & Bo' },
    })
    const [price] = parsePricesFile(file({ ...PRICE, subTypeName: 'Foil &amp; Etched' })).records
    expect(price?.printing).toBe('Foil & Etched')
  })
})

describe('the publish time', () => {
  test.each([
    ['2026-08-05T20:05:50+0000\n', '2026-08-05T20:05:50.000Z'],
    ['2026-08-05T20:05:50+0000', '2026-08-05T20:05:50.000Z'],
    ['2026-08-05T16:05:50-0400\r\n', '2026-08-05T20:05:50.000Z'],
  ])('%p is %s', (text, time) => {
    expect(parsePublishTime(text).toISOString()).toBe(time)
  })

  test.each([
    '',
    'soon',
    '2026-08-05',
    '2026-08-05T20:05:50Z',
    '2026-02-30T20:05:50+0000',
    '2026-08-05T25:05:50+0000',
    '2026-08-05T20:05:50+0000 x',
    `<html>${'x'.repeat(500)}`,
  ])('%p is invalid, with a short reason', (text) => {
    expect(() => parsePublishTime(text)).toThrow(/^.{1,110}$/)
  })
})
