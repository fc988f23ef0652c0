// Paths that do not exist: a page for people, and the JSON of the specification for programs.
import { describe, expect, test } from 'bun:test'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp } from '../../support/test-app.ts'

const testApp = await createTestApp()

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

function request(path: string, accept: string | undefined, method = 'GET') {
  const headers: Record<string, string> = accept === undefined ? {} : { accept }
  return testApp.client.request(method, path, { headers })
}

describe('a browser gets a page', () => {
  test.each(['/nope', '/cards', '/guides/nope', '/docs/nope', '/assets/index-00000000.js', '/v1'])(
    'for %s',
    async (path) => {
      const { status, headers, text } = await request(path, BROWSER)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(text).toContain('<h1>Page not found</h1>')
      expect(text).toContain('href="/search"')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('vary')).toBe('Accept')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-request-id')).toBeTruthy()
    },
  )

  test('without the path in it', async () => {
    const { text } = await request('/%3Cscript%3Ealert(1)%3C/script%3E', BROWSER)
    expect(text).toContain('Page not found')
    expect(text).not.toContain('alert(1)')
  })
})

describe('a program gets JSON', () => {
  test.each([
    ['/nope', undefined],
    ['/nope', '*/*'],
    ['/nope', 'application/json'],
    ['/nope', 'application/json, text/html;q=0.9'],
    ['/nope', 'image/webp,*/*;q=0.8'],
    ['/guides/nope', '*/*'],
    ['/v1/nope', BROWSER],
    ['/v1/cards/1', BROWSER],
  ])('for %s with Accept: %s', async (path, accept) => {
    const { status, headers, body } = await request(path, accept)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect([status, body.error.code]).toEqual(
      path.startsWith('/v1/cards') ? [401, 'API_KEY_REQUIRED'] : [404, 'NOT_FOUND'],
    )
  })

  test('for other methods', async () => {
    expectRefusal(await request('/nope', BROWSER, 'POST'), 404, 'NOT_FOUND')
  })
})
