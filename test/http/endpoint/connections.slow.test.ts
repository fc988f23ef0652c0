// Tests that need a connection: truncated bodies, lengths of responses, and the host of a request.
import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { createCompressor } from '#http/endpoint/compression.ts'
import { decodeBody } from '../../support/decode-body.ts'
import { createTestApp } from '../../support/test-app.ts'

const CODINGS = ['gzip', 'zstd'] as const

const EXPORT = {
  'content-type': 'application/json',
  'content-disposition': 'attachment; filename="a.json"',
}

const codingOf = (response: Response) => response.headers.get('content-encoding')

const testApp = await createTestApp()
testApp.publish(`UPDATE cards SET name = hex(randomblob(2000)) WHERE set_id = 90021;
  UPDATE sets SET name = hex(randomblob(2000))`)
const { port, url } = testApp.listen()

describe('a body', () => {
  const head = (headers: string) =>
    `POST /v1/auth/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`

  test('rejects a body that is declared too large before it is sent', async () => {
    const answered = await exchange(port, [head('Content-Length: 1000000'), '{'])
    expect(answered).toStartWith('HTTP/1.1 413 ')
    expect(answered).toContain('"BODY_TOO_LARGE"')
  })

  test('aborts a body in chunks without a length early', async () => {
    const chunk = `1000\r\n${' '.repeat(4_096)}\r\n`
    const answered = await exchange(port, [
      head('Transfer-Encoding: chunked'),
      ...Array.from({ length: 5 }, () => chunk),
    ])
    expect(answered).toStartWith('HTTP/1.1 413 ')
  })

  test('a client that disconnects during its body causes no error', async () => {
    for (const parts of [
      [head('Content-Length: 100'), '{"a":'],
      [head('Transfer-Encoding: chunked'), '5\r\n{"a":\r\n'],
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(parts.join(''), () => setImmediate(() => socket.destroy()))
        })
        socket.on('close', () => resolve())
      })
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(testApp.log).toEqual([])
  })

  test('returns 405 for an unsupported method, including HEAD', async () => {
    for (const method of ['HEAD', 'GET', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await fetch(`${url}/v1/auth/login`, { method })
      expect([method, reply.status]).toEqual([method, 405])
      expect(reply.headers.get('allow')).toBe('POST, OPTIONS')
    }
  })
})

describe('a compressed response', () => {
  const send = (path: string, headers: Record<string, string>, method = 'GET') =>
    fetch(url + path, {
      method,
      headers: path.startsWith('/v1/games')
        ? headers
        : { 'x-api-key': testApp.keys.business, ...headers },
      decompress: false,
    })

  test.each(CODINGS)('a list as %s has its own length and tag, in HEAD too', async (coding) => {
    // A path without a quota in the body, which would change its length.
    const path = '/v1/games/wickerwild/sets'
    const plain = await send(path, { 'accept-encoding': 'identity' })
    const packed = await send(path, { 'accept-encoding': coding })
    const bytes = await packed.bytes()
    expect(packed.headers.get('content-length')).toBe(String(bytes.length))
    expect(bytes.length).toBeLessThan((await plain.bytes()).length)
    expect(packed.headers.get('etag')).toBe(`${plain.headers.get('etag')?.slice(0, -1)}-${coding}"`)
    const head = await send(path, { 'accept-encoding': coding }, 'HEAD')
    for (const name of ['content-length', 'content-encoding', 'etag', 'vary']) {
      expect([name, head.headers.get(name)]).toEqual([name, packed.headers.get(name)])
    }
  })

  test.each(CODINGS)('an export as %s is complete, in pieces', async (coding) => {
    for (const format of ['json', 'csv']) {
      const path = `/v1/export/set/90021?format=${format}`
      const plain = await (await send(path, { 'accept-encoding': 'identity' })).bytes()
      const packed = await send(path, { 'accept-encoding': coding })
      expect([codingOf(packed), packed.headers.get('content-length')]).toEqual([coding, null])
      const { headers } = packed
      expect(Buffer.from(decodeBody(await packed.bytes(), headers)).equals(plain)).toBe(true)
      const head = await send(path, { 'accept-encoding': coding }, 'HEAD')
      expect([head.headers.get('etag'), codingOf(head)]).toEqual([headers.get('etag'), coding])
    }
  })

  test('ends when its client leaves', async () => {
    const left = Promise.withResolvers<string>()
    const endless = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await Bun.sleep(0)
          controller.enqueue(crypto.getRandomValues(new Uint8Array(65_536)))
        },
        cancel: () => left.resolve('cancelled'),
      },
      { highWaterMark: 0 },
    )
    const compress = createCompressor()
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => compress(request, new Response(endless, { headers: EXPORT })),
    })
    const leave = new AbortController()
    const response = await fetch(server.url, {
      headers: { 'accept-encoding': 'gzip' },
      decompress: false,
      signal: leave.signal,
    })
    await response.body?.getReader().read()
    leave.abort()
    expect(await left.promise).toBe('cancelled')
    await server.stop(true)
  })
})

test('the host of a connection is that of its Host header', async () => {
  const from = async (origin: string) =>
    (await fetch(`${url}/v1/auth/logout`, { method: 'POST', headers: { origin } })).status
  expect(await from(url)).toBe(200)
  expect(await from('http://127.0.0.1:1')).toBe(403)
})

/** Sends the data and waits for the response, which may arrive before everything is sent. */
function exchange(port: number, parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answered = ''
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part)
    })
    socket.on('data', (data) => {
      answered += data.toString()
      if (answered.endsWith('}')) socket.destroy()
    })
    socket.on('close', () => resolve(answered))
    socket.on('error', reject)
  })
}
