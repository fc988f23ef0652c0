// A request reaches a route only with the exact spelling of its path, and only with one valid host.
import { describe, expect, test } from 'bun:test'
import { pathTricks } from '../../support/path-tricks.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { createTestApp } from '../../support/test-app.ts'

const HOST = 'localhost'

const testApp = await createTestApp()
const { port } = testApp.listen()

function send(line: string, ...headers: string[]) {
  const lines = [line, ...headers, 'Connection: close', '', '']
  return sendRaw(port, lines.join('\r\n'))
}

describe('the path', () => {
  test('is matched exactly', async () => {
    const reached: string[] = []
    for (const { name, request } of pathTricks('/metrics', HOST)) {
      const { body } = await sendRaw(port, request)
      if (body.includes('cardstock_http')) reached.push(name)
    }
    expect(reached).toEqual(REACHED)
  })

  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'is matched exactly for %s',
    async (method) => {
      const host = `Host: ${HOST}`
      for (const path of ['/metrics/', '/x/../metrics', '/x/..\\metrics', '//metrics']) {
        expect(await send(`${method} ${path} HTTP/1.1`, host)).toMatchObject({ status: 404 })
      }
    },
  )

  test('with another method is 405', async () => {
    for (const path of ['/metrics', '/v1/games', '/v1/cards/900003']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status } = await send(`${method} ${path} HTTP/1.1`, `Host: ${HOST}`)
        expect([method, path, status]).toEqual([method, path, 405])
      }
    }
  })

  test('may be sent as an absolute URL', async () => {
    const { status } = await send('GET http://cards.example/v1/games HTTP/1.1', `Host: ${HOST}`)
    expect(status).toBe(200)
  })
})

/** Accepted: the path itself, with a query, as an absolute URL (RFC 9112, 3.2.2), or with another host. */
const REACHED = [
  ['/metrics?', 'localhost'],
  ['/metrics?/../x', 'localhost'],
  ['/metrics?a#b', 'localhost'],
  ['http://localhost/metrics', 'localhost'],
  ['http://x/metrics', 'localhost'],
  ['https://x:1/metrics', 'localhost'],
  ['http://x@localhost/metrics', 'localhost'],
  ['/metrics', 'localhost X-Forwarded-For: 127.0.0.1 X-Forwarded-Host: 127.0.0.1'],
  ['/metrics', 'localhost X-HTTP-Method-Override: POST Upgrade: h2c'],
  ['/metrics', '127.0.0.1'],
  ['/metrics', '[::1]:3000'],
].map(([target, host]) => JSON.stringify(`${target} Host: ${host}`))

describe('the host', () => {
  const ROUTES = ['GET /', 'GET /v1/search?q=a', 'POST /v1/auth/login', 'PUT /metrics', 'GET /none']

  test.each([
    '',
    '[',
    ':::',
    '%',
    '@',
    'a b',
    'x/y',
    'x?y',
    'x#y',
    'x\\y',
    'é',
    'a,b',
    'a:b',
    'a:123456',
  ])('"%s" is 400 everywhere', async (host) => {
    for (const line of ROUTES) {
      const { status, body } = await send(`${line} HTTP/1.1`, `Host: ${host}`)
      expect([line, status, JSON.parse(body)]).toEqual([
        line,
        400,
        { error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('Host header') } },
      ])
    }
    expect(testApp.log).toEqual([])
  })

  test.each([[['a', 'b']], [['a', 'a']], [['', 'a']], [['a', '']]])(
    'sent twice, %j, is 400',
    async (hosts) => {
      for (const line of ROUTES) {
        const lines = hosts.map((host) => `Host: ${host}`)
        expect(await send(`${line} HTTP/1.1`, ...lines)).toMatchObject({ status: 400 })
      }
    },
  )

  test.each(['localhost:3000', '127.0.0.1', '[::1]:3000', 'cards.example.', 'card_stock', 'X'])(
    '"%s" is accepted',
    async (host) => {
      expect(await send('GET /v1/games HTTP/1.1', `Host: ${host}`)).toMatchObject({ status: 200 })
    },
  )

  test('may be missing in HTTP/1.0 only', async () => {
    expect((await send('GET /healthz HTTP/1.0')).status).toBe(200)
    expect((await send('GET /healthz HTTP/1.1')).status).toBe(400)
  })
})
