import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { fakeReader, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { fakeX402, X402_ENV } from '../../support/x402/x402-config.ts'

// A client may send any Host header: an invalid one must not look like an internal error.

let testApp: TestApp
let port: number
let session: string

beforeAll(async () => {
  testApp = await createTestApp({
    env: { ...X402_ENV, BILLING: 'manual' },
    reader: fakeReader(),
    x402: fakeX402(() => new Date()),
  })
  session = await testApp.createSession('pro')
  testApp.app.listen({ hostname: '127.0.0.1', port: 0 })
  port = testApp.app.server?.port ?? 0
})
afterAll(async () => {
  await testApp.app.server?.stop(true)
  testApp.close()
})

test.each(['', '[', ':::', '%', '@', 'a b', 'x/y', 'x?y', 'x:99999', 'é'])(
  'every endpoint answers as usual with the host "%s"',
  async (host) => {
    const json = { 'content-type': 'application/json' }
    const page = { 'x-cardstock-page': '1', cookie: `session=${session}` }
    const photo = { 'x-api-key': testApp.keys.pro, 'content-type': 'image/jpeg' }
    for (const [status, line, headers, body] of [
      [200, 'GET /', {}, ''],
      [200, 'GET /v1/search?q=cindlemane', page, ''],
      [200, 'GET /pictures/cards/900003?size=small', {}, ''],
      [200, 'GET /v1/auth/me', page, ''],
      [401, 'GET /billing?checkout=done', {}, ''],
      [401, 'POST /v1/auth/login', json, '{"email":"a@b.example","password":"not this one"}'],
      [402, 'POST /v1/identify?payment=x402', {}, PHOTO.jpeg],
      [200, 'POST /v1/identify?include=prices', photo, PHOTO.jpeg],
    ] as const) {
      expect([line, await statusOf(line, { host, ...headers }, body)]).toEqual([line, status])
    }
    expect(testApp.log).toEqual([])
  },
)

/** By hand: `fetch` would not send such a host. */
function statusOf(
  line: string,
  headers: Record<string, string>,
  body: string | Uint8Array,
): Promise<number> {
  const bytes = Buffer.from(body)
  const all = { ...headers, connection: 'close', 'content-length': String(bytes.length) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      socket.write(bytes)
    })
    socket.once('data', (data) => {
      resolve(Number(data.toString().split(' ')[1]))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}
