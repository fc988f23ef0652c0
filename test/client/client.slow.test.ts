/** The client against a real server, and against misbehaving servers. */
import { describe, expect, test } from 'bun:test'
import { ServiceError } from '#rules/primitives/errors.ts'
import { ApiError, type Client, type ClientOptions, openClient } from '../../src/client/client.ts'
import type { Card, Identification } from '../../src/client/endpoints.ts'
import { fakeReader, PHOTO } from '../support/photos/reader-fixtures.ts'
import { createTestApp, SECONDS_TO_RESET, type TestUser } from '../support/test-app.ts'

const reader = fakeReader()
const testApp = await createTestApp({ reader })
const { url: baseUrl } = testApp.listen()

const as = (testUser: TestUser, options: Partial<ClientOptions> = {}) =>
  openClient({ baseUrl, key: testApp.keys[testUser], ...options })

async function catchError(answer: Promise<unknown>): Promise<ApiError> {
  const thrown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof ApiError) return thrown
  throw new Error(`no ApiError, but ${thrown}`)
}

/** Starts a server that sends these responses in turn and then repeats the last one. */
function startServer(...responses: (() => Response | Promise<Response>)[]) {
  const requests: Request[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const respond = responses[Math.min(requests.length, responses.length - 1)]
      requests.push(request)
      return respond?.() ?? new Response()
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  return { requests, url, [Symbol.asyncDispose]: () => server.stop(true) }
}

const busy = (retryAfter: number) => () =>
  Response.json(
    { error: { message: 'Busy.', code: 'UNAVAILABLE' } },
    { status: 503, headers: { 'retry-after': String(retryAfter) } },
  )
const page = (status: number) => () =>
  new Response('<h1>Proxy</h1>', { status, headers: { 'retry-after': '0' } })

describe('a response', () => {
  test('has the fields of its type', async () => {
    const { data, rate_limit } = await as('free').get('/v1/cards/{id}', { path: { id: 900003 } })
    const card: Card = data
    expect(card.name).toBe('Cindlemane Regent')
    expect(card.number?.split('/')).toEqual(['003', '024'])
    expect(rate_limit.daily_limit).toBeGreaterThan(rate_limit.daily_remaining)
  })

  test('of an endpoint without input needs no arguments and no key', async () => {
    const { data } = await openClient({ baseUrl: `${baseUrl}/` }).get('/v1/games')
    expect(data.map(({ slug }) => slug)).toContain('perihelion-drift')
  })

  test('fits a query without its undefined values and with joined lists', async () => {
    const client = as('pro')
    const game: string | undefined = undefined
    const query = { q: 'cind & lemane', game, per_page: 1 }
    expect((await client.get('/v1/search', { query })).meta.per_page).toBe(1)
    const { data } = await client.get('/v1/bulk/prices', { query: { ids: [900003, 900004] } })
    expect(data.map(({ card_id }) => card_id)).toEqual([900003, 900004])
  })

  test('fits a path whose values are encoded as one segment', async () => {
    const { status, message } = await catchError(
      openClient({ baseUrl }).get('/v1/games/{slug}', { path: { slug: 'a/b?c #é' } }),
    )
    expect([status, message]).toEqual([404, expect.stringContaining('a/b?c #é')])
  })

  test('fits a path and a query with half a character, which are sent with its replacement', async () => {
    const paths: string[] = []
    const sending = async ({ url }: Request) => {
      paths.push(decodeURIComponent(url.slice(baseUrl.length)))
      return Response.json({ data: [] })
    }
    const client = openClient({ baseUrl, fetch: sending })
    await client.get('/v1/games/{slug}/sets', { path: { slug: 'a\ud83d' } })
    await client.get('/v1/search', { query: { q: 'b\ud83d' } })
    expect(paths).toEqual(['/v1/games/a\ufffd/sets', '/v1/search?q=b\ufffd'])
  })

  test.each(['', '.', '..'])(
    'is never requested for a path value "%s", which would change the endpoint',
    async (slug) => {
      await using server = startServer(() => Response.json({ data: [] }))
      const response = openClient({ baseUrl: server.url }).get('/v1/games/{slug}/sets', {
        path: { slug },
      })
      const { status, code, message } = await catchError(response)
      expect([status, code, message]).toEqual([
        0,
        'VALIDATION_ERROR',
        expect.stringContaining('"slug"'),
      ])
      expect(server.requests).toEqual([])
    },
  )

  test('fits a JSON body', async () => {
    const items = [{ name: 'Cindlemane Regent' }]
    const { data } = await as('pro').post('/v1/bulk/resolve/name', { body: { items } })
    expect(data.results[0]?.match.card.id).toBe(900003)
  })

  test('fits a CSV body', async () => {
    const body = new Blob(['Name\nCindlemane Regent\n'], { type: 'text/csv' })
    const answer = await as('pro').post('/v1/bulk/resolve/csv', { body })
    if (answer instanceof Blob) throw new Error('unexpected file')
    expect(answer.data.rows[0]?.match.card.id).toBe(900003)
  })

  test('with a file is a Blob, even if the file is JSON', async () => {
    const client = as('business')
    const input = { path: { id: 90011 }, query: { format: 'csv' } } as const
    expect(await (await client.get('/v1/export/set/{id}', input)).text()).toStartWith('game,')
    const json = await client.get('/v1/export/set/{id}', { path: { id: 90011 } })
    expect(JSON.parse(await json.text())).toBeObject()
  })

  test.each([
    ['bytes', PHOTO.jpeg],
    ['a Blob', new Blob([PHOTO.png])],
  ])('identifies a photo sent as %s', async (_as, photo) => {
    const { data, meta } = await as('pro').identify(photo, { include: 'prices', game: undefined })
    const identification: Identification = data
    expect(identification.status).toBe('matched')
    expect(identification.candidates[0]?.prices).toBeArray()
    expect(meta.charged).toBe('scan')
    expect(reader.requests.at(-1)?.photo.length).toBe(new Blob([photo]).size)
  })

  test('fits every method with a session', async () => {
    const headers = { cookie: `session=${await testApp.createSession('pro')}` }
    const client = openClient({ baseUrl, headers })
    const made = await client.post('/v1/webhooks', {
      body: { url: 'https://shop.example/', card_id: 900003, condition: 'below', threshold: 1 },
    })
    const path = { webhook_id: made.data.id }
    const changed = await client.patch('/v1/webhooks/{webhook_id}', {
      path,
      body: { paused: true },
    })
    expect(changed.data.status).toBe('paused')
    expect((await client.delete('/v1/webhooks/{webhook_id}', { path })).data.id).toBe(made.data.id)
    expect((await client.get('/v1/webhooks')).data).toEqual([])
    expect((await client.post('/v1/keys')).data.key).toBeString()
  })
})

describe('an error of the server', () => {
  test('has its code, message and request id', async () => {
    const error = await catchError(as('free').get('/v1/cards/{id}', { path: { id: 1 } }))
    expect(error).toMatchObject({ name: 'ApiError', status: 404, code: 'NOT_FOUND' })
    expect(error.message).toContain('1')
    expect(error.requestId).toBeString()
    expect(error.rateLimit?.daily_remaining).toBeNumber()
  })

  test('for a used-up quota has the time of its reset and is not retried', async () => {
    let sent = 0
    const fetching = (request: Request) => {
      sent++
      return fetch(request)
    }
    const client = as('exhausted', { fetch: fetching })
    const error = await catchError(client.get('/v1/sets'))
    expect(error).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
    expect([error.retryAfter, error.rateLimit?.daily_remaining]).toEqual([SECONDS_TO_RESET, 0])
    expect(sent).toBe(1)
  })

  test('for a photo is not retried', async () => {
    reader.script(() => {
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'The reader is busy.', { retryAfter: 0 })
    })
    const before = reader.requests.length
    expect((await catchError(as('pro').identify(PHOTO.jpeg))).status).toBe(503)
    expect(reader.requests.length).toBe(before + 1)
  })
})

describe('a response of something else', () => {
  test.each([200, 404, 502])('with status %i is NOT_JSON', async (status) => {
    await using server = startServer(page(status))
    const error = await catchError(openClient({ baseUrl: server.url }).get('/v1/games'))
    expect(error).toMatchObject({ status, code: 'NOT_JSON' })
    expect(server.requests.length).toBe(1)
  })

  test('in JSON is an error without a code', async () => {
    await using server = startServer(() => Response.json({ error: 'gone' }, { status: 410 }))
    const error = await catchError(openClient({ baseUrl: server.url }).get('/v1/games'))
    expect(error).toMatchObject({
      status: 410,
      code: 'UNKNOWN',
      message: 'The request failed with status 410.',
    })
  })

  test('that is missing is NETWORK, with its cause', async () => {
    const nobody = openClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 })
    const error = await catchError(nobody.get('/v1/games'))
    expect(error).toMatchObject({ status: 0, code: 'NETWORK' })
    expect(error.cause).toBeInstanceOf(Error)
  })

  test('that was never requested rejects with the reason, and is not retried', async () => {
    await using server = startServer(() => Response.json({ data: [] }))
    const headers = { 'X-Note': 'two\nlines' }
    const response = openClient({ baseUrl: server.url, headers }).get('/v1/games')
    await expect(response).rejects.toBeInstanceOf(TypeError)
    expect(server.requests).toEqual([])
  })

  test('that is cut off is NETWORK', async () => {
    const cut = new ReadableStream({ start: (stream) => stream.error(new Error('cut off')) })
    const client = openClient({ baseUrl, retries: 0, fetch: async () => new Response(cut) })
    expect((await catchError(client.get('/v1/games'))).code).toBe('NETWORK')
  })
})

describe('an unavailable server', () => {
  const games = () => Response.json({ data: [], meta: { total: 0 } })

  test('gets retries after a 503', async () => {
    await using server = startServer(busy(0), page(503), games)
    expect((await openClient({ baseUrl: server.url }).get('/v1/games')).data).toEqual([])
    expect(server.requests.length).toBe(3)
  })

  test.each<[string, string, (client: Client) => Promise<unknown>, number]>([
    ['a GET', 'three times', (client) => client.get('/v1/games'), 3],
    ['a POST', 'once', (client) => client.post('/v1/auth/logout'), 1],
  ])('gets %s %s', async (_request, _often, send, times) => {
    await using server = startServer(busy(0))
    expect((await catchError(send(openClient({ baseUrl: server.url })))).status).toBe(503)
    expect(server.requests.length).toBe(times)
  })

  test('gets no retry if Retry-After is long', async () => {
    await using server = startServer(busy(60), games)
    const error = await catchError(openClient({ baseUrl: server.url }).get('/v1/games'))
    expect([error.retryAfter, server.requests.length]).toEqual([60, 1])
  })
})

describe('an aborted request', () => {
  test.each([
    ['in flight', () => new Promise<Response>(() => {})],
    ['between attempts', busy(9)],
  ])('%s rejects with the AbortError', async (_when, answer) => {
    const abort = new AbortController()
    await using server = startServer(() => {
      setTimeout(() => abort.abort(), 20)
      return answer()
    })
    const client = openClient({ baseUrl: server.url })
    const response = client.get('/v1/games', { signal: abort.signal })
    await expect(response).rejects.toMatchObject({ name: 'AbortError' })
  })
})

test('calls that no endpoint accepts do not compile', () => {
  // Never called: tsc checks it, and reports unused expectations too.
  const wrong = (client: Client) => [
    // @ts-expect-error Unknown path.
    client.get('/v1/nothing'),
    // @ts-expect-error Wrong method.
    client.post('/v1/games'),
    // @ts-expect-error Missing id.
    client.get('/v1/cards/{id}'),
    // @ts-expect-error The id must be a number.
    client.get('/v1/cards/{id}', { path: { id: 'x' } }),
    // @ts-expect-error Missing query.
    client.get('/v1/search', { query: { game: 'pokemon' } }),
    // @ts-expect-error Unknown sort order.
    client.get('/v1/search', { query: { q: 'ab', sort: 'size' } }),
    // @ts-expect-error Missing body, although its members are optional.
    client.patch('/v1/webhooks/{webhook_id}', { path: { webhook_id: 'x' } }),
    // @ts-expect-error Unexpected body.
    client.delete('/v1/keys/{id}', { path: { id: 'x' }, body: {} }),
    // @ts-expect-error Unknown field.
    client.get('/v1/cards/{id}', { path: { id: 1 } }).then(({ data }) => data.color),
  ]
  expect(wrong).toBeFunction()
})
