// The webhook client against real receivers on this machine.
import { describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { DELIVERY_CONCURRENCY, TEST_CONCURRENCY } from '#actions/alerts/delivery-queue.ts'
import {
  ATTEMPT_TIMEOUT_MS,
  openWebhookClient,
  type WebhookClientOptions,
} from '#outbound/webhooks/webhook-client.ts'
import packageJson from '../../../package.json'
import { startProxy } from '../../support/alerts/proxy-tunnel.ts'
import {
  type Behavior,
  type Receiver,
  type ReceiverOptions,
  startReceiver,
} from '../../support/alerts/receivers.ts'
import { createCertificate } from '../../support/certificates.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { closeAfterUse } from '../../support/end-of-tests.ts'
import { findFreePort } from '../../support/free-port.ts'
import { ADDRESSES } from '../../support/ip-addresses.ts'

function open(options: ReceiverOptions = {}) {
  const receiver = startReceiver(options)
  closeAfterUse(receiver.stop)
  return receiver
}

/** Starts a name server with fixed responses that records the lookups. */
function nameServer(...answers: string[][]) {
  const lookedUp: string[] = []
  return {
    lookedUp,
    lookup: async (name: string) => {
      lookedUp.push(name)
      const answer = answers[Math.min(lookedUp.length, answers.length) - 1] ?? []
      return answer.map((address) => ({ address }))
    },
  }
}

const here = nameServer(['127.0.0.1'])

function client(options: Partial<WebhookClientOptions> = {}) {
  const local = { network: 'loopback-ok', quotesLoopback: true } as const
  return openWebhookClient({ ...local, lookup: here.lookup, ...options })
}

/** Waits until all connections of an attempt are closed; otherwise the test times out. */
async function hasHungUp(receiver: Receiver): Promise<void> {
  while (receiver.openConnections() > 0) await Bun.sleep(5)
}

const MESSAGE = {
  headers: {
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1785000000',
    'webhook-signature': 'v1,AAAA v1,BBBB',
  },
  body: '{"card_name":"Flabébé"}',
}

const post = (url: string, options?: Partial<WebhookClientOptions>, signal?: AbortSignal) =>
  client(options).post({ url, ...MESSAGE }, signal)

describe('a message', () => {
  test('arrives unchanged, with its signature and the fixed headers', async () => {
    const receiver = open()
    const url = `http://hooks.example:${receiver.port}/a/%20b?c=d&e=%C3%A9`
    expect(await post(url)).toEqual({
      status: 204,
      error: null,
      latency_ms: expect.any(Number),
      retry_after_ms: 0,
      answer: null,
    })
    const [got, ...more] = receiver.received
    expect(more).toEqual([])
    expect(got?.body).toBe(MESSAGE.body)
    expect(got?.path).toBe('/a/%20b?c=d&e=%C3%A9')
    expect(Object.fromEntries(got?.headers ?? [])).toMatchObject({
      ...MESSAGE.headers,
      host: `hooks.example:${receiver.port}`,
      'content-type': 'application/json',
      'user-agent': `Cardstock/${packageJson.version} (price alerts)`,
    })
  })

  test('goes to an internationalized host name by its Punycode form', async () => {
    const receiver = open()
    const names = nameServer(['127.0.0.1'])
    await post(`http://bücher.example:${receiver.port}/`, names)
    expect(names.lookedUp).toEqual(['xn--bcher-kva.example'])
    expect(receiver.received[0]?.headers.get('host')).toBe(`xn--bcher-kva.example:${receiver.port}`)
  })

  test('goes to an IP address without a DNS lookup', async () => {
    const receiver = open()
    const names = nameServer([])
    expect((await post(receiver.url, names)).status).toBe(204)
    expect(receiver.received[0]?.headers.get('host')).toBe(`127.0.0.1:${receiver.port}`)
    expect(names.lookedUp).toEqual([])
  })

  test('goes to localhost', async () => {
    const receiver = open()
    const real = openWebhookClient({ network: 'loopback-ok' })
    const outcome = await real.post({ url: `http://localhost:${receiver.port}/`, ...MESSAGE })
    expect(outcome.status).toBe(204)
  })

  test('is sent once, however the response fails', async () => {
    const receiver = open({ behave: () => 'cut' })
    const names = nameServer(['127.0.0.1', '127.0.0.2'])
    expect(await post(`http://hooks.example:${receiver.port}/`, names)).toMatchObject({
      status: null,
      error: 'The connection was closed before a response.',
    })
    expect(receiver.received).toHaveLength(1)
  })
})

describe('receivers and name servers that hang', () => {
  test('at the concurrency limit do not delay other requests of this process', async () => {
    const hanging = open({ behave: () => 'never' })
    const other = open()
    const stopping = new AbortController()
    const all = DELIVERY_CONCURRENCY.quick + DELIVERY_CONCURRENCY.slow + TEST_CONCURRENCY.total
    const posts = Array.from({ length: all }, () => post(hanging.url, {}, stopping.signal))
    while (hanging.received.length < all) await Bun.sleep(5)
    // Like the requests of payments and syncs.
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => fetch(other.url, { method: 'POST', body: '' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(204))
    stopping.abort()
    expect((await Promise.all(posts)).every(({ status }) => status === null)).toBe(true)
  })

  test('delay neither DNS lookups nor file reads', async () => {
    const server = await startDnsServer({ isSilent: (name) => name.startsWith('silent') })
    closeAfterUse(server.close)
    const receiver = open()
    const real = openWebhookClient({ network: 'loopback-ok', timeoutMs: 3_000 })
    const at = (name: string) =>
      real.post({ url: `http://${name}.example:${receiver.port}/`, ...MESSAGE })
    let given = 0
    const silent = Array.from({ length: 64 }, (_, index) =>
      at(`silent-${index}`).finally(() => given++),
    )
    while (server.queried.size < 64) await Bun.sleep(5)
    const [{ status }] = await Promise.all([at('well'), readFile(import.meta.path)])
    expect([status, given]).toEqual([204, 0])
    expect(new Set((await Promise.all(silent)).map(({ error }) => error))).toEqual(
      new Set(['No response within 3 seconds.']),
    )
  })

  test('a DNS error is reported', async () => {
    const server = await startDnsServer({ codeOf: (name) => (name.startsWith('none') ? 3 : 5) })
    closeAfterUse(server.close)
    const real = openWebhookClient({ network: 'loopback-ok' })
    const errorAt = async (url: string) => (await real.post({ url, ...MESSAGE })).error
    expect(await errorAt('http://none.example/')).toBe('The host name does not exist.')
    expect(await errorAt('http://refused.example/')).toBe(
      'The host name could not be resolved. The DNS server did not respond.',
    )
  })
})

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

describe.skipIf(!hasIpv6)('with IPv6', () => {
  test('a message goes to an address in brackets', async () => {
    const receiver = open({ hostname: '::1' })
    expect((await post(`${receiver.url}/a?b`)).status).toBe(204)
    expect(receiver.received[0]?.headers.get('host')).toBe(`[::1]:${receiver.port}`)
  })

  test('a name with both is reached over IPv4, and over IPv6 if that fails', async () => {
    const six = open({ hostname: '::1' })
    const names = () => nameServer(['::1', '127.0.0.1'])
    const url = `http://hooks.example:${six.port}/`
    expect((await post(url, names())).status).toBe(204)
    expect(six.received).toHaveLength(1)
    const four = open({ port: six.port })
    expect((await post(url, names())).status).toBe(204)
    expect([four.received.length, six.received.length]).toEqual([1, 1])
  })
})

describe('a response', () => {
  test.each<[Behavior, number, string | null]>([
    ['ok', 204, null],
    ['ok with body', 200, null],
    [{ status: 299 }, 299, null],
    ['cut within', 200, null],
    ['endless', 200, null],
    [{ slow: 50 }, 204, null],
    ['refuse', 400, 'The receiver responded with 400.'],
    [{ status: 304 }, 304, 'The receiver responded with 304.'],
    ['gone', 410, 'The receiver responded with 410 Gone.'],
    ['fail', 500, 'The receiver responded with 500.'],
    ['accept then fail', 503, 'The receiver responded with 503.'],
    [{ busy: '7' }, 503, 'The receiver responded with 503.'],
  ])('of %p has status %i and error %p', async (behavior, status, error) => {
    const receiver = open({ behave: () => behavior })
    expect(await post(receiver.url)).toMatchObject({ status, error })
    expect(receiver.received).toHaveLength(1)
  })

  test.each([301, 302, 303, 307, 308])('that redirects with %i is not followed', async (status) => {
    const other = open()
    const receiver = open({
      behave: () => ({ status, headers: { location: `${other.url}/secret` } }),
    })
    expect(await post(receiver.url)).toMatchObject({
      status,
      error: `The receiver redirects (${status}), which is not followed. Set the URL that it redirects to.`,
    })
    expect([receiver.received.length, other.received.length]).toEqual([1, 0])
  })

  test('that redirects to its own receiver is not followed either', async () => {
    const receiver = open({ behave: () => ({ moved: '/again' }) })
    expect((await post(receiver.url)).status).toBe(307)
    expect(receiver.received).toHaveLength(1)
  })

  test.each([
    ['7', 7_000],
    ['0', 0],
    ['3600', 3_600_000],
    ['999999999', 86_400_000],
    ['soon', 0],
    ['-5', 0],
    ['Wed, 05 Aug 2026 20:00:00 GMT', 0],
  ])('with Retry-After %p is respected up to a day', async (busy, ms) => {
    const receiver = open({ behave: () => ({ busy }) })
    expect((await post(receiver.url)).retry_after_ms).toBe(ms)
  })

  test('may give Retry-After as a date of its own clock', async () => {
    const headers = {
      date: 'Wed, 05 Aug 2026 20:00:00 GMT',
      'retry-after': 'Wed, 05 Aug 2026 20:30:00 GMT',
    }
    const receiver = open({ behave: () => ({ status: 503, headers }) })
    expect((await post(receiver.url)).retry_after_ms).toBe(30 * 60_000)
  })

  test.each([
    ['in words', 'Thank you.', 'Thank you.'],
    ['empty', '', null],
    ['blank', ' \n\t ', null],
    ['with control characters', 'a\u0000b\r\nc\u001b[31md\u0085e', 'a b  c [31md e'],
    ['long', 'x'.repeat(20_000), 'x'.repeat(256)],
    ['long, of two bytes a character', 'é'.repeat(300), 'é'.repeat(256)],
    ['cut within a pair', `${'x'.repeat(255)}🂡`, `${'x'.repeat(255)}\ufffd`],
    ['no text', Uint8Array.of(0x61, 0xff, 0xfe, 0x62), 'a\ufffd\ufffdb'],
  ])('that is %s is shown by its beginning', async (_, body, shown) => {
    const receiver = open({ behave: () => ({ status: 500, body }) })
    expect((await post(receiver.url)).answer).toBe(shown)
  })

  test('of this machine is not shown if others can reach the service', async () => {
    const receiver = open({ behave: () => ({ status: 200, body: 'SECRET-INTERNAL-TOKEN' }) })
    const outcome = await post(receiver.url, { quotesLoopback: false })
    expect(outcome).toMatchObject({ status: 200, answer: null })
    expect(JSON.stringify(outcome)).not.toContain('SECRET')
  })

  test('is not decompressed, so it cannot grow', async () => {
    const body = Bun.gzipSync(Buffer.alloc(50_000_000))
    const receiver = open({
      behave: () => ({ status: 200, headers: { 'content-encoding': 'gzip' }, body }),
    })
    const { status, answer } = await post(receiver.url)
    expect(status).toBe(200)
    expect(answer?.startsWith('\u001f')).toBe(false)
    expect(answer).not.toBeNull()
    expect(receiver.received[0]?.headers.get('accept-encoding')).toBe('identity')
  })

  test('without an end is abandoned after its beginning', async () => {
    const receiver = open({ behave: () => 'endless' })
    for (let n = 0; n < 3; n++) await post(receiver.url)
    Bun.gc(true)
    const before = process.memoryUsage().rss
    for (let n = 0; n < 20; n++) {
      expect(await post(receiver.url)).toMatchObject({ status: 200, answer: 'x'.repeat(256) })
    }
    Bun.gc(true)
    expect(process.memoryUsage().rss - before).toBeLessThan(32_000_000)
    await hasHungUp(receiver)
  })

  test('whose body stalls counts after the timeout', async () => {
    const behave = () => ({ status: 200, headers: { 'content-length': '99' }, body: 'Hello' })
    const receiver = open({ behave })
    const outcome = await post(receiver.url, { timeoutMs: 1_000 })
    expect(outcome).toMatchObject({ status: 200, error: null, answer: 'Hello' })
    expect(outcome.latency_ms).toBeGreaterThanOrEqual(999)
  })
})

describe('an attempt without a response', () => {
  test.each<[Behavior]>([['never'], [{ slow: 5_000 }]])(
    'of %p ends in its time',
    async (behavior) => {
      const receiver = open({ behave: () => behavior })
      // Long enough for a busy machine to receive the request.
      const outcome = await post(receiver.url, { timeoutMs: 1_000 })
      expect(outcome).toMatchObject({ status: null, error: 'No response within 1 seconds.' })
      expect(outcome.latency_ms).toBeWithin(999, 5_000)
      expect(receiver.received).toHaveLength(1)
      await hasHungUp(receiver)
    },
  )

  test('with endless headers times out', async () => {
    const receiver = open({ behave: () => 'endless headers' })
    expect((await post(receiver.url)).error).toBe('The response is not valid HTTP.')
    expect(receiver.bytesSent()).toBeLessThan(16_000_000)
  })

  test('whose connection is refused is reported', async () => {
    expect((await post(`http://127.0.0.1:${await findFreePort()}/`)).error).toBe(
      'The connection was refused. Check that the receiver is running.',
    )
  })

  test('whose name server never responds times out', async () => {
    const outcome = await post('http://hooks.example/', {
      timeoutMs: 50,
      lookup: () => new Promise(() => {}),
    })
    expect(outcome.error).toBe('No response within 0.05 seconds.')
  })

  test.each([
    ['ENOTFOUND', 'The host name does not exist.'],
    ['ENODATA', 'The host name does not exist.'],
    ['EAI_AGAIN', 'The host name could not be resolved. The DNS server did not respond.'],
    ['EWHATEVER', 'The connection failed.'],
  ])('that fails with %s at 10.1.2.3 reports only: %s', async (code, error) => {
    const lookup = () => Promise.reject(Object.assign(new Error('at 10.1.2.3:53'), { code }))
    expect(await post('http://hooks.example/', { lookup })).toMatchObject({ status: null, error })
  })

  test('whose name has no address is reported', async () => {
    expect((await post('http://hooks.example/', nameServer([]))).error).toBe(
      'The host name does not exist.',
    )
    const real = openWebhookClient({ network: 'public' })
    expect((await real.post({ url: 'https://hooks.invalid/', ...MESSAGE })).error).toMatch(
      /^The host name/,
    )
  })

  test('ends with its signal, and sends nothing if that came first', async () => {
    const stopping = new AbortController()
    const receiver = open({
      behave() {
        stopping.abort()
        return 'never'
      },
    })
    const outcome = await post(receiver.url, {}, stopping.signal)
    expect(outcome).toMatchObject({ status: null, error: expect.stringMatching(/^Cardstock stop/) })
    expect(outcome.latency_ms).toBeLessThan(ATTEMPT_TIMEOUT_MS / 2)
    await hasHungUp(receiver)
    const names = nameServer(['127.0.0.1'])
    await post(`http://hooks.example:${receiver.port}/`, names, stopping.signal)
    expect(names.lookedUp).toEqual([])
    expect(receiver.received).toHaveLength(1)
  })
})

describe('of several addresses', () => {
  test.each([
    [['127.0.0.2', '127.0.0.1'], 1],
    [['127.0.0.3', '127.0.0.2', '127.0.0.1'], 1],
    [['127.0.0.4', '127.0.0.3', '127.0.0.2', '127.0.0.1'], 0],
    [['127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.1'], 1],
  ])('%p at most three are tried until one is reached', async (addresses, expected) => {
    const receiver = open()
    const names = nameServer(addresses)
    const outcome = await post(`http://hooks.example:${receiver.port}/`, names)
    expect(outcome.status).toBe(expected === 1 ? 204 : null)
    expect(receiver.received).toHaveLength(expected)
    expect(names.lookedUp).toHaveLength(1)
  })

  test('all must be allowed', async () => {
    const receiver = open()
    for (const answer of [
      ['127.0.0.1', '10.0.0.1'],
      ['10.0.0.1', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4', 'fd00::1'],
    ]) {
      const outcome = await post(`http://hooks.example:${receiver.port}/`, nameServer(answer))
      expect(outcome.error).toBe('The URL resolves to a private network.')
    }
    expect(receiver.connections()).toBe(0)
  })
})

test('an address that was allowed before is rejected after the network setting changed', async () => {
  const receiver = open()
  for (const [url, error] of [
    [receiver.url, /begin with https/],
    [`https://127.0.0.1:${receiver.port}`, /in a private network/],
    [`https://localhost:${receiver.port}`, /in a private network/],
  ] as const) {
    expect((await post(url, { network: 'public' })).error).toMatch(error)
  }
  expect(receiver.connections()).toBe(0)
})

describe('a certificate', () => {
  const NAMES = ['hooks.example']

  async function openTls(kind: 'valid' | 'expired' = 'valid', names = NAMES) {
    const tls = await createCertificate(names, kind)
    const receiver = open({ tls })
    return { receiver, ca: tls.cert, at: (name: string) => `https://${name}:${receiver.port}/` }
  }

  test.each([
    ['the host name', 'hooks.example', 'valid', NAMES, null],
    ['the IP address', '127.0.0.1', 'valid', ['127.0.0.1'], null],
    ['an IP address', 'hooks.example', 'valid', ['127.0.0.1'], 'is not for hooks.example.'],
    ['another name', 'other.example', 'valid', NAMES, 'is not for other.example.'],
    ['the name above', 'a.hooks.example', 'valid', NAMES, 'is not for a.hooks.example.'],
    ['a name instead of the address', '127.0.0.1', 'valid', NAMES, 'is not for 127.0.0.1.'],
    ['the time before', 'hooks.example', 'expired', NAMES, 'has expired.'],
  ] as const)('for %s, at %s', async (_what, name, kind, names, fault) => {
    const { receiver, ca, at } = await openTls(kind, [...names])
    const error = fault === null ? null : `The certificate ${fault}`
    expect(await post(at(name), { ca })).toMatchObject({ error })
    const hosts = receiver.received.map(({ headers }) => headers.get('host'))
    expect(hosts).toEqual(fault === null ? [`${name}:${receiver.port}`] : [])
  })

  test('of an untrusted authority is rejected, whatever the environment says', async () => {
    const { receiver, at } = await openTls()
    const error = 'The certificate is not signed by a trusted authority.'
    expect(await post(at('hooks.example'))).toMatchObject({ status: null, error })
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await post(at('hooks.example'))).toMatchObject({ status: null, error })
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
    expect(receiver.received).toEqual([])
  })

  test('is checked per name: a connection of another name is not reused', async () => {
    const { receiver, ca, at } = await openTls()
    const tls = { ca, serverName: 'hooks.example' }
    // Stays open for further messages.
    await (await fetch(receiver.url, { method: 'POST', body: '', tls })).text()
    await (await fetch(receiver.url, { method: 'POST', body: '', tls })).text()
    expect(receiver.connections()).toBe(1)
    expect((await post(at('hooks.example'), { ca })).status).toBe(204)
    expect((await post(at('other.example'), { ca })).error).toBe(
      'The certificate is not for other.example.',
    )
    expect((await post(at('hooks.example'), { ca })).status).toBe(204)
    expect(receiver.received).toHaveLength(4)
    // The test opened the first connection, and each message its own. The refused one was never
    // opened.
    expect(receiver.connections()).toBe(3)
  })
})

describe('in production', () => {
  /** Opens a receiver to which all outgoing messages are routed. */
  async function openWorld() {
    const tls = await createCertificate(['hooks.example'])
    const receiver = open({ tls })
    const tunnel = startProxy(receiver.port)
    closeAfterUse(tunnel.close)
    process.env.HTTPS_PROXY = tunnel.url
    closeAfterUse(() => {
      delete process.env.HTTPS_PROXY
    })
    const world = { network: 'public', ca: tls.cert } as const
    return { receiver, tunnel, world }
  }

  const URL_OF_ALL = 'https://hooks.example/alerts'

  test('a message goes to the resolved address only if it is public', async () => {
    const { receiver, tunnel, world } = await openWorld()
    const expected: string[] = []
    for (const [ip, verdict] of ADDRESSES) {
      const { error } = await post(URL_OF_ALL, { ...world, ...nameServer([ip]) })
      if (verdict === 'public') expected.push(`${ip.includes(':') ? `[${ip}]` : ip}:443`)
      expect([ip, error]).toEqual([
        ip,
        verdict === 'public' ? null : 'The URL resolves to a private network.',
      ])
    }
    expect(tunnel.targets).toEqual(expected)
    expect(receiver.received).toHaveLength(expected.length)
    expect(expected.length).toBeGreaterThan(20)
  })

  test('a name that becomes private is blocked at the next attempt', async () => {
    const { receiver, tunnel, world } = await openWorld()
    const names = nameServer(['93.184.215.14'], ['169.254.169.254'], ['127.0.0.1'])
    const way = openWebhookClient({ ...world, lookup: names.lookup })
    const statuses: (number | null)[] = []
    for (let n = 1; n <= 3; n++) {
      statuses.push((await way.post({ url: URL_OF_ALL, ...MESSAGE })).status)
      // A second lookup within one attempt would return the private address.
      expect(names.lookedUp).toHaveLength(n)
    }
    expect(statuses).toEqual([204, null, null])
    expect(tunnel.targets).toEqual(['93.184.215.14:443'])
    expect(receiver.received).toHaveLength(1)
  })
})
