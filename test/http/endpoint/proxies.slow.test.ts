// No spelling of a path gets past the proxies in the installation guide.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { pathTricks } from '../../support/path-tricks.ts'
import { type RawResponse, sendRaw } from '../../support/raw-request.ts'
import { createTestApp } from '../../support/test-app.ts'
import { PROXIES, PROXY_HOST, type RunningProxy, startProxy } from './proxies.ts'

/** Paths that the proxies answer with 404, and text of their responses. */
const PRIVATE = [
  ['/metrics', 'cardstock_http'],
  ['/readyz', '"status"'],
] as const

const env = { PUBLIC_URL: `https://${PROXY_HOST}`, TRUST_PROXY: '1' }
const { port } = (await createTestApp({ env })).listen()

for (const name of PROXIES) {
  const isMissing = Bun.which(name) === null
  if (isMissing) console.info(`Tests with ${name} skipped: it is not installed.`)

  describe.skipIf(isMissing)(`behind ${name}`, () => {
    let proxy: RunningProxy
    beforeAll(async () => {
      proxy = await startProxy(name, port)
    })
    afterAll(() => proxy?.close())

    const send = (request: string): Promise<RawResponse> =>
      sendRaw(proxy.port, request, { servername: PROXY_HOST, rejectUnauthorized: false })
    const get = (path: string) =>
      send(`GET ${path} HTTP/1.1\r\nHost: ${PROXY_HOST}\r\nConnection: close\r\n\r\n`)

    test('the service answers on all paths except the private ones', async () => {
      expect((await get('/v1/games')).status).toBe(200)
      expect((await get('/healthz')).status).toBe(200)
      for (const [path] of PRIVATE) expect(await get(path)).toMatchObject({ status: 404 })
    })

    test.each(PRIVATE)('no spelling reaches %s', async (path, text) => {
      const tricks = pathTricks(path, PROXY_HOST)
      expect(tricks.length).toBeGreaterThan(100)
      const reached: string[] = []
      for (const { name, request } of tricks) {
        const { status, body } = await send(request)
        // Caddy responds 200 without a body to names that it does not serve.
        if (body.includes(text) || (status === 200 && body !== '')) reached.push(name)
      }
      expect(reached).toEqual([])
    })
  })
}
