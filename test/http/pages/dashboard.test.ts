// Delivery of the dashboard to browsers: one page at many paths, and files that may be cached
// forever.
import { describe, expect, test } from 'bun:test'
import { decodeBody } from '../../support/decode-body.ts'
import { createTestApp } from '../../support/test-app.ts'

const testApp = await createTestApp()

const request = (path: string, init?: RequestInit) =>
  testApp.app.handle(new Request(`http://localhost${path}`, init))

/** Returns the addresses of the files that the page references. */
async function filesOfThePage(): Promise<string[]> {
  const page = await (await request('/')).text()
  return [...page.matchAll(/(?:href|src)="([^"]+)"/g)]
    .map(([, path = '']) => path)
    .filter((path) => path.startsWith('/assets/'))
}

describe('the page', () => {
  test.each([
    '/',
    '/games/wickerwild',
    '/sets/90011',
    '/cards/900003',
    '/search?q=a',
    '/movers',
    '/identify',
    '/identify/sessions',
    '/login',
    '/register',
    '/account',
    '/account/keys',
    '/alerts',
    '/collection',
    '/collection/col_1',
    '/import/imp_1',
    '/operator',
    '/status',
  ])('is at %s', async (path) => {
    const reply = await request(path)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toMatch(/^text\/html; ?charset=utf-8$/)
    expect(await reply.text()).toContain('<div id="app">')
  })

  test('of a shared collection is not listed by search engines', async () => {
    const [shared, own] = await Promise.all([request('/shared/token'), request('/collection')])
    expect([shared.status, shared.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow'])
    expect(own.headers.has('x-robots-tag')).toBe(false)
  })

  test('runs no scripts and loads no files of other origins, and cannot be framed', async () => {
    const reply = await request('/')
    const policy = reply.headers.get('content-security-policy') ?? ''
    const directives = new Map(
      policy.split('; ').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]),
    )
    expect(directives.get('default-src')).toBe("'none'")
    for (const name of ['script-src', 'style-src', 'connect-src'])
      expect(directives.get(name)).toBe("'self'")
    expect(directives.get('frame-ancestors')).toBe("'none'")
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('http')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('cache-control')).toBe('no-cache')
    // It contains nothing that the policy forbids.
    expect(await reply.text()).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=/)
  })

  test('returns 404 for an unknown path', async () => {
    expect((await request('/cards')).status).toBe(404)
    expect((await request('/account/keys/1')).status).toBe(404)
  })
})

describe('its files', () => {
  test('may be cached forever, as their names change with them', async () => {
    const files = await filesOfThePage()
    expect(files.length).toBeGreaterThanOrEqual(4)
    for (const path of files) {
      expect(path).toMatch(/^\/assets\/[a-z]+-[a-z0-9]{8}\.(?:js|css|svg)$/)
      const reply = await request(path)
      expect([path, reply.status]).toEqual([path, 200])
      expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  test.each(['gzip', 'zstd'])('are sent as %s to clients that prefer it', async (coding) => {
    const init = { headers: { 'accept-encoding': coding } }
    for (const path of ['/', ...(await filesOfThePage())]) {
      const plain = await request(path)
      const content = await plain.bytes()
      const packed = await request(path, init)
      const bytes = await packed.bytes()
      expect(plain.headers.get('content-encoding')).toBeNull()
      expect(packed.headers.get('content-encoding')).toBe(content.length > 1_024 ? coding : null)
      expect(packed.headers.get('vary')).toBe('Accept-Encoding')
      expect(Buffer.from(decodeBody(bytes, packed.headers)).equals(content)).toBe(true)
      const head = await request(path, { method: 'HEAD', ...init })
      expect(head.headers.get('content-length')).toBe(String(bytes.length))
      expect(await head.text()).toBe('')
      const tag = packed.headers.get('etag') ?? ''
      const known = { headers: { ...init.headers, 'if-none-match': tag } }
      expect([(await request(path, known)).status, head.headers.get('etag')]).toEqual([304, tag])
    }
  })

  test.each([
    ['current browsers', 'gzip, deflate, br, zstd', 95_000],
    ['browsers over plain HTTP', 'gzip, deflate', 102_000],
  ])(
    'for the first page contain at most as much script for %s: %s, %i bytes',
    async (_, accepted, most) => {
      const names = new Set((await filesOfThePage()).filter((path) => path.endsWith('.js')))
      let bytes = 0
      // The list grows while it is read, because static imports load with the file that names them.
      for (const path of names) {
        const text = await (await request(path)).text()
        for (const [, name = ''] of text.matchAll(/(?:from|import)"(\/assets\/[^"]+)"/g))
          names.add(name)
        const reply = await request(path, { headers: { 'accept-encoding': accepted } })
        bytes += (await reply.arrayBuffer()).byteLength
      }
      expect(bytes).toBeGreaterThan(10_000)
      expect(bytes).toBeLessThanOrEqual(most)
    },
  )

  test('of another version return 404 with instructions', async () => {
    const reply = await request('/assets/index-00000000.js')
    expect(reply.status).toBe(404)
    expect(await reply.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
    expect((await request('/assets/..%2Fapp.tsx')).status).toBe(404)
  })
})
