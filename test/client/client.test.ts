/** The client against the service on a real connection, and against what is none. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ServiceError } from '#rules/primitives/errors.ts'
import { ApiError, type Client, type ClientOptions, openClient } from '../../src/client/client.ts'
import type { Card, Identification } from '../../src/client/endpoints.ts'
import { fakeReader, PHOTO } from '../support/photos/reader-fixtures.ts'
import {
  createTestApp,
  SECONDS_TO_RESET,
  type TestApp,
  type TestUser,
} from '../support/test-app.ts'

const reader = fakeReader()
let testApp: TestApp
let baseUrl: string

beforeAll(async () => {
  testApp = await createTestApp({ reader })
  testApp.app.listen({ hostname: '127.0.0.1', port: 0 })
  baseUrl = `http://127.0.0.1:${testApp.app.server?.port}`
})
afterAll(async () => {
  await testApp.app.server?.stop(true)
  testApp.close()
})

const as = (testUser: TestUser, options: Partial<ClientOptions> = {}) =>
  openClient({ baseUrl, key: testApp.keys[testUser], ...options })

async function refusalOf(answer: Promise<unknown>): Promise<ApiError> {
  const thrown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof ApiError) return thrown
  throw new Error(`no ApiError, but ${thrown}`)
}

/** A machine of its own that answers in turn, the last one for ever. */
function openMachine(...answers: (() => Response | Promise<Response>)[]) {
  const requests: Request[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const answer = answers[Math.min(requests.length, answers.length - 1)]
      requests.push(request)
      return answer?.() ?? new Response()
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

describe('what the service answers', () => {
  test('a card has the fields that its type says', async () => {
    const { data, rate_limit } = await as('free').get('/v1/cards/{id}', { path: { id: 900003 } })
    const card: Card = data
    expect(card.name).toBe('Cindlemane Regent')
    expect(card.number?.split('/')).toEqual(['003', '024'])
    expect(rate_limit.daily_limit).toBeGreaterThan(rate_limit.daily_remaining)
  })

  test('an endpoint that needs nothing is asked with nothing, and without a key', async () => {
    const { data } = await openClient({ baseUrl: `${baseUrl}/` }).get('/v1/games')
    expect(data.map(({ slug }) => slug)).toContain('perihelion-drift')
  })

  test('a query leaves away what is undefined and joins what is a list', async () => {
    const client = as('pro')
    const game: string | undefined = undefined
    const query = { q: 'cind & lemane', game, per_page: 1 }
    expect((await client.get('/v1/search', { query })).meta.per_page).toBe(1)
    const { data } = await client.get('/v1/bulk/prices', { query: { ids: [900003, 900004] } })
    expect(data.map(({ card_id }) => card_id)).toEqual([900003, 900004])
  })

  test('a path is encoded: what stands in it stays one segment', async () => {
    const { status, message } = await refusalOf(
      openClient({ baseUrl }).get('/v1/games/{slug}', { path: { slug: 'a/b?c #é' } }),
    )
    expect([status, message]).toEqual([404, expect.stringContaining('a/b?c #é')])
  })

  test.each(['', '.', '..'])(
    'a path with "%s" in it is not asked: another one would be',
    async (slug) => {
      await using machine = openMachine(() => Response.json({ data: [] }))
      const asked = openClient({ baseUrl: machine.url }).get('/v1/games/{slug}/sets', {
        path: { slug },
      })
      const { status, code, message } = await refusalOf(asked)
      expect([status, code, message]).toEqual([
        0,
        'VALIDATION_ERROR',
        expect.stringContaining('"slug"'),
      ])
      expect(machine.requests).toEqual([])
    },
  )

  test('a body is sent as JSON', async () => {
    const items = [{ name: 'Cindlemane Regent' }]
    const { data } = await as('pro').post('/v1/bulk/resolve/name', { body: { items } })
    expect(data.results[0]?.match.card.id).toBe(900003)
  })

  test('a collection is sent as the CSV that it is', async () => {
    const body = new Blob(['Name\nCindlemane Regent\n'], { type: 'text/csv' })
    const answer = await as('pro').post('/v1/bulk/resolve/csv', { body })
    if (answer instanceof Blob) throw new Error('a file is answered that was not asked for')
    expect(answer.data.rows[0]?.match.card.id).toBe(900003)
  })

  test('a file is answered as a Blob, also where it is JSON', async () => {
    const client = as('business')
    const ask = { path: { id: 90011 }, query: { format: 'csv' } } as const
    expect(await (await client.get('/v1/export/set/{id}', ask)).text()).toStartWith('game,')
    const json = await client.get('/v1/export/set/{id}', { path: { id: 90011 } })
    expect(JSON.parse(await json.text())).toBeObject()
  })

  test.each([
    ['bytes', PHOTO.jpeg],
    ['a Blob', new Blob([PHOTO.png])],
  ])('a photo as %s is identified', async (_as, photo) => {
    const { data, meta } = await as('pro').identify(photo, { include: 'prices', game: undefined })
    const identification: Identification = data
    expect(identification.status).toBe('matched')
    expect(identification.candidates[0]?.prices).toBeArray()
    expect(meta.charged).toBe('scan')
    expect(reader.requests.at(-1)?.photo.length).toBe(new Blob([photo]).size)
  })

  test('whoever has a session changes and ends what is theirs', async () => {
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

describe('what the service refuses', () => {
  test('is told with its code, its words and the id of the request', async () => {
    const error = await refusalOf(as('free').get('/v1/cards/{id}', { path: { id: 1 } }))
    expect(error).toMatchObject({ name: 'ApiError', status: 404, code: 'NOT_FOUND' })
    expect(error.message).toContain('1')
    expect(error.requestId).toBeString()
    expect(error.rateLimit?.daily_remaining).toBeNumber()
  })

  test('a quota that is used up tells when it starts anew, and is not asked again', async () => {
    let sent = 0
    const fetching = (url: string, init: RequestInit) => {
      sent++
      return fetch(url, init)
    }
    const client = as('exhausted', { fetch: fetching })
    const error = await refusalOf(client.get('/v1/sets'))
    expect(error).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
    expect([error.retryAfter, error.rateLimit?.daily_remaining]).toEqual([SECONDS_TO_RESET, 0])
    expect(sent).toBe(1)
  })

  test('a photo is not sent twice, whatever became of it', async () => {
    reader.script(() => {
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'The reader is busy.', { retryAfter: 0 })
    })
    const before = reader.requests.length
    expect((await refusalOf(as('pro').identify(PHOTO.jpeg))).status).toBe(503)
    expect(reader.requests.length).toBe(before + 1)
  })
})

describe('what is no answer of the service', () => {
  test.each([200, 404, 502])('a page with status %i is told as such', async (status) => {
    await using machine = openMachine(page(status))
    const error = await refusalOf(openClient({ baseUrl: machine.url }).get('/v1/games'))
    expect(error).toMatchObject({ status, code: 'NOT_JSON' })
    expect(machine.requests.length).toBe(1)
  })

  test("somebody else's JSON is a refusal without a code", async () => {
    await using machine = openMachine(() => Response.json({ error: 'gone' }, { status: 410 }))
    const error = await refusalOf(openClient({ baseUrl: machine.url }).get('/v1/games'))
    expect(error).toMatchObject({ status: 410, code: 'UNKNOWN', message: 'The answer is 410.' })
  })

  test('a network fault has status 0 and its cause', async () => {
    const nobody = openClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 })
    const error = await refusalOf(nobody.get('/v1/games'))
    expect(error).toMatchObject({ status: 0, code: 'NETWORK' })
    expect(error.cause).toBeInstanceOf(Error)
  })

  test('an answer that is cut off is a network fault', async () => {
    const cut = new ReadableStream({ start: (stream) => stream.error(new Error('cut off')) })
    const client = openClient({ baseUrl, retries: 0, fetch: async () => new Response(cut) })
    expect((await refusalOf(client.get('/v1/games'))).code).toBe('NETWORK')
  })
})

describe('a service that comes back', () => {
  const games = () => Response.json({ data: [], meta: { total: 0 } })

  test('is asked again after a 503, and answers', async () => {
    await using machine = openMachine(busy(0), page(503), games)
    expect((await openClient({ baseUrl: machine.url }).get('/v1/games')).data).toEqual([])
    expect(machine.requests.length).toBe(3)
  })

  test.each<[string, (client: Client) => Promise<unknown>, number]>([
    ['a GET three times', (client) => client.get('/v1/games'), 3],
    ['a POST once', (client) => client.post('/v1/auth/logout'), 1],
  ])('is asked by %s, then the refusal is told', async (_how, ask, times) => {
    await using machine = openMachine(busy(0))
    expect((await refusalOf(ask(openClient({ baseUrl: machine.url })))).status).toBe(503)
    expect(machine.requests.length).toBe(times)
  })

  test('is not waited for where it says that it takes long', async () => {
    await using machine = openMachine(busy(60), games)
    const error = await refusalOf(openClient({ baseUrl: machine.url }).get('/v1/games'))
    expect([error.retryAfter, machine.requests.length]).toEqual([60, 1])
  })
})

describe('a request that is aborted', () => {
  test.each([
    ['while it is answered', () => new Promise<Response>(() => {})],
    ['while it waits to be tried again', busy(9)],
  ])('%s rejects with the AbortError', async (_when, answer) => {
    const abort = new AbortController()
    await using machine = openMachine(() => {
      setTimeout(() => abort.abort(), 20)
      return answer()
    })
    const client = openClient({ baseUrl: machine.url })
    const asked = client.get('/v1/games', { signal: abort.signal })
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  })
})

test('the compiler refuses what no endpoint takes', () => {
  // Never called: it is held by tsc, to which an unused expectation is a fault, too.
  const wrong = (client: Client) => [
    // @ts-expect-error There is no such path.
    client.get('/v1/nothing'),
    // @ts-expect-error The path takes another method.
    client.post('/v1/games'),
    // @ts-expect-error The id is missing.
    client.get('/v1/cards/{id}'),
    // @ts-expect-error The id is a number.
    client.get('/v1/cards/{id}', { path: { id: 'x' } }),
    // @ts-expect-error The words to search for are missing.
    client.get('/v1/search', { query: { game: 'pokemon' } }),
    // @ts-expect-error It is not sorted by that.
    client.get('/v1/search', { query: { q: 'ab', sort: 'size' } }),
    // @ts-expect-error A body must be there, although each of its members may be missing.
    client.patch('/v1/webhooks/{webhook_id}', { path: { webhook_id: 'x' } }),
    // @ts-expect-error This endpoint takes no body.
    client.delete('/v1/keys/{id}', { path: { id: 'x' }, body: {} }),
    // @ts-expect-error A card has no such field.
    client.get('/v1/cards/{id}', { path: { id: 1 } }).then(({ data }) => data.colour),
  ]
  expect(wrong).toBeFunction()
})
