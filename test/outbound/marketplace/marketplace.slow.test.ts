import { describe, expect, spyOn, test } from 'bun:test'
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import { type MarketplaceOptions, openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { createTempFolder } from '../../support/closers.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { closeAfterUse } from '../../support/end-of-tests.ts'
import { EVERY_PATH, type Mirror, startMirror } from '../../support/sync/mirror-server.ts'

const USER_AGENT = 'Cardstock/0.0.0 (+http://localhost:3000)'
const PATH = 'tcgplayer/3/groups'

/** Opens a mirror with `PATH` and a client that records its waits instead of sleeping. */
function openBoth(options: Partial<MarketplaceOptions> = {}) {
  const mirror = startMirror(new Map([[PATH, '{"results":[]}']]))
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  const market = open({ upstreamUrl: mirror.url, pauseMs: 0, sleep, ...options })
  closeAfterUse(mirror.close)
  return { mirror, market, waits }
}

function open(options: Partial<MarketplaceOptions> & { upstreamUrl: string }) {
  const market = openMarketplace({ userAgent: USER_AGENT, pauseMs: 0, ...options })
  closeAfterUse(market.close)
  return market
}

/** Serves responses that the fake mirror cannot create. */
function serve(answer: (request: Request) => Response | Promise<Response>): string {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  closeAfterUse(() => void server.stop(true))
  return `http://127.0.0.1:${server.port}`
}

/** An endless body. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1_000)) })
}

/** Returns the error with which a promise must reject. */
async function failure(promise: Promise<unknown>): Promise<UpstreamError> {
  const outcome = await promise.catch((cause) => cause)
  if (!(outcome instanceof UpstreamError)) throw new Error(`no UpstreamError but ${outcome}`)
  return outcome
}

describe('a file', () => {
  test('is requested with the user agent, and returns its text and cache validators', async () => {
    const { market, mirror } = openBoth()
    expect(await market.fetchFile(PATH)).toEqual({
      status: 'fresh',
      text: '{"results":[]}',
      validator: {
        etag: expect.stringMatching(/^".+"$/),
        last_modified: 'Wed, 05 Aug 2026 20:05:50 GMT',
      },
    })
    expect(mirror.requests[0]?.headers.get('user-agent')).toBe(USER_AGENT)
  })

  test('is fetched again only if it changed', async () => {
    const { market, mirror } = openBoth()
    const first = await market.fetchFile(PATH)
    if (first.status !== 'fresh') throw new Error('the first is fresh')
    expect(await market.fetchFile(PATH, first.validator)).toEqual({ status: 'unchanged' })
    expect(mirror.requests[1]?.status).toBe(304)
    expect(mirror.requests[1]?.headers.get('if-modified-since')).toBe(
      'Wed, 05 Aug 2026 20:05:50 GMT',
    )

    mirror.put(PATH, '{"results":[1]}')
    expect(await market.fetchFile(PATH, first.validator)).toMatchObject({ text: '{"results":[1]}' })
  })

  test('is unchanged if a mirror that ignores If-None-Match sends the same tag', async () => {
    const url = serve(() => new Response('same', { headers: { etag: '"1"' } }))
    const known = { etag: '"1"', last_modified: null }
    expect(await open({ upstreamUrl: url }).fetchFile(PATH, known)).toEqual({ status: 'unchanged' })
  })

  test('that does not exist is missing', async () => {
    const { market } = openBoth()
    expect(await market.fetchFile('tcgplayer/3/1/prices')).toEqual({ status: 'missing' })
  })

  test('is decompressed', async () => {
    const headers = { 'content-encoding': 'gzip' }
    const url = serve(() => new Response(gzipSync('ガブリアス'), { headers }))
    expect(await open({ upstreamUrl: url }).fetchFile(PATH)).toMatchObject({ text: 'ガブリアス' })
  })

  test('is resolved below a root with a path', async () => {
    const url = serve((request) => new Response(new URL(request.url).pathname))
    for (const root of [`${url}/mirror`, `${url}/mirror/`]) {
      const fetched = await open({ upstreamUrl: root }).fetchFile(PATH)
      expect(fetched).toMatchObject({ text: `/mirror/${PATH}` })
    }
  })

  test.each([
    '../secret',
    '/etc/passwd',
    'a/../b',
    'a//b',
    '.hidden',
    'a?b',
    'http://x/y',
    'a%2f..',
    '',
  ])('with the path %p is never requested', async (path) => {
    const { market, mirror } = openBoth()
    expect((await failure(market.fetchFile(path))).message).toContain('not below the root')
    expect(mirror.requests).toHaveLength(0)
  })

  test('is returned unchanged, even if it is a maintenance page', async () => {
    const { market, mirror } = openBoth()
    mirror.fault(PATH, { html: true })
    expect(await market.fetchFile(PATH)).toMatchObject({
      text: expect.stringMatching(/^<!DOCTYPE/),
    })
  })
})

test('the paths match the mirror', () => {
  const { market } = openBoth()
  expect([
    market.gamesPath(),
    market.setsPath(3),
    market.productsPath(3, 7),
    market.pricesPath(3, 7),
  ]).toEqual([
    'tcgplayer/categories',
    'tcgplayer/3/groups',
    'tcgplayer/3/7/products',
    'tcgplayer/3/7/prices',
  ])
})

describe('the publish time', () => {
  test('is parsed', async () => {
    const { market, mirror } = openBoth()
    mirror.put('last-updated.txt', '2026-08-05T20:05:50+0000\n')
    expect(await market.fetchPublishTime()).toEqual(new Date('2026-08-05T20:05:50Z'))
  })

  test('throws UpstreamError if the file is missing or invalid', async () => {
    const { market, mirror } = openBoth()
    expect((await failure(market.fetchPublishTime())).message).toContain(
      'Use the address of the folder that contains it.',
    )
    mirror.put('last-updated.txt', 'yesterday')
    expect((await failure(market.fetchPublishTime())).message).toContain('not a publish time')
  })
})

describe('a transient error', () => {
  test.each([500, 502, 503, 504, 429, 408])('(%i) is tried again until it has', async (status) => {
    const { market, mirror, waits } = openBoth()
    mirror.fault(PATH, { status, times: 2 })
    expect(await market.fetchFile(PATH)).toMatchObject({ status: 'fresh' })
    expect(mirror.requests).toHaveLength(3)
    expect(waits).toHaveLength(2)
  })

  test('(a truncated file) is retried', async () => {
    const { market, mirror } = openBoth()
    mirror.fault(EVERY_PATH, { cutOff: true, times: 1 })
    expect(await market.fetchFile(PATH)).toMatchObject({ text: '{"results":[]}' })
    expect(mirror.requests).toHaveLength(2)
  })

  test('(a body shorter than its Content-Length) is retried, then thrown', async () => {
    const promised = 'HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n{"results":['
    const listener = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { data: (socket) => void socket.end(promised) },
    })
    closeAfterUse(() => listener.stop(true))
    const market = open({
      upstreamUrl: `http://127.0.0.1:${listener.port}`,
      sleep: async () => undefined,
      retries: 1,
    })
    expect((await failure(market.fetchFile(PATH))).message).toMatch(/cut off .*after 2 attempts/)
  })

  test('(connection refused) is thrown after the last attempt', async () => {
    const { market, mirror, waits } = openBoth({ retries: 3 })
    mirror.close()
    const error = await failure(market.fetchFile(PATH))
    expect(error).toMatchObject({ name: 'UpstreamError', path: PATH })
    expect(error.message).toContain('gave up after 4 attempts')
    expect(waits).toHaveLength(3)
  })

  test('backs off longer each time, with jitter', async () => {
    const { market, mirror, waits } = openBoth({ backoffMs: 100, retries: 4 })
    mirror.fault(PATH, { status: 500 })
    await failure(market.fetchFile(PATH))
    expect(waits).toHaveLength(4)
    for (const [index, ms] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(50 * 2 ** index)
      expect(ms).toBeLessThanOrEqual(100 * 2 ** index)
    }
  })

  test('is logged with path and reason', async () => {
    const events: unknown[] = []
    const { market, mirror } = openBoth({
      log: (event, facts) => void events.push({ event, ...facts }),
    })
    mirror.fault(PATH, { status: 503, times: 1 })
    await market.fetchFile(PATH)
    expect(events).toMatchObject([
      { event: 'upstream_retry', path: PATH, why: 'the mirror responded with 503', tries: 1 },
    ])
  })

  test.each([
    ['7', undefined, 7_000],
    ['Wed, 05 Aug 2026 20:00:30 GMT', 'Wed, 05 Aug 2026 20:00:00 GMT', 30_000],
    ['86400', undefined, 600_000],
    ['-5', undefined, 0],
    ['soon', undefined, 0],
  ])(
    'with Retry-After %p waits as requested, at most ten minutes',
    async (after, date, expected) => {
      const { market, mirror, waits } = openBoth({ backoffMs: 0 })
      const headers: Record<string, string> = { 'retry-after': after }
      if (date !== undefined) headers.date = date
      mirror.fault(PATH, { status: 429, headers, times: 1 })
      await market.fetchFile(PATH)
      expect(waits).toEqual([expected])
    },
  )
})

describe('a permanent error', () => {
  test.each([401, 403])('(%i) is thrown immediately, with the user agent', async (status) => {
    const { market, mirror } = openBoth()
    mirror.fault(EVERY_PATH, { status })
    expect((await failure(market.fetchFile(PATH))).message).toContain(
      `(${status}). It may reject the user agent "${USER_AGENT}"`,
    )
    expect(mirror.requests).toHaveLength(1)
  })

  test.each([204, 304, 400, 410, 451])('(%i) is thrown immediately', async (status) => {
    const { market, mirror } = openBoth()
    mirror.fault(PATH, { status })
    expect((await failure(market.fetchFile(PATH))).message).toContain(String(status))
    expect(mirror.requests).toHaveLength(1)
  })

  test('(a file that is too large) is thrown without reading further', async () => {
    const { market, mirror } = openBoth({ fileBytesMax: 1_000 })
    mirror.put('exact', 'x'.repeat(1_000))
    mirror.put('large', 'x'.repeat(1_001))
    expect(await market.fetchFile('exact')).toMatchObject({ status: 'fresh' })
    expect((await failure(market.fetchFile('large'))).message).toContain('larger than 1000 bytes')
    expect(mirror.requestsOf('large')).toHaveLength(1)
  })
})

test('a mirror that is slow to respond times out', async () => {
  const { market, mirror } = openBoth({ timeoutMs: 500, retries: 1 })
  mirror.fault(PATH, { delayMs: 5_000 })
  expect((await failure(market.fetchFile(PATH))).message).toContain('took more than 500 ms')
  expect(mirror.requests).toHaveLength(2)
})

describe('a redirect', () => {
  test('is followed, at most five times', async () => {
    const url = serve((request) => {
      const left = Number(new URL(request.url).pathname.slice(1))
      return left > 0 ? Response.redirect(`/${left - 1}`) : new Response('there')
    })
    const market = open({ upstreamUrl: url })
    expect(await market.fetchFile('5')).toMatchObject({ text: 'there' })
    expect((await failure(market.fetchFile('6'))).message).toContain('more than 5 times')
  })

  test.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/x',
    'data:text/plain,x',
    'secret-token:x',
    'http://user:pass@127.0.0.1/x',
  ])('to %p is refused without quoting it', async (to) => {
    const url = serve(() => new Response(null, { status: 302, headers: { location: to } }))
    const { message } = await failure(open({ upstreamUrl: url }).fetchFile(PATH))
    expect(message).toContain('not allowed')
    expect(message).not.toContain(to.slice(0, 4) === 'http' ? 'pass@' : to)
  })

  test.each([
    ['another port', (port: number) => `http://127.0.0.1:${port}/x`],
    ['the same machine by another name', (port: number) => `http://localhost:${port}/x`],
    ['IPv6 with IPv4 inside', (port: number) => `http://[::ffff:127.0.0.1]:${port}/x`],
    ['a decimal address', (port: number) => `http://2130706433:${port}/x`],
    ['an octal address', (port: number) => `http://0177.0.0.1:${port}/x`],
    ['a short address', (port: number) => `http://127.1:${port}/x`],
    ['no address', (port: number) => `http://0.0.0.0:${port}/x`],
    ['a name that resolves to this machine', (port: number) => `http://inside.example:${port}/x`],
  ])('of a local mirror to %s is refused, and nothing is quoted', async (_, to) => {
    const names = await startDnsServer({})
    closeAfterUse(names.close)
    const secret = 'SECRET-INTERNAL-TOKEN'
    let requests = 0
    const inside = serve(() => {
      requests++
      return new Response(secret)
    })
    const location = to(Number(new URL(inside).port))
    // The first redirect is allowed; the whole chain is checked.
    const url = serve((request) =>
      Response.redirect(request.url.endsWith('/again') ? location : '/again'),
    )
    const { message } = await failure(open({ upstreamUrl: url, retries: 0 }).fetchFile(PATH))
    expect(message).toContain('the mirror redirects to another server in a private network')
    expect(message).not.toContain(secret)
    expect(requests).toBe(0)
  })

  test('from https to http is rejected', async () => {
    // A certificate that fetch trusts is not available in a test.
    const fetchSpy = spyOn(globalThis, 'fetch').mockImplementation(
      Object.assign(async () => Response.redirect('http://mirror.example/x'), fetch),
    )
    closeAfterUse(() => fetchSpy.mockRestore())
    const error = await failure(open({ upstreamUrl: 'https://mirror.example' }).fetchFile(PATH))
    expect(error.message).toContain('redirects from https:// to http://, which is not allowed')
    expect(fetchSpy).toHaveBeenCalledTimes(1)
  })
})

/** Response with a body that is declared to be compressed. */
const packed = (body: Uint8Array<ArrayBuffer>) =>
  new Response(body, { headers: { 'content-encoding': 'gzip' } })
const NOISE = gzipSync(crypto.getRandomValues(new Uint8Array(4_000)))

test.each<[string, (request: Request) => Response, string]>([
  ['no UTF-8', () => new Response(Uint8Array.of(0x22, 0xff, 0x22)), 'not valid UTF-8'],
  ['half of a compressed file', () => packed(NOISE.subarray(0, 2_000)), 'cut off'],
  ['too much, compressed', () => packed(gzipSync('x'.repeat(1_000_000))), 'larger than'],
  ['no end', () => new Response(endless()), 'took more than 1 s'],
  [
    'another compression',
    () => new Response('x', { headers: { 'content-encoding': 'br' } }),
    'a compression other than gzip',
  ],
  ['redirects without end', (request) => Response.redirect(request.url), 'more than 5 times'],
  ['a redirect without a Location', () => new Response(null, { status: 302 }), 'Location'],
])('a mirror that sends %s is refused', async (_, answer, message) => {
  const codings: (string | null)[] = []
  const upstreamUrl = serve((request) => {
    codings.push(request.headers.get('accept-encoding'))
    return answer(request)
  })
  const limits = { fileBytesMax: 100_000, timeoutMs: 1_000, retries: 0 }
  expect((await failure(open({ upstreamUrl, ...limits }).fetchFile(PATH))).message).toContain(
    message,
  )
  expect(new Set(codings)).toEqual(new Set(['gzip']))
})

describe('request scheduling', () => {
  test('pauses after each request, not before the first', async () => {
    const { market, waits } = openBoth({ pauseMs: 60_000 })
    await market.fetchFile(PATH)
    expect(waits).toEqual([])
    await market.fetchFile(PATH)
    await market.fetchFile(PATH)
    expect(waits).toHaveLength(2)
    for (const ms of waits) expect(ms).toBeWithin(30_000, 60_001)
  })

  test('sends one request at a time', async () => {
    let open = 0
    let most = 0
    const url = serve(async () => {
      most = Math.max(most, ++open)
      await Bun.sleep(2)
      open--
      return new Response('x')
    })
    const market = openMarketplace({ upstreamUrl: url, userAgent: USER_AGENT, pauseMs: 0 })
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((path) => market.fetchFile(path)))
    expect(all).toHaveLength(4)
    expect(most).toBe(1)
  })

  test('continues after a failed request', async () => {
    const { market, mirror } = openBoth()
    mirror.fault('bad', { status: 403 })
    const [bad, good] = await Promise.allSettled([market.fetchFile('bad'), market.fetchFile(PATH)])
    expect([bad?.status, good?.status]).toEqual(['rejected', 'fulfilled'])
  })
})

describe('stopping', () => {
  test('cancels requests in progress and waiting ones', async () => {
    const { market, mirror } = openBoth()
    mirror.fault(EVERY_PATH, { delayMs: 5_000 })
    const waiting = [market.fetchFile(PATH), market.fetchFile('other')]
    while (mirror.requests.length === 0) await Bun.sleep(1)
    market.close()
    for (const promise of waiting) expect((await failure(promise)).message).toContain('stopping')
    expect(mirror.requests).toHaveLength(1)
  })

  test('ends the delay before a retry', async () => {
    const mirror: Mirror = startMirror(new Map())
    closeAfterUse(mirror.close)
    mirror.fault(EVERY_PATH, { status: 503, headers: { 'retry-after': '600' } })
    const market = open({ upstreamUrl: mirror.url, log: () => market.close() })
    expect((await failure(market.fetchFile(PATH))).message).toContain('stopping')
  })

  test('is permanent', async () => {
    const { market, mirror } = openBoth()
    market.close()
    expect((await failure(market.fetchFile(PATH))).message).toContain('stopping')
    expect(mirror.requests).toHaveLength(0)
  })
})

describe('a folder', () => {
  function openFolder(options: Partial<MarketplaceOptions> = {}) {
    const parent = createTempFolder('cardstock-mirror-')
    const folder = join(parent, 'a mirror')
    mkdirSync(join(folder, 'tcgplayer/3'), { recursive: true })
    writeFileSync(join(folder, PATH), '{"results":[]}')
    const market = open({
      upstreamUrl: Bun.pathToFileURL(folder).href,
      sleep: () => Promise.reject(new Error('a folder needs no pause')),
      ...options,
    })
    return { parent, folder, market }
  }

  test('is read like a mirror', async () => {
    const { folder, market } = openFolder()
    expect(await market.fetchFile(PATH)).toMatchObject({ status: 'fresh', text: '{"results":[]}' })
    expect(await market.fetchFile('tcgplayer/3/1/prices')).toEqual({ status: 'missing' })
    expect(await market.fetchFile(`${PATH}/below-a-file`)).toEqual({ status: 'missing' })
    expect(await market.fetchFile('tcgplayer')).toEqual({ status: 'missing' })
    writeFileSync(join(folder, 'last-updated.txt'), '2026-08-05T20:05:50+0000\n')
    expect(await market.fetchPublishTime()).toEqual(new Date('2026-08-05T20:05:50Z'))
  })

  test('does not read a file with the same size and time', async () => {
    const { folder, market } = openFolder()
    const first = await market.fetchFile(PATH)
    if (first.status !== 'fresh') throw new Error('the first is fresh')
    expect(await market.fetchFile(PATH, first.validator)).toEqual({ status: 'unchanged' })
    utimesSync(join(folder, PATH), 1, 1)
    expect(await market.fetchFile(PATH, first.validator)).toMatchObject({ status: 'fresh' })
  })

  test('does not follow links out of the folder', async () => {
    const { parent, folder, market } = openFolder()
    writeFileSync(join(parent, 'secret'), 'secret')
    symlinkSync(join(parent, 'secret'), join(folder, 'link'))
    expect((await failure(market.fetchFile('link'))).message).toContain('leads out')
    expect((await failure(market.fetchFile('../secret'))).message).toContain('not below the root')
  })

  test('may itself be a link', async () => {
    const { parent, folder } = openFolder()
    symlinkSync(folder, join(parent, 'current'))
    const market = open({ upstreamUrl: Bun.pathToFileURL(join(parent, 'current')).href })
    expect(await market.fetchFile(PATH)).toMatchObject({ status: 'fresh' })
  })

  test('that does not exist is an error, not an empty mirror', async () => {
    const market = open({ upstreamUrl: 'file:///no/such/folder' })
    expect((await failure(market.fetchFile(PATH))).message).toContain('the folder /no/such/folder')
  })

  test('has the same file size limit', async () => {
    const { market } = openFolder({ fileBytesMax: 10 })
    expect((await failure(market.fetchFile(PATH))).message).toContain('larger than 10 bytes')
  })
})

test.each(['', 'tcgcsv.com', 'ftp://x/', 'data:,x'])('the address %p is refused', (upstreamUrl) => {
  expect(() => openMarketplace({ upstreamUrl, userAgent: USER_AGENT })).toThrow('must begin with')
})
