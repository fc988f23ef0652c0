import { beforeAll, describe, expect, test } from 'bun:test'
import { basename } from 'node:path'
import Ajv2020 from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { DOCS_FILE_PATHS } from '#http/pages/docs-files.ts'
import { listGuides } from '#http/pages/guides.ts'
import { SEARCH_SORTS } from '#store/catalog/search/sorts.ts'
import { documentOf, type OpenApi, type Schema } from '../../contract/openapi.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp } from '../../support/test-app.ts'

const testApp = await createTestApp()

const PAGES = ['/docs', '/guides', '/guides/start', '/guides?q=backup']

describe('a documentation page', () => {
  test.each(PAGES)('%s loads only files of its own origin', async (path) => {
    const { status, headers, text } = await testApp.client.get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(text).not.toMatch(/<script>|<style|\son\w+=|\sstyle=/)
    const loaded = [...text.matchAll(/<(?:link|script)[^>]*(?:href|src)="([^"]*)"/g)]
    for (const [, address = ''] of loaded) {
      expect([address, (await testApp.client.get(address)).status]).toEqual([address, 200])
    }
  })

  test.each(PAGES)('%s links to the dashboard, the API and the guides', async (path) => {
    const { text } = await testApp.client.get(path)
    for (const address of ['/', '/docs', '/guides']) expect(text).toContain(`href="${address}"`)
  })

  test('imports only scripts that it serves, each by its version', async () => {
    const { text } = await testApp.client.get('/docs/start.js')
    const imports = [...text.matchAll(/\bfrom '([^']*)'/g)].map(([, path = '']) => path)
    expect(imports.length).toBeGreaterThan(0)
    for (const path of imports) {
      const { status, headers } = await testApp.client.get(path)
      expect([path, status, headers.get('cache-control')]).toEqual([
        path,
        200,
        'public, max-age=31536000, immutable',
      ])
    }
  })

  test.each(DOCS_FILE_PATHS.filter((path) => path !== '/docs/swagger-ui-bundle.js'))(
    '%s requests nothing from other origins',
    async (path) => {
      const { status, text } = await testApp.client.get(path)
      expect(status).toBe(200)
      expect(text.replaceAll(/url\("?data:[^)]*\)/g, '')).not.toMatch(/https?:|url\("?\/\//)
    },
  )

  test('names its files by version, so that browsers keep them', async () => {
    const { text } = await testApp.client.get('/docs')
    const files = [...text.matchAll(/(?:href|src)="(\/docs\/[^"]+)"/g)].map(([, url = '']) => url)
    expect(files.length).toBeGreaterThanOrEqual(2)
    const cachingOf = async (url: string, headers: Record<string, string> = {}) => {
      const response = await testApp.client.get(url, { headers })
      return [response.status, response.headers.get('cache-control')]
    }
    for (const url of files) {
      expect(await cachingOf(url)).toEqual([200, 'public, max-age=31536000, immutable'])
      // Another version, or none, may change with the next release.
      const [plain = ''] = url.split('?')
      for (const other of [plain, `${plain}?v=0`, `${url}0`]) {
        expect(await cachingOf(other)).toEqual([200, 'public, no-cache'])
      }
      const { headers } = await testApp.client.get(plain)
      const known = { 'if-none-match': headers.get('etag') ?? '' }
      expect(await cachingOf(plain, known)).toEqual([304, 'public, no-cache'])
    }
  })

  test.each([
    ['current browsers', 'gzip, deflate, br, zstd', 453_000],
    ['browsers over plain HTTP', 'gzip, deflate', 541_500],
  ])(
    'has at most as much for %s, with the API document and all scripts and styles: %s, %i bytes',
    async (_, accepted, most) => {
      const { text } = await testApp.client.get('/docs')
      const named = [...text.matchAll(/(?:href|src)="(\/(?:docs|assets)\/[^"]+)"/g)]
      const files = new Set(['/docs', '/docs/openapi.json', ...named.map(([, url = '']) => url)])
      let bytes = 0
      // The list grows while it is read, because scripts name others.
      for (const path of files) {
        const file = await testApp.client.get(path)
        for (const [, url = ''] of file.text.matchAll(/\bfrom '(\/docs\/[^']+)'/g)) files.add(url)
        const headers = { 'accept-encoding': accepted }
        const reply = await testApp.app.handle(new Request(`http://localhost${path}`, { headers }))
        bytes += (await reply.arrayBuffer()).byteLength
      }
      expect(files.size).toBeGreaterThan(9)
      expect(bytes).toBeGreaterThan(100_000)
      expect(bytes).toBeLessThanOrEqual(most)
    },
  )

  test('never sends a key to the validator of Swagger UI, and never stores one', async () => {
    const { text } = await testApp.client.get('/docs/start.js')
    expect(text).toContain('validatorUrl: null')
    expect(text).toContain('persistAuthorization: false')
  })
})

describe('the API document', () => {
  test('can be read by pages of every origin', async () => {
    const headers = { origin: 'https://editor.example' }
    const { status, ...response } = await testApp.client.get('/openapi.json', { headers })
    expect([status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    const requestHeaders = { ...headers, 'access-control-request-method': 'GET' }
    const preflight = await testApp.client.request('OPTIONS', '/openapi.json', {
      headers: requestHeaders,
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  test('is confirmed to clients that have it', async () => {
    const { headers, text } = await testApp.client.get('/openapi.json')
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    const again = await testApp.client.get('/openapi.json', { headers: known })
    expect([again.status, again.text, text.length > 10_000]).toEqual([304, '', true])
  })
})

describe('the document for "try it"', () => {
  let document: OpenApi
  let published: OpenApi
  beforeAll(async () => {
    document = await documentOf(testApp, '/docs/openapi.json')
    published = await documentOf(testApp)
  })

  const operations = (of: OpenApi) =>
    Object.entries(of.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    )

  test('has every endpoint and every parameter', () => {
    const names = (of: OpenApi) =>
      operations(of).map(({ path, method, operation }) => [
        method,
        path,
        operation.parameters.map(({ name, required }) => [name, required]),
      ])
    expect(names(document)).toEqual(names(published))
  })

  test('sends requests to the origin of the page, whatever PUBLIC_URL is', () => {
    expect(published.servers).toEqual([{ url: 'https://cards.example' }])
    expect(document.servers).toEqual([{ url: '/' }])
  })

  test('requires a key and no cookie, which a page cannot set', () => {
    expect(Object.keys(document.components.securitySchemes)).toEqual(['key'])
    expect(document.paths['/v1/search']?.get?.security).toEqual([{ key: [] }])
    expect(document.paths['/v1/identify/usage']?.get?.security).toEqual([{ key: [] }])
    expect(document.paths['/v1/auth/me']?.get?.security).toEqual([])
    const hasSession = (path: string) => 'x-session' in (document.paths[path]?.get ?? {})
    const paths = ['/v1/auth/me', '/v1/games', '/v1/search', '/v1/identify/usage']
    expect(paths.map(hasSession)).toEqual([true, false, false, false])
  })

  test('has a menu for each enumeration', () => {
    const sort = document.paths['/v1/search']?.get?.parameters.find(({ name }) => name === 'sort')
    expect(sort?.schema as object).toEqual({
      type: 'string',
      enum: [...SEARCH_SORTS],
      default: 'relevance',
    })
  })

  test('has no patterns, and is still valid', () => {
    const ajv = addFormats(new Ajv2020({ strict: false }))
    for (const { operation } of operations(document)) {
      const bodies = Object.values(operation.requestBody?.content ?? {})
      for (const { schema } of [...operation.parameters, ...bodies]) {
        expect(schema.pattern).toBeUndefined()
        expect(() => ajv.compile(schema)).not.toThrow()
      }
    }
  })

  test.each([
    ['/v1/identify', 'image'],
    ['/v1/bulk/resolve/csv', 'file'],
  ])('sends the form of %s with its file alone', (path, file) => {
    const operation = document.paths[path]?.post
    const { schema } = operation?.requestBody?.content['multipart/form-data'] ?? {}
    const properties: Record<string, Schema> = schema?.properties ?? {}
    expect(Object.keys(properties)).toEqual([file])
    expect(properties[file]).toMatchObject({ type: 'string', format: 'binary' })
  })

  test('omits from forms only members that are allowed in the query', () => {
    for (const { operation } of operations(published)) {
      const { schema } = operation.requestBody?.content['multipart/form-data'] ?? {}
      const beside = Object.keys(schema?.properties ?? {}).filter(
        (name) => !schema?.required?.includes(name),
      )
      expect(operation.parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(beside))
    }
  })

  test('shows the error format once, and describes when each error occurs', () => {
    for (const { operation } of operations(document)) {
      const failures = Object.entries(operation.responses).filter(([status]) => status >= '400')
      expect(failures.filter(([, { content }]) => content !== undefined)).toHaveLength(1)
      for (const [, response] of failures) expect(response).toHaveProperty('description')
    }
  })
})

describe('a guide', () => {
  test('has all guides beside it, and links to the previous and the next one', async () => {
    const { text } = await testApp.client.get('/guides/start')
    expect(text).toContain('<a href="/guides/start" aria-current="page">Quick start</a>')
    const side = text.slice(0, text.indexOf('<article'))
    const listed = [...side.matchAll(/<li><a href="(\/guides\/[\w-]+)"/g)].map(([, url]) => url)
    const all = [...listGuides().keys()].map((name) => `/guides/${name}`)
    // Once beside the page, and once in the phone menu.
    expect(listed.toSorted()).toEqual([...all, ...all].toSorted())
    expect(text).not.toContain('rel="prev"')
    expect(text).toMatch(/<a class="guide-next" rel="next" href="\/guides\/keys">/)
    const next = await testApp.client.get('/guides/keys')
    expect(next.text).toContain('<a rel="prev" href="/guides/start">')
  })

  test('is confirmed to browsers that have it', async () => {
    const { headers } = await testApp.client.get('/guides/search')
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    const { status } = await testApp.client.get('/guides/search', { headers: known })
    expect([status, headers.get('cache-control')]).toEqual([304, 'public, no-cache'])
  })

  test('is a page with the text of its file', async () => {
    const { text } = await testApp.client.get('/guides/search')
    expect(text).toContain('<title>Search – Cardstock</title>')
    expect(text).toContain('<h2 id="filters">Filters</h2>')
    expect(text).toContain('<code>GET /v1/search</code>')
  })

  test('is listed, and every link between guides works', async () => {
    const files = new Bun.Glob('{guides,reference}/**/*.md').scanSync({
      cwd: `${import.meta.dir}/../../../docs`,
    })
    const guides = [...files].map((file) => `/guides/${basename(file, '.md')}`)
    const index = await testApp.client.get('/guides')
    for (const guide of guides) {
      expect(index.text).toContain(`href="${guide}"`)
      const { text } = await testApp.client.get(guide)
      for (const [, address = ''] of text.matchAll(/<a [^>]*href="(\/guides[^"#]*)/g)) {
        const { status } = await testApp.client.get(address)
        expect([guide, address, status]).toEqual([guide, address, 200])
      }
    }
  })

  test('keeps the text of links to files that are not served', async () => {
    const { text } = await testApp.client.get('/guides/search')
    expect(text).toContain('decision 7')
    expect(text).not.toMatch(/href="[^"]*(\.md|decisions)/)
  })

  test.each(['nothing', '..%2fREADME', '..%2f..%2fREADME', '..%2fREADME.md', 'Start%00'])(
    'does not exist for %s',
    async (name) => {
      expectRefusal(await testApp.client.get(`/guides/${name}`), 404, 'NOT_FOUND')
    },
  )
})

describe('the search of the guides', () => {
  const find = async (query: string) => {
    const { status, text } = await testApp.client.get(`/guides?q=${encodeURIComponent(query)}`)
    expect(status).toBe(200)
    const main = text.slice(text.indexOf('<article'))
    return { main, urls: [...main.matchAll(/<h2><a href="([^"]+)"/g)].map(([, url]) => url) }
  }

  test('finds sections by all words, those of a heading first', async () => {
    expect((await find('pm2 systemd')).urls).toEqual([])
    const { main, urls } = await find('restore backup')
    expect(urls[0]).toStartWith('/guides/operate#')
    expect(main).toMatch(/<mark>(restore|backup)<\/mark>/i)
    for (const url of urls) {
      const [path = '', id = ''] = url?.split('#') ?? []
      expect((await testApp.client.get(path)).text).toContain(id === '' ? '<h1' : `id="${id}"`)
    }
  })

  test('finds words by their beginning, in any case', async () => {
    expect((await find('IDENTIFIC')).urls).toContain('/guides/identify')
  })

  test.each(['<script>alert(1)</script>', '" autofocus onfocus="alert(1)', "'", '.*(', '%00'])(
    'shows %p as text',
    async (query) => {
      const { text } = await testApp.client.get(`/guides?q=${encodeURIComponent(query)}`)
      expect(text).not.toContain('<script>')
      expect(text).not.toContain('onfocus="')
      expect(text).toContain('Results for')
    },
  )

  test('shows the overview for an empty query', async () => {
    expect((await testApp.client.get('/guides?q=%20')).text).toContain('<h1')
  })
})
