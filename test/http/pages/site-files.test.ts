import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

// Files that clients expect at fixed paths of every site.

let testApp: TestApp
beforeAll(async () => {
  testApp = await createTestApp()
})
afterAll(() => testApp.close())

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

test('/robots.txt keeps crawlers from what visitors share', async () => {
  const { status, headers, text } = await testApp.client.get('/robots.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text).toStartWith('User-agent: *\nDisallow: /v1/\n')
})

test('pages of every origin may read the API document', async () => {
  const { status, headers, body } = await testApp.client.get<never>('/openapi.json', {
    headers: { origin: 'https://editor.example' },
  })
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  expect(body).toMatchObject({ info: { version: '1.0.0' } })
})
