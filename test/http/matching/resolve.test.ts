import { describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { countTurns } from '../../support/event-loop-turns.ts'
import { createTestApp, SECONDS_TO_RESET, type TestApp } from '../../support/test-app.ts'
import type {
  CardRow,
  PriceRow,
  Row,
  TestRequestOptions,
  TestResponse,
} from '../../support/test-client.ts'

const testApp = await createTestApp()

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
async function expectRefused(path: string, of: TestRequestOptions, code: string, status = 400) {
  const before = await leftOf()
  const testResponse = await request(path, of)
  expect([testResponse.status, testResponse.body.error?.code]).toEqual([status, code])
  expect(left(testResponse)).toBe(before)
}

describe('credits', () => {
  const TIERS = [
    ['starter', 100, 1],
    ['pro', 500, 0.5],
    ['business', 1_000, 0.1],
  ] as const

  describe.each(PATHS)('%s', (path) => {
    test.each(TIERS)(
      'of %s: at most %i items, one more returns TOO_MANY_ITEMS',
      async (as, most, each) => {
        const before = await leftOf(as)
        const full = await send(path, most, as)
        expect(full.status).toBe(200)
        const credits_consumed = most * each
        expect(full.body.meta).toMatchObject({ total_requested: most, credits_consumed })
        expect(before - left(full)).toBe(credits_consumed)

        const { status, body } = await send(path, most + 1, as)
        expect([status, body.error.code]).toEqual([400, 'TOO_MANY_ITEMS'])
        expect(body.rate_limit.daily_remaining).toBe(left(full))
      },
    )

    test('beyond the remaining quota return 429 with Retry-After, not charged', async () => {
      const own = await createTestApp()
      for (let spent = 0; spent < 2_400; spent += 100) await send(path, 100, 'starter', own)
      await send(path, 60, 'starter', own)
      const refused = await send(path, 41, 'starter', own)
      expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
      expect(refused.headers.get('retry-after')).toBe(String(SECONDS_TO_RESET))
      expect(left(refused)).toBe(40)
      const exact = await send(path, 40, 'starter', own)
      expect([exact.status, left(exact)]).toEqual([200, 0])
      expect((await send(path, 1, 'starter', own)).status).toBe(429)
    })

    test('are refunded together after an internal error', async () => {
      const own = await createTestApp()
      const before = left(await send(path, 3, 'pro', own))
      own.catalogDb.exec('DROP TABLE prices; DROP TABLE price_texts; DROP TABLE cards')
      const failed = await request(path, { ...REAL[path], as: 'pro' }, own)
      expect([failed.status, failed.body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
      expect(left(failed)).toBe(before)
    })
  })
})

describe('prefer', () => {
  const cardOf = (row: Row) => (row.match as Row).card as Row

  test('chooses the card of a name, a line and a row without a set', async () => {
    for (const [prefer, id] of [
      ['regular', 900101],
      ['cheapest', 900101],
      ['highest', 900001],
    ] as const) {
      const names = await request(`${NAMES}?prefer=${prefer}`, {
        json: { items: [{ name: 'Cindle' }] },
      })
      expect(cardOf((names.body.data.results as Row[])[0] ?? {})).toMatchObject({ id })
      const list = await request(`${LIST}?prefer=${prefer}`, csvRequest('1 Cindle', 'text/plain'))
      const csv = await request(`${CSV}?prefer=${prefer}`, csvRequest('Name\nCindle\n'))
      for (const { body } of [list, csv]) {
        const [row = {}] = body.data.rows as Row[]
        expect(cardOf(row)).toMatchObject({ id })
        expect(row.notes).toEqual(['printing_assumed'])
      }
    }
  })

  test('is not used for a row with a set', async () => {
    const csv = await request(`${CSV}?prefer=highest`, csvRequest('Name,Set\nCindle,TPP\n'))
    const [row = {}] = csv.body.data.rows as Row[]
    expect(cardOf(row)).toMatchObject({ id: 900101 })
    expect(row.notes).toEqual([])
  })

  test('400 for an unknown preference', async () => {
    await expectRefused(
      `${LIST}?prefer=dearest`,
      csvRequest('1 Cindle', 'text/plain'),
      'VALIDATION_ERROR',
    )
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

  test.each<[string, unknown]>([
    ['an emoji more', { name: '🃏'.repeat(501) }],
    ['half of a character', { name: 'a\ud83c' }],
    ['half of one as a set', { name: 'a', set: '\udfff' }],
    ['a fraction as a ref', { name: 'a', ref: 1.5 }],
    ['an object as a ref', { name: 'a', ref: {} }],
  ])('400: %s', async (_kind, item) => {
    await expectRefused(NAMES, { json: { items: [{ name: 'a' }, item] } }, 'VALIDATION_ERROR')
  })

  test('400: lists that are nested deeper than can be serialized', async () => {
    for (const deep of [50, 200_000]) {
      const body = `{"items":[{"name":"Cindle","x":${'['.repeat(deep)}${']'.repeat(deep)}}]}`
      const headers = { 'content-type': 'application/json' }
      await expectRefused(NAMES, { body, headers }, 'VALIDATION_ERROR')
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
})

describe('POST /v1/bulk/resolve/csv', () => {
  type Answer = { rows: Row[]; unmatched: Row[]; total_value: number }
  const resolve = (body: TestRequestOptions['body'], query = '') =>
    request<Answer>(CSV + query, csvRequest(body))

  test('accepts the file of a form', async () => {
    const form = new FormData()
    form.append('file', new File(['Name,Set\r\nCindle,TPP\r\nWhisht,\r\n'], 'mine.csv'))
    const { status, body } = await request<Answer>(CSV, { body: form })
    expect([status, body.data.rows.length]).toEqual([200, 2])
  })

  test('reads a list as such, with a section for each line', async () => {
    const list = '4 Cindle TPP 1\nSideboard\n2 Cindle (TPP) 1\n'
    const { body } = await request<Answer>(CSV, csvRequest(list))
    expect(body.data.rows).toMatchObject([
      { row: 1, section: 'main', quantity: 4, match: { card: { id: 900101 } } },
      { row: 3, section: 'sideboard', quantity: 2, match: { card: { id: 900101 } } },
    ])
    expect(body.meta).toMatchObject({ total_requested: 2, credits_consumed: 1 })
  })

  test('returns and charges rows with the same card separately', async () => {
    const { body } = await resolve('Quantity,Name,Set\n1,Cindle,TPP\n2,Cindle,TPP\n')
    expect(body.data.rows).toMatchObject([{ value: 0.12 }, { value: 0.24 }])
    expect(body.data.total_value).toBe(0.36)
    expect(body.meta).toMatchObject({ total_requested: 2, unpriced: 0, credits_consumed: 1 })
  })

  test('returns a file with a record per row, and the total', async () => {
    const body = 'Name,Set,Number,Quantity\n=1+1,,,\nCindle,TPP,,3\n'
    const json = await resolve(body)
    const { status, text, headers } = await resolve(body, '?format=csv')
    expect([status, headers.get('content-disposition'), headers.get('cache-control')]).toEqual([
      200,
      'attachment; filename="collection.csv"',
      'no-store',
    ])
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(parse(text, { columns: true })).toMatchObject([
      { row: '1', name: "'=1+1" },
      { row: '2', card_id: '900101', quantity: '3', value: '0.36' },
      { row: 'total', value: String(json.body.data.total_value) },
    ])
  })

  test('404 for an unknown game costs one request, whatever the file contains', async () => {
    const before = await leftOf()
    const reply = await resolve(`Name\n${'Cindle\n'.repeat(100)}`, '?game=no-such-game')
    expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect(left(reply)).toBe(before - 1)
  })

  test('413 for 50 MB, declared or not, without reading on', async () => {
    const length = { 'content-type': 'text/csv', 'content-length': '50000000' }
    const upload = endless()
    await expectRefused(CSV, { body: upload.body, headers: length }, 'BODY_TOO_LARGE', 413)
    const { body, sent } = endless()
    await expectRefused(CSV, csvRequest(body), 'BODY_TOO_LARGE', 413)
    expect(upload.sent()).toBeLessThan(1_000_000)
    expect(sent()).toBeLessThan(5 * 1024 * 1024 + 1_000_000)
  })
})

test.each<[string, string, TestRequestOptions]>([
  ['an empty list', LIST, csvRequest('\n', 'text/plain')],
  ['a list of headings only', LIST, csvRequest('Deck\n\nSideboard\n', 'text/plain')],
  ['JSON without a list', LIST, { json: { game: 'wickerwild' } }],
  ['a picture as a list', LIST, csvRequest('PNG\0\0', 'text/plain')],
  ['an empty file', CSV, csvRequest('')],
  ['a header alone', CSV, csvRequest('Name,Set\n')],
  ['columns of something else', CSV, csvRequest('Date,Amount\n1,2\n')],
  ['a quote that is never closed', CSV, csvRequest('Name\n"Cindle\nCindle\n')],
  ['a spreadsheet', CSV, csvRequest('PK\u0003\u0004\0\0')],
])('400: %s, not charged', async (_kind, path, of) => {
  await expectRefused(path, of, 'VALIDATION_ERROR')
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

test('a hundred requests of an account do not make that of another one wait for them', async () => {
  const crowdedApp = await createTestApp()
  const hostile = (count: number) =>
    Array.from({ length: count }, (_, at) => `7 Cindle (abc) ${at}/49 [wxyz] *F*`).join('\n')
  const list = (count: number, as: Tier) =>
    request(LIST, { ...csvRequest(hostile(count), 'text/plain'), as }, crowdedApp)
  // Compiles what both send.
  await list(20, 'pro')
  let answered = 0
  const crowd = Array.from({ length: 100 }, () => list(30, 'business').finally(() => answered++))
  const { result, turns } = await countTurns(list(20, 'pro'))
  expect(result.status).toBe(200)
  expect(answered).toBe(0)
  expect(turns).toBeLessThan(crowd.length)
  for (const { status } of await Promise.all(crowd)) expect(status).toBe(200)
})
