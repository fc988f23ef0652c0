import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { createTestApp } from '../../support/test-app.ts'

// Files that clients expect at fixed paths of every site.

const testApp = await createTestApp()

test('/favicon.ico is an icon in three sizes', async () => {
  const { status, headers, bytes } = await testApp.client.get('/favicon.ico')
  expect([status, headers.get('content-type')]).toEqual([200, 'image/x-icon'])
  const view = new DataView(bytes.buffer)
  expect([view.getUint16(2, true), view.getUint16(4, true)]).toEqual([1, 3])
  for (const [index, size] of [16, 32, 48].entries()) {
    const at = 6 + 16 * index
    const [length, offset] = [view.getUint32(at + 8, true), view.getUint32(at + 12, true)]
    const { width, height, format } = await sharp(bytes.slice(offset, offset + length)).metadata()
    expect([view.getUint8(at), width, height, format]).toEqual([size, size, size, 'png'])
  }
})

test.each([
  ['/icons/icon-192.png', 192],
  ['/icons/icon-512.png', 512],
  ['/icons/maskable-512.png', 512],
  ['/apple-touch-icon.png', 180],
])('%s is an icon of %p pixels', async (path, size) => {
  const { status, headers, bytes } = await testApp.client.get(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  const { width, height, format } = await sharp(bytes).metadata()
  expect([width, height, format]).toEqual([size, size, 'png'])
  // Launchers crop the corners of the last two.
  const { channels } = await sharp(bytes).stats()
  const isOpaque = (channels[3]?.min ?? 255) === 255
  expect(isOpaque).toBe(/maskable|apple/.test(path))
})

test('the manifest lets browsers install the dashboard', async () => {
  const { status, headers, text } = await testApp.client.get('/manifest.webmanifest')
  expect([status, headers.get('content-type')]).toEqual([200, 'application/manifest+json'])
  const manifest = JSON.parse(text)
  expect(manifest).toMatchObject({ name: 'Cardstock', start_url: '/', display: 'standalone' })
  for (const { src } of manifest.icons) {
    expect([src, (await testApp.client.get(src)).status]).toEqual([src, 200])
  }
  for (const { url } of manifest.shortcuts) {
    expect([url, (await testApp.client.get(url)).status]).toEqual([url, 200])
  }
})

describe('the service worker', () => {
  test('is never cached, and may only request files of this server', async () => {
    const { status, headers } = await testApp.client.get('/sw.js')
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache'])
    expect(headers.get('content-type')).toStartWith('text/javascript')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
  })

  test('keeps the offline page and files of the pages, which exist', async () => {
    const { text } = await testApp.client.get('/sw.js')
    const files: string[] = JSON.parse(/^const FILES = (.*)$/m.exec(text)?.[1] ?? '[]')
    expect(files.length).toBeGreaterThan(4)
    const { text: offline } = await testApp.client.get('/offline')
    expect(offline).toContain('You are offline')
    for (const [, url = ''] of offline.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
      expect(files).toContain(url)
    }
    for (const url of files) {
      expect(url).toStartWith('/assets/')
      expect([url, (await testApp.client.get(url)).status]).toEqual([url, 200])
    }
  })
})

test('/robots.txt keeps crawlers from what visitors share', async () => {
  const { status, headers, text } = await testApp.client.get('/robots.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text).toStartWith('User-agent: *\nDisallow: /v1/\nDisallow: /pictures/\n')
  const [, previews = ''] = text.split('\n\n')
  expect(previews).toContain('User-agent: Twitterbot\n')
  expect(previews).not.toContain('/pictures/')
})

test('/robots.txt closes a server without visitors', async () => {
  const closed = await createTestApp({ env: { VISITOR_TIER: 'off' } })
  const { text } = await closed.client.get('/robots.txt')
  expect(text).toBe('User-agent: *\nDisallow: /\n')
})

test('pages of every origin may read the API document', async () => {
  const { status, headers, body } = await testApp.client.get<never>('/openapi.json', {
    headers: { origin: 'https://editor.example' },
  })
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  expect(body).toMatchObject({ info: { version: '1.0.0' } })
})
