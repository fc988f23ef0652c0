import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import {
  createTestApp,
  FROZEN_TIME,
  SECONDS_TO_RESET,
  type TestApp,
} from '../../support/test-app.ts'
import type {
  CardRow,
  PriceRow,
  Row,
  TestRequestOptions,
  TestResponse,
} from '../../support/test-client.ts'

let testApp: TestApp

beforeAll(async () => {
  testApp = await createTestApp()
})
afterAll(() => testApp.close())

type Tier = 'starter' | 'pro' | 'business'

const IDS = '/v1/bulk/resolve/marketplace'
const NAMES = '/v1/bulk/resolve/name'
const CSV = '/v1/bulk/resolve/csv'
const LIST = '/v1/bulk/resolve/list'

/** Request of each endpoint for a number of unknown items. */
const SENT: Record<string, (count: number) => TestRequestOptions> = {
  [IDS]: (count) => ({ json: { ids: Array.from({ length: count }, (_, at) => at + 1) } }),
  [NAMES]: (count) => ({
    json: { items: Array.from({ length: count }, (_, at) => ({ name: '!', number: `${at}` })) },
  }),
  [CSV]: (count) => csvRequest(`Product ID\n${'1\n'.repeat(count)}`),
  [LIST]: (count) => csvRequest(`Deck\n${'1 !\n'.repeat(count)}`, 'text/plain'),
}
const PATHS = Object.keys(SENT)

/** Request for a hundred known items. */
const REAL: Record<string, TestRequestOptions> = {
  [IDS]: { json: { ids: Array.from({ length: 100 }, (_, at) => 900_001 + at) } },
  [NAMES]: {
    json: {
      items: Array.from({ length: 100 }, (_, at) => ({ name: 'Cindle', printing: `${at}` })),
    },
  },
  [CSV]: csvRequest(`Product ID\n${'900101\n'.repeat(100)}`),
  [LIST]: csvRequest('4 Cindle TPP 1\n'.repeat(100), 'text/plain'),
}

function csvRequest(body: TestRequestOptions['body'], type = 'text/csv'): TestRequestOptions {
  return { ...(body !== undefined && { body }), headers: { 'content-type': type } }
}

const request = <Data = Row>(path: string, of: TestRequestOptions, by: TestApp = testApp) =>
  by.client.request<Data>('POST', path, { as: 'business', ...of })
const send = (path: string, count: number, as: Tier, by: TestApp = testApp) =>
  request(path, { ...SENT[path]?.(count), as }, by)
const left = ({ headers }: TestResponse<unknown>) => Number(headers.get('x-ratelimit-remaining'))
const leftOf = async (as: Tier = 'business', by: TestApp = testApp) =>
  left(await by.client.get('/v1/sets?page=0', { as }))

/** Expects an error response that is not charged. */
async function expectRefused(
  path: string,
  of: TestRequestOptions,
  code: string,
  words: string,
  status = 400,
) {
  const before = await leftOf()
  const testResponse = await request(path, of)
  expect([testResponse.status, testResponse.body.error?.code]).toEqual([status, code])
  expect(testResponse.body.error.message).toContain(words)
  expect(left(testResponse)).toBe(before)
}

describe('credits', () => {
  const TIERS = [
    ['starter', 100, 1, 2_500],
    ['pro', 500, 0.5, 10_000],
    ['business', 1_000, 0.1, 50_000],
  ] as const

  test.each(TIERS)('of %s per number of items up to %i', async (as, most, each, limit) => {
    const own = await createTestApp()
    const counts = Array.from({ length: most }, (_, at) => at + 1)
    const some = counts.filter((n) => n <= 100 || n % 17 === 0 || n > most - 11)
    for (const [day, count] of some.entries()) {
      // Each uses a day, because together they exceed a day's quota.
      own.setClock(new Date(Date.parse(FROZEN_TIME) + day * 86_400_000).toISOString())
      const { status, body } = await send(IDS, count, as, own)
      const credits = Math.ceil(Math.round(count * each * 10) / 10)
      expect([status, body.meta]).toEqual([
        200,
        { total_requested: count, total_resolved: 0, credits_consumed: credits } as never,
      ])
      expect(body.rate_limit.daily_remaining).toBe(limit - credits)
    }
    own.close()
  })

  describe.each(PATHS)('%s', (path) => {
    test.each(TIERS)(
      'of %s: at most %i items, one more returns TOO_MANY_ITEMS',
      async (as, most) => {
        const before = await leftOf(as)
        const full = await send(path, most, as)
        expect(full.status).toBe(200)
        expect(full.body.meta).toMatchObject({ total_requested: most })
        expect(before - left(full)).toBe(full.body.meta.credits_consumed)

        const { status, body } = await send(path, most + 1, as)
        expect([status, body.error.code]).toEqual([400, 'TOO_MANY_ITEMS'])
        expect(body.error.message).toContain(`at most ${most} `)
        expect(body.rate_limit.daily_remaining).toBe(left(full))
      },
    )

    test('beyond the remaining quota return 429 with Retry-After, not charged', async () => {
      const own = await createTestApp()
      for (let spent = 0; spent < 2_400; spent += 100) await send(path, 100, 'starter', own)
      await send(path, 60, 'starter', own)
      const refused = await send(path, 41, 'starter', own)
      expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
      expect(refused.body.error.message).toContain('41 requests')
      expect(refused.headers.get('retry-after')).toBe(String(SECONDS_TO_RESET))
      expect(left(refused)).toBe(40)
      const exact = await send(path, 40, 'starter', own)
      expect([exact.status, left(exact)]).toEqual([200, 0])
      expect((await send(path, 1, 'starter', own)).status).toBe(429)
      own.close()
    })

    test('are refunded together after an internal error', async () => {
      const own = await createTestApp()
      const before = left(await send(path, 3, 'pro', own))
      own.catalogDb.exec('DROP TABLE prices; DROP TABLE price_texts; DROP TABLE cards')
      const failed = await request(path, { ...REAL[path], as: 'pro' }, own)
      expect([failed.status, failed.body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
      expect(left(failed)).toBe(before)
      own.close()
    })
  })
})

describe('POST /v1/bulk/resolve/marketplace', () => {
  test('returns each card with its prices, in the order of the ids', async () => {
    const { body: list } = await testApp.client.get<CardRow[]>('/v1/sets/90022/cards', {
      as: 'pro',
    })
    const ids = list.data.map(({ id }) => id).toReversed()
    const { body } = await request<{ resolved: Row[]; not_found: number[] }>(IDS, { json: { ids } })
    const expected = list.data.toReversed().map((card) => ({
      marketplace_id: card.id,
      card: {
        id: card.id,
        name: card.name,
        marketplace_id: card.id,
        game_name: 'Vellum & Thorn: The Ink Wars',
        set_name: 'Drowned Abbey',
        image_url: card.image_url,
      },
      prices: card.prices.map(({ printing, market_price, low_price }) => {
        return { printing, market_price, low_price }
      }),
    }))
    expect(body.data).toEqual({ resolved: expected, not_found: [] })
  })

  test('returns and charges a duplicate id once', async () => {
    const json = { ids: [900_101, 1, 900_101, 1, 1] }
    const { body } = await request<{ resolved: Row[]; not_found: number[] }>(IDS, {
      json,
      as: 'starter',
    })
    expect(body.data.resolved).toHaveLength(1)
    expect(body.data.not_found).toEqual([1])
    expect(body.meta).toEqual({
      total_requested: 2,
      total_resolved: 1,
      credits_consumed: 2,
    } as never)
  })

  test.each<[string, unknown, string]>([
    ['no ids', {}, '"ids" is required'],
    ['an empty list', { ids: [] }, '"ids" must not be empty'],
    ['a text', { ids: '900101' }, '"ids" must be an array'],
    ['null', { ids: null }, '"ids" must be an array'],
    ['a word', { ids: [1, 'x'] }, '"ids[1]" must be a whole number'],
    ['a digit as a text', { ids: ['1'] }, '"ids[0]" must be a whole number'],
    ['zero', { ids: [0] }, '"ids[0]"'],
    ['a negative one', { ids: [1, 2, -3] }, '"ids[2]"'],
    ['a fraction', { ids: [1.5] }, '"ids[0]"'],
    ['a huge one', { ids: [2 ** 53] }, '"ids[0]"'],
    ['nothing', { ids: [null] }, '"ids[0]"'],
    ['a list in it', { ids: [[1]] }, '"ids[0]"'],
  ])('400: %s', async (_kind, json, words) => {
    await expectRefused(IDS, { json }, 'VALIDATION_ERROR', words)
  })
})

describe('POST /v1/bulk/resolve/name', () => {
  type Answer = { results: (Row & { match: { card: { id: number } } })[]; unmatched: Row[] }
  const resolve = (...items: unknown[]) => request<Answer>(NAMES, { json: { items } })

  test('returns each item as it was sent, including unknown members', async () => {
    const item = { name: 'Cindle', place: { box: [1, 'ä'] }, game: 'wickerwild' }
    const { body } = await resolve(item)
    expect(body.data.results[0]).toMatchObject({ query: item, match: { confidence: 'exact' } })
  })

  test('has the prices of the card', async () => {
    const { body } = await resolve({ name: 'Marginwyrm' }, { name: 'Marginwyrm', printing: 'foil' })
    const { body: prices } = await testApp.client.get<PriceRow[]>('/v1/cards/900205/prices', {
      as: 'pro',
    })
    expect(body.data.results).toMatchObject([
      { match: { card: { id: 900_205 }, prices: prices.data } },
      { match: { prices: prices.data.filter(({ printing }) => printing === 'Foil') } },
    ])
  })

  test('returns and charges a duplicate item once', async () => {
    const { body } = await resolve(
      { name: 'Cindle' },
      { name: 'x y z' },
      { name: 'Cindle' },
      { name: 'x y z' },
      { name: 'Cindle', set: 'tidepool-parade' },
    )
    expect(body.meta).toMatchObject({ total_requested: 3, total_matched: 2 })
    expect(body.data.unmatched).toEqual([
      { query: { name: 'x y z' }, name: 'x y z', reason: 'no_match' },
    ])
  })

  test('gives each ref its result, and charges equal items once', async () => {
    const before = await leftOf('starter')
    const items = [
      { name: 'Cindle', ref: 'a' },
      { name: 'x y z', ref: 1 },
      { name: 'Cindle', ref: 'b' },
      { name: 'Cindle', ref: 'a' },
      { name: 'x y z', ref: 2 },
      { name: 'Cindle', game: null },
    ]
    const answer = await request<Answer>(NAMES, { json: { items }, as: 'starter' })
    const { results, unmatched } = answer.body.data
    expect(results.map(({ query }) => query)).toEqual([items[0], items[2], items[5]])
    expect(new Set(results.map(({ match }) => match.card.id)).size).toBe(1)
    expect(unmatched.map(({ query }) => query)).toEqual([items[1], items[4]])
    expect(answer.body.meta).toEqual({
      total_requested: 2,
      total_matched: 1,
      credits_consumed: 2,
    } as never)
    expect(before - left(answer)).toBe(2)
  })

  test('reads optional members that are null as absent', async () => {
    const nothing = { game: null, set: null, number: null, printing: null, ref: null }
    const [{ body }, plain] = [
      await resolve({ name: 'Cindle', ...nothing }),
      await resolve({ name: 'Cindle' }),
    ]
    expect(body.data.results[0]?.query).toEqual({ name: 'Cindle', ...nothing })
    expect(body.data.results[0]?.match).toEqual(plain.body.data.results[0]?.match)
  })

  test('reads a line as people write it, and returns its quantity', async () => {
    const { body } = await resolve(
      { name: '3x Cindle [TPP] 1/20' },
      { name: 'SB: 2 Cindle TPP 001' },
      { name: 'Cindle' },
    )
    expect(body.data.results.map(({ quantity, match }) => [quantity, match.card.id])).toEqual([
      [3, 900101],
      [2, 900101],
      [1, expect.any(Number)],
    ])
  })

  test('has a reason for an unmatched name', async () => {
    const { body } = await resolve(
      { name: 'Cindle', game: 'no-such-game' },
      { name: 'Cindle', set: 'no-such-set' },
      { name: 'Nobody at All' },
      { name: '!', ref: 7 },
    )
    expect(body.data).toEqual({
      results: [],
      unmatched: [
        {
          query: { name: 'Cindle', game: 'no-such-game' },
          name: 'Cindle',
          reason: 'game_not_found',
        },
        { query: { name: 'Cindle', set: 'no-such-set' }, name: 'Cindle', reason: 'set_not_found' },
        { query: { name: 'Nobody at All' }, name: 'Nobody at All', reason: 'no_match' },
        { query: { name: '!', ref: 7 }, name: '!', reason: 'name_too_short' },
      ],
    })
  })

  test.each(['🃏'.repeat(500), 'x'.repeat(500), 'e\u0301'.repeat(250), '漢字', ' '])(
    'accepts a name of any characters',
    async (name) => {
      const { status, body } = await resolve({ name })
      expect([status, body.data.unmatched[0]?.name]).toEqual([200, name])
    },
  )

  test.each<[string, unknown, string]>([
    ['no items', {}, '"items" is required'],
    ['an empty list', { items: [] }, '"items" must not be empty'],
    ['an object', { items: { name: 'Cindle' } }, '"items" must be an array'],
    ['a text in it', { items: ['Cindle'] }, '"items[0]" must be an object'],
    ['nothing in it', { items: [null] }, '"items[0]" must be an object'],
    [
      'an item without a name',
      { items: [{ name: 'a' }, { name: 'b' }, {}] },
      '"items[2].name" is required',
    ],
    ['a name that is a number', { items: [{ name: 7 }] }, '"items[0].name" must be a string'],
    ['an empty name', { items: [{ name: '' }] }, '"items[0].name" must be at least 1'],
    [
      'a long name',
      { items: [{ name: 'x'.repeat(10_000) }] },
      '"items[0].name" must be at most 500',
    ],
    [
      'an emoji more',
      { items: [{ name: '🃏'.repeat(501) }] },
      '"items[0].name" must be at most 500',
    ],
    ['NUL', { items: [{ name: 'a\0b' }] }, '"items[0].name" contains characters'],
    ['a line break', { items: [{ name: 'a\nb' }] }, '"items[0].name" contains characters'],
    [
      'half of a character',
      { items: [{ name: 'a\ud83c' }] },
      '"items[0].name" contains an invalid',
    ],
    [
      'half of one as a set',
      { items: [{ name: 'a', set: '\udfff' }] },
      '"items[0].set" contains an invalid',
    ],
    ['a name that is null', { items: [{ name: null }] }, '"items[0].name" must be a string'],
    [
      'a game that is a number',
      { items: [{ name: 'a', game: 7 }] },
      '"items[0].game" must be a string',
    ],
    ['a fraction as a ref', { items: [{ name: 'a', ref: 1.5 }] }, '"items[0].ref" must be one of'],
    ['an object as a ref', { items: [{ name: 'a', ref: {} }] }, '"items[0].ref" must be one of'],
    ['an empty set', { items: [{ name: 'a', set: '' }] }, '"items[0].set"'],
  ])('400: %s', async (_kind, json, words) => {
    await expectRefused(NAMES, { json }, 'VALIDATION_ERROR', words)
  })

  test('400: lists that are nested deeper than can be serialized', async () => {
    for (const deep of [50, 200_000]) {
      const body = `{"items":[{"name":"Cindle","x":${'['.repeat(deep)}${']'.repeat(deep)}}]}`
      const headers = { 'content-type': 'application/json' }
      await expectRefused(NAMES, { body, headers }, 'VALIDATION_ERROR', 'nested too deeply')
    }
    expect(testApp.log).toEqual([])
  })
})

describe('POST /v1/bulk/resolve/list', () => {
  const list = 'Deck\n4x Cindle [TPP] 1/20\n\nSideboard\n1 Nobody at All\n'
  type Answer = { rows: Row[]; unmatched: Row[]; total_value: number }

  test('accepts text, a file and JSON, which may name the game', async () => {
    const form = new FormData()
    form.append('file', new File([list], 'deck.txt', { type: 'text/plain' }))
    const answers = [
      await request<Answer>(LIST, csvRequest(list, 'text/plain; charset=utf-8')),
      await request<Answer>(LIST, { body: form }),
      await request<Answer>(LIST, { json: { list, game: 'wickerwild' } }),
      await request<Answer>(LIST, { json: { list, game: null } }),
    ]
    for (const { status, body } of answers) {
      expect([status, body.data]).toMatchObject([
        200,
        {
          rows: [{ row: 2, section: 'main', quantity: 4, match: { card: { id: 900101 } } }],
          unmatched: [{ row: 5, section: 'sideboard', reason: 'no_match' }],
        },
      ] as never)
    }
  })

  test('returns a table with the section of each line', async () => {
    const { text } = await request(`${LIST}?format=csv`, csvRequest(list, 'text/plain'))
    const table: Record<string, string>[] = parse(text, { columns: true })
    expect(table.map(({ row, quantity, section }) => [row, quantity, section])).toEqual([
      ['2', '4', 'main'],
      ['5', '1', 'sideboard'],
      ['total', '', ''],
    ])
  })

  test('charges one request for an unknown game', async () => {
    const before = await leftOf()
    const answer = await request(LIST, { json: { list, game: 'none' } })
    expect([answer.status, before - left(answer)]).toEqual([404, 1])
  })

  test.each<[string, TestRequestOptions, string]>([
    ['an empty list', csvRequest('\n', 'text/plain'), 'no line with a card'],
    ['headings only', csvRequest('Deck\n\nSideboard\n', 'text/plain'), 'no line with a card'],
    ['JSON without a list', { json: { game: 'wickerwild' } }, '"list" is required'],
    ['an empty text in JSON', { json: { list: '' } }, '"list" must be at least 1'],
    ['a picture', csvRequest('PNG\0\0', 'text/plain'), 'not text'],
  ])('400: %s', async (_kind, of, words) => {
    await expectRefused(LIST, of, 'VALIDATION_ERROR', words)
  })

  test('400: five thousand lines, and nothing is charged', async () => {
    const lines = csvRequest('4 Cindle\n'.repeat(5_000), 'text/plain')
    await expectRefused(LIST, lines, 'TOO_MANY_ITEMS', 'at most 1000 lines')
  })
})

describe.each([IDS, NAMES])('the JSON of %s', (path) => {
  const json = { 'content-type': 'application/json' }

  test.each([
    ['no body', '', 'missing'],
    ['half of it', '{"ids":[1', 'not valid JSON'],
    ['a list', '[1]', 'must be a JSON object'],
    ['null', 'null', 'must be a JSON object'],
    ['a text', '"ids"', 'must be a JSON object'],
  ])('400 for %s', async (_kind, body, words) => {
    await expectRefused(path, { body, headers: json }, 'VALIDATION_ERROR', words)
  })

  test('400 for bytes that are not UTF-8', async () => {
    const body = Uint8Array.from([0x7b, 0xff, 0x7d])
    await expectRefused(path, { body, headers: json }, 'VALIDATION_ERROR', 'not valid JSON')
  })

  test.each(['', 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    '415 for the type "%s"',
    async (type) => {
      const headers = { 'content-type': type }
      const options = { body: '{}', headers }
      await expectRefused(path, options, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type', 415)
    },
  )

  test('413 for more than 2 MB, without reading on', async () => {
    const { body, sent } = endless()
    await expectRefused(path, { body, headers: json }, 'BODY_TOO_LARGE', '2097152 bytes', 413)
    expect(sent()).toBeLessThan(2_097_152 + 1_000_000)
  })
})

describe('POST /v1/bulk/resolve/csv', () => {
  type Answer = { rows: Row[]; unmatched: Row[]; total_value: number }
  const resolve = (body: TestRequestOptions['body'], query = '', type = 'text/csv') =>
    request<Answer>(CSV + query, csvRequest(body, type))

  const TABLE = 'Name,Set\r\nCindle,Tidepool Parade\r\n"Whisht",Drowned Abbey\r\n'

  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['as it is', TABLE],
    ['with a byte order mark', `\ufeff${TABLE}`],
    ['with semicolons', TABLE.replaceAll(',', ';')],
    ['with tabs', TABLE.replaceAll(',', '\t')],
    ['with LF', TABLE.replaceAll('\r\n', '\n')],
    ['in UTF-16', Uint8Array.from(Buffer.from(`\ufeff${TABLE}`, 'utf16le'))],
  ])('accepts a table %s', async (_kind, body) => {
    const testResponse = await resolve(body)
    expect(testResponse.status).toBe(200)
    expect(testResponse.body.data.rows).toMatchObject([
      { row: 1, match: { card: { id: 900_101 } } },
      { row: 2, match: { card: { id: 900_305 } } },
    ])
    expect(testResponse.body.meta).toMatchObject({ total_requested: 2, total_matched: 2 })
  })

  test('preserves Latin-1 letters, and line breaks within quotes', async () => {
    const body = Buffer.from('Name,Set\r\n"Caf\u00e9\r\nNobody",LSN\r\n', 'latin1')
    const reply = await resolve(Uint8Array.from(body))
    expect(reply.body.data.unmatched).toMatchObject([{ row: 1, name: 'Caf\u00e9\r\nNobody' }])
  })

  test('accepts the file of a form', async () => {
    const form = new FormData()
    form.append('file', new File([TABLE], 'mine.csv'))
    const { status, body } = await request<Answer>(CSV, { body: form })
    expect([status, body.data.rows.length]).toEqual([200, 2])
  })

  test('returns and charges rows with the same card separately', async () => {
    const { body } = await resolve('Quantity,Name,Set\n1,Cindle,TPP\n2,Cindle,TPP\n')
    expect(body.data.rows).toMatchObject([{ value: 0.12 }, { value: 0.24 }])
    expect(body.data.total_value).toBe(0.36)
    expect(body.meta).toMatchObject({ total_requested: 2, unpriced: 0, credits_consumed: 1 })
  })

  describe('format=csv', () => {
    const HOSTILE = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '"quoted", and more', 'two\r\nlines']

    test('returns a file with a record per row, and the total', async () => {
      const cells = HOSTILE.map((text) => `"${text.replaceAll('"', '""')}"`)
      const rows = cells.map((cell) => `${cell},${cell},${cell},${cell}`)
      const body = `Name,Set,Number,Quantity\n${rows.join('\n')}\nCindle,TPP,,3\n`
      const json = await resolve(body)
      const { status, text, headers } = await resolve(body, '?format=csv')
      expect([status, headers.get('content-disposition'), headers.get('cache-control')]).toEqual([
        200,
        'attachment; filename="collection.csv"',
        'no-store',
      ])
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
      const table: Record<string, string>[] = parse(text, { columns: true })
      expect(table.map(({ row }) => row)).toEqual(['1', '2', '3', '4', '5', '6', '7', 'total'])
      expect(table[6]).toMatchObject({ card_id: '900101', quantity: '3', value: '0.36' })
      expect(table.at(-1)?.value).toBe(String(json.body.data.total_value))
      const inert = HOSTILE.map((one) => (/^[=+\-@]/.test(one) ? `'${one}` : one))
      expect(table.slice(0, 6).map(({ name }) => name)).toEqual(inert)
      for (const cell of table.flatMap((record) => Object.values(record))) {
        expect(cell).not.toMatch(/^[=+\-@\t\r\0]/)
      }
    })

    test('costs as much as JSON', async () => {
      const before = await leftOf()
      const reply = await resolve(`Name\n${'Cindle\n'.repeat(25)}`, '?format=csv')
      expect(left(reply)).toBe(before - 3)
    })
  })

  test('404 for an unknown game costs one request, whatever the file contains', async () => {
    const before = await leftOf()
    const reply = await resolve(`Name\n${'Cindle\n'.repeat(100)}`, '?game=no-such-game')
    expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect(left(reply)).toBe(before - 1)
  })

  test.each<[string, string, string]>([
    ['an empty file', '', 'empty'],
    ['a header alone', 'Name,Set\n', 'no rows'],
    ['columns of something else', 'Date,Amount\n1,2\n', '"Date"'],
    ['a quote that is never closed', 'Name\n"Cindle\nCindle\n', 'quote'],
    ['a spreadsheet', 'PK\u0003\u0004\0\0', 'not text'],
  ])('400: %s', async (_kind, body, words) => {
    await expectRefused(CSV, csvRequest(body), 'VALIDATION_ERROR', words)
  })

  test.each(['format=xlsx', 'game=a%00b'])('400: %s', async (query) => {
    const words = `"${query.split('=')[0]}" `
    await expectRefused(`${CSV}?${query}`, csvRequest(TABLE), 'VALIDATION_ERROR', words)
  })

  test.each(['application/json', 'image/png', ''])('415 for the type "%s"', async (type) => {
    await expectRefused(CSV, csvRequest(TABLE, type), 'UNSUPPORTED_MEDIA_TYPE', 'text/csv', 415)
  })

  test('413 for 50 MB, declared or not, without reading on', async () => {
    const length = { 'content-type': 'text/csv', 'content-length': '50000000' }
    const upload = endless()
    await expectRefused(CSV, { body: upload.body, headers: length }, 'BODY_TOO_LARGE', '5 MB', 413)
    const { body, sent } = endless()
    await expectRefused(CSV, csvRequest(body), 'BODY_TOO_LARGE', '5 MB', 413)
    expect(upload.sent()).toBeLessThan(1_000_000)
    expect(sent()).toBeLessThan(5 * 1024 * 1024 + 1_000_000)
  })
})

test('does not read the body of a request that is rejected for its key or tier', async () => {
  for (const path of PATHS) {
    for (const [as, status] of [
      ['hobby', 403],
      ['unknown', 401],
    ] as const) {
      const { body, sent } = endless()
      const headers = { 'content-type': path === CSV ? 'text/csv' : 'application/json' }
      expect((await request(path, { as, body, headers })).status).toBe(status)
      expect(sent()).toBeLessThan(200_000)
    }
  }
})

/** An endless body, and the number of chunks that were read. */
function endless() {
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(0x20))
    },
  })
  return { body, sent: () => sent }
}
