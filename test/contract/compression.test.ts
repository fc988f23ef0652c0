// Every endpoint with every content coding: the catalog is compressed, but nothing that contains a secret.
import { describe, expect, test } from 'bun:test'
import { createTestApp } from '../support/test-app.ts'
import { call } from './calls.ts'
import { type Endpoint, isCatalog, isFile, isStored, named } from './endpoints.ts'

const CODINGS = ['gzip', 'zstd'] as const

/** Compresses bodies of any length. */
const always = (coding: string) => ({ 'accept-encoding': `${coding}, identity;q=0` })

const testApp = await createTestApp({ bulkFiles: true })

describe.each(CODINGS)('in %s', (coding) => {
  const send = (endpoint: Endpoint, headers: Record<string, string> = {}) =>
    call(testApp, endpoint, { as: 'business', headers })

  test.each(named((one) => isCatalog(one) && !isStored(one)))(
    '%s is equal after decoding, and has a tag of its own',
    async (_, endpoint) => {
      const plain = await send(endpoint)
      const coded = await send(endpoint, always(coding))
      expect(coded.status).toBe(200)
      expect([plain, coded].map(({ headers }) => headers.get('content-encoding'))).toEqual([
        null,
        coding,
      ])
      expect(coded.headers.get('vary')).toContain('Accept-Encoding')
      // The remaining quota differs by this request.
      const contentOf = ({ data, meta }: typeof plain.body) => ({ data, meta })
      expect(contentOf(coded.body)).toEqual(contentOf(plain.body))
      if (isFile(endpoint)) expect(coded.text).toBe(plain.text)

      if (endpoint.method !== 'GET') return
      const tag = coded.headers.get('etag') ?? ''
      expect(tag).toBe(`${plain.headers.get('etag')?.slice(0, -1)}-${coding}"`)
      const known = { 'if-none-match': tag }
      const again = await send(endpoint, { ...always(coding), ...known })
      expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, tag])
      expect(again.headers.get('vary')).toBe(coded.headers.get('vary'))
      expect(again.headers.get('content-encoding')).toBeNull()
      expect((await send(endpoint, known)).status).toBe(200)
    },
  )

  test.each(named(isStored))(
    '%s is a gzip file already, whole and in parts',
    async (_, endpoint) => {
      const plain = await send(endpoint)
      const tag = plain.headers.get('etag') ?? ''
      const whole = await send(endpoint, always(coding))
      expect(whole.headers.get('content-encoding')).toBeNull()
      expect([whole.bytes.length, whole.headers.get('etag')]).toEqual([plain.bytes.length, tag])
      const range = { range: 'bytes=2-5', ...always(coding) }
      const part = await send(endpoint, { ...range, 'if-range': tag })
      expect([part.status, part.bytes]).toEqual([206, plain.bytes.slice(2, 6)])
      // A range of a compressed body would be wrong.
      const other = { ...range, 'if-range': `${tag.slice(0, -1)}-${coding}"` }
      expect((await send(endpoint, other)).status).toBe(200)
      const known = { ...always(coding), 'if-none-match': tag }
      const again = await send(endpoint, known)
      expect([again.status, again.headers.get('etag')]).toEqual([304, tag])
    },
  )

  test('pages of the documentation and the dashboard are equal after decoding', async () => {
    for (const path of PAGES) {
      const plain = await testApp.client.get(path)
      const coded = await testApp.client.get(path, { headers: always(coding) })
      expect([path, coded.headers.get('content-encoding')]).toEqual([path, coding])
      expect([path, coded.headers.get('vary')]).toEqual([path, 'Accept-Encoding'])
      expect(coded.text).toBe(plain.text)
    }
  })
})

const PAGES = [
  '/',
  '/guides',
  '/guides/search',
  '/guides/search.md',
  '/llms.txt',
  '/docs',
  '/docs/openapi.json',
  '/docs/swagger-ui-bundle.js',
  '/docs/try-it.css',
  '/openapi.json',
]

// For endpoints with data of an account, envelope.test.ts tests the same.
test('a page of billing is never compressed', async () => {
  const session = await testApp.createSession('pro')
  for (const path of ['/billing', '/checkout/a']) {
    const options = { session, headers: always('zstd, gzip') }
    const { text, headers } = await testApp.client.get(path, options)
    expect(text).toContain('<html')
    expect(headers.get('content-encoding')).toBeNull()
  }
})
