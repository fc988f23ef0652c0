// Pictures served by Cardstock, with a real server as their host.

import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { createImageServer } from '#actions/catalog/serve-image.ts'
import { createApp } from '#http/app.ts'
import { type CardPicturesOptions, openCatalogPictures } from '#outbound/marketplace/pictures.ts'
import { pictureKey } from '#rules/catalog/picture-url.ts'
import { openPictureFileStore } from '#store/files/picture-files.ts'
import { closeAfterUse } from '../../support/end-of-tests.ts'
import {
  createImage,
  decompressionBomb,
  startImageHost,
} from '../../support/photos/picture-host.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, PUBLIC_URL, SAMPLE, type TestAppOptions } from '../../support/test-app.ts'

const HERON = await createImage('#4080c0')
const OTTER = await createImage('#c08040')
const CARD = 900003
const AT = `/pictures/cards/${CARD}`

type ImageResponses = Parameters<typeof startImageHost>[0]

/** Creates an app with a card whose picture host responds like this. */
async function open(
  responses: ImageResponses = { 'a.jpg': HERON },
  options: Partial<CardPicturesOptions> = {},
  settings: TestAppOptions = {},
) {
  const host = startImageHost(responses)
  closeAfterUse(host.close)
  const upstream = { publicUrl: PUBLIC_URL, upstreamUrl: host.url }
  const fast = { pauseMs: 0, backoffMs: 1, retries: 0, patienceMs: 100, ...options }
  const cardPictures = openCatalogPictures(upstream, fast)
  const testApp = await createTestApp({ onDisk: true, cardPictures, ...settings })
  const show = (id: number, path: string) =>
    testApp.publish(`UPDATE cards SET image_url = '${host.url}/${path}' WHERE id = ${id}`)
  show(CARD, 'a.jpg')
  return { testApp, host, show, get: testApp.client.get }
}

const sizeOf = async (bytes: Uint8Array) => {
  const { format, width, height } = await sharp(bytes).metadata()
  return [format, width, height]
}

const filesOf = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'pictures'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('.'))
    .map((name) => join(dataDir, 'pictures', name))

describe('200', () => {
  test('a picture is fetched once, then read from the disk, also by another process', async () => {
    const { testApp, host, get } = await open()
    const first = await get(AT)
    expect([first.status, await sizeOf(first.bytes)]).toEqual([200, ['webp', 480, 672]])
    const small = await get(`${AT}?size=small`)
    expect([small.status, await sizeOf(small.bytes)]).toEqual([200, ['webp', 160, 224]])
    expect((await get(`${AT}?size=large`)).bytes).toEqual(first.bytes)
    host.close()
    const { dataDir } = testApp.deps.config
    const pictures = openPictureFileStore(dataDir, 1e6)
    const files = { ...testApp.deps.files, pictures }
    const other = createApp({ ...testApp.deps, files }).app
    const again = await other.handle(new Request(`http://localhost${AT}`))
    expect(await again.bytes()).toEqual(first.bytes)
    expect(host.requests).toEqual(['a.jpg'])
  })

  test('its headers let a browser cache it for a day, and no other site show it', async () => {
    const { get } = await open()
    const { headers } = await get(AT)
    const expected = {
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    }
    expect(Object.fromEntries(headers)).toMatchObject(expected)
    expect(headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/)
    expect(headers.get('x-request-id')).toBeTruthy()
  })

  test('HEAD returns the same without the picture', async () => {
    const { testApp, get } = await open()
    const head = await testApp.client.head(AT)
    const { headers, bytes } = await get(AT)
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(head.headers.get('content-length')).toBe(String(bytes.length))
    expect(head.headers.get('etag')).toBe(headers.get('etag'))
  })

  test('pictures of the sample are served likewise, for cards, sets and games', async () => {
    const testApp = await createTestApp({ onDisk: true })
    const sets = await testApp.client.get('/v1/games/wickerwild/sets')
    const [id] = sets.text.match(/(?<="id":)\d+/) ?? []
    for (const path of [AT, `/pictures/sets/${id}`, '/pictures/games/wickerwild']) {
      const { status, bytes } = await testApp.client.get(`${path}?size=small`)
      expect([path, status, (await sizeOf(bytes)).slice(0, 2)]).toEqual([path, 200, ['webp', 160]])
    }
    const old = await testApp.client.get(`/pictures/${CARD}.webp`)
    const file = new Uint8Array(readFileSync(join(SAMPLE, `pictures/${CARD}.webp`)))
    expect(old.bytes).toEqual(file)
  })

  test('a picture smaller than requested keeps its size', async () => {
    const { get } = await open({ 'a.jpg': await createImage('#fff', { width: 100, height: 140 }) })
    expect(await sizeOf((await get(AT)).bytes)).toEqual(['webp', 100, 140])
  })

  test('concurrent requests for one picture, in both sizes, fetch it once', async () => {
    const { host, get } = await open()
    const responses = Array.from({ length: 100 }, (_, n) =>
      get(`${AT}?size=${n % 2 === 0 ? 'small' : 'large'}`),
    )
    const replies = await Promise.all(responses)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(replies.map(({ headers }) => headers.get('etag'))).size).toBe(2)
    expect(host.requests).toEqual(['a.jpg'])
  })

  test('a card with a new picture shows it', async () => {
    const { host, show, get } = await open({ 'a.jpg': HERON, 'b.jpg': OTTER })
    const first = await get(AT)
    show(CARD, 'b.jpg')
    const second = await get(AT)
    expect(second.status).toBe(200)
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
    expect(host.requests).toEqual(['a.jpg', 'b.jpg'])
  })

  test.each([
    ['cut short', (path: string) => truncateSync(path, 300)],
    ['empty', (path: string) => truncateSync(path, 0)],
    ['something else', (path: string) => writeFileSync(path, '<p>Hello')],
    ['gone', (path: string) => rmSync(path)],
  ])('a cache file that is %s is fetched again', async (_, spoil) => {
    const { testApp, host, get } = await open()
    const first = await get(AT)
    const { dataDir } = testApp.deps.config
    const key = pictureKey(`${host.url}/a.jpg`, 'large')
    const path = join(dataDir, 'pictures', key.slice(0, 2), `${key}.webp`)
    spoil(path)
    expect((await get(AT)).bytes).toEqual(first.bytes)
    expect(new Uint8Array(readFileSync(path))).toEqual(first.bytes)
    expect(host.requests).toHaveLength(2)
    expect(filesOf(dataDir).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('with PICTURE_CACHE_MB=0 each request fetches the picture', async () => {
    const { testApp, host, get } = await open(undefined, {}, { env: { PICTURE_CACHE_MB: '0' } })
    for (let n = 0; n < 2; n++) expect((await get(AT)).status).toBe(200)
    expect(host.requests).toHaveLength(2)
    expect(existsSync(join(testApp.deps.config.dataDir, 'pictures'))).toBe(false)
  })

  test('a picture that cannot be cached is served, and the failure is logged', async () => {
    const { testApp, get } = await open()
    writeFileSync(join(testApp.deps.config.dataDir, 'pictures'), 'in the way')
    expect((await get(AT)).status).toBe(200)
    expect(testApp.log.map(({ level, event }) => `${level} ${event}`)).toEqual([
      'warn failed to store images',
    ])
  })
})

describe('202 for clients that do not wait', () => {
  const ASYNC = { headers: { prefer: 'respond-async, wait=0' } }

  /** Creates an app whose picture host responds after a call of `release`. */
  async function openSlow(settings: TestAppOptions = {}) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const slow = async () => {
      await released
      return new Response(HERON)
    }
    return { release, ...(await open({ 'a.jpg': slow }, {}, settings)) }
  }

  test('a picture is fetched in the background, once, and served when it is there', async () => {
    const { host, get, release } = await openSlow()
    const first = await get(AT, ASYNC)
    expect([first.status, first.bytes.length]).toEqual([202, 0])
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'cache-control': 'no-store',
      'preference-applied': 'respond-async',
      'retry-after': '1',
    })
    expect((await get(`${AT}?size=small`, ASYNC)).status).toBe(202)
    release()
    // A waiting client shares the fetch.
    const waited = await get(AT)
    const stored = await get(AT, ASYNC)
    expect([stored.status, stored.bytes]).toEqual([200, waited.bytes])
    expect(stored.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(host.requests).toEqual(['a.jpg'])
  })

  test('without a cache, the next request still finds it', async () => {
    const { host, get, release } = await openSlow({ env: { PICTURE_CACHE_MB: '0' } })
    release()
    let reply = await get(AT, ASYNC)
    while (reply.status === 202) reply = await get(AT, ASYNC)
    expect([reply.status, await sizeOf(reply.bytes)]).toEqual([200, ['webp', 480, 672]])
    expect(host.requests).toEqual(['a.jpg'])
  })

  test('a picture that its host does not have is 404 from then on', async () => {
    const { host, get } = await open({})
    let reply = await get(AT, ASYNC)
    while (reply.status === 202) reply = await get(AT, ASYNC)
    expect(reply.status).toBe(404)
    expect(host.requests).toEqual(['a.jpg'])
  })
})

test('304: a known picture is not sent again unless it has changed', async () => {
  const { get } = await open()
  const tag = (await get(AT)).headers.get('etag') ?? ''
  const known = await get(AT, { headers: { 'if-none-match': `"other", W/${tag}` } })
  expect([known.status, known.bytes.length, known.headers.get('etag')]).toEqual([304, 0, tag])
  expect((await get(AT, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  const small = await get(`${AT}?size=small`, { headers: { 'if-none-match': tag } })
  expect(small.status).toBe(200)
})

test.each([
  `${AT}?size=huge`,
  `${AT}?size=small&size=large`,
  '/pictures/cards/abc',
  '/pictures/sets/0',
])('400: %s', async (path) => {
  const { host, get } = await open()
  expectRefusal(await get(path), 400, 'VALIDATION_ERROR')
  expect(host.requests).toEqual([])
})

describe('404', () => {
  test.each(['/pictures/cards/1', '/pictures/sets/1', '/pictures/games/nobody'])(
    'for %s',
    async (path) => {
      expectRefusal(await (await open()).get(path), 404, 'NOT_FOUND')
    },
  )

  test('for a card without a picture', async () => {
    const { testApp, get } = await open()
    testApp.publish(`UPDATE cards SET image_url = NULL WHERE id = ${CARD}`)
    const { status, body } = await get(AT)
    expect([status, body.error.message]).toEqual([
      404,
      'This card has no image. Show its name instead.',
    ])
  })

  test.each<[string, ImageResponses]>([
    ['has none', {}],
    ['answers with a page', { 'a.jpg': () => new Response('<!DOCTYPE html><p>Back soon') }],
    ['sends SVG', { 'a.jpg': () => new Response('<svg xmlns="http://www.w3.org/2000/svg"/>') }],
    ['sends a bomb', { 'a.jpg': decompressionBomb(60_000) }],
    ['sends half of a picture', { 'a.jpg': HERON.slice(0, HERON.length / 2) }],
    ['sends 20 MB', { 'a.jpg': () => new Response(new Uint8Array(20_000_000)) }],
  ])('if the host %s, which is remembered for a day', async (_, responses) => {
    const { testApp, host, get } = await open(responses)
    for (let n = 0; n < 2; n++) {
      const { status, headers, body } = await get(AT)
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
      expect(headers.get('cache-control')).toBe('no-store')
    }
    expect(host.requests).toHaveLength(1)
    testApp.setClock('2026-11-16T21:29:59.000Z')
    expect((await get(AT)).status).toBe(404)
    expect(host.requests).toHaveLength(1)
    testApp.setClock('2026-11-16T21:30:01.000Z')
    host.put('a.jpg', HERON)
    expect((await get(AT)).status).toBe(200)
  })

  test('for a private address in a catalog without a private upstream, which is not contacted', async () => {
    const host = startImageHost({ 'a.jpg': HERON })
    closeAfterUse(host.close)
    const testApp = await createTestApp({ onDisk: true })
    testApp.publish(`UPDATE cards SET image_url = '${host.url}/a.jpg' WHERE id = ${CARD}`)
    expect((await testApp.client.get(AT)).status).toBe(404)
    expect(host.requests).toEqual([])
  })
})

describe('503', () => {
  const hang = () => new Promise<Response>(() => {})

  test.each<[string, ImageResponses]>([
    ['hangs', { 'a.jpg': hang }],
    ['fails', { 'a.jpg': () => new Response(null, { status: 500 }) }],
  ])('if the host %s, which is then not contacted for ten minutes', async (_, responses) => {
    const { testApp, host, get } = await open(responses, { timeoutMs: 2_000 })
    const first = await get(AT)
    expect([first.status, first.body.error.code]).toEqual([503, 'UNAVAILABLE'])
    expect(first.headers.get('retry-after')).toBe('600')
    testApp.setClock('2026-11-15T21:39:00.000Z')
    expect((await get(AT)).headers.get('retry-after')).toBe('60')
    expect(host.requests).toHaveLength(1)
    testApp.setClock('2026-11-15T21:40:01.000Z')
    host.put('a.jpg', HERON)
    expect((await get(AT)).status).toBe(200)
  })

  test('other pictures of a host that throttles are delayed, not given up', async () => {
    const rest = () => new Response(null, { status: 429, headers: { 'retry-after': '3' } })
    const { host, show, get } = await open({ 'a.jpg': rest, 'b.jpg': OTTER })
    show(900004, 'b.jpg')
    expect((await get(AT)).status).toBe(503)
    const other = await get('/pictures/cards/900004')
    expect(other.status).toBe(503)
    expect(Number(other.headers.get('retry-after'))).toBeWithin(1, 4)
    expect(host.requests).toEqual(['a.jpg'])
    while ((await get('/pictures/cards/900004')).status === 503) await Bun.sleep(100)
    expect((await get('/pictures/cards/900004')).status).toBe(200)
  })

  test('four are fetched at once and 32 of a client wait; the oldest make room for more', async () => {
    const { promise: opened, resolve: release } = Promise.withResolvers<void>()
    const { testApp, host, get } = await open()
    const ids = testApp.catalogDb.prepare<[], number>('SELECT id FROM cards LIMIT 70').pluck().all()
    testApp.publish(`UPDATE cards SET image_url = '${host.url}/' || id`)
    let most = 0
    let now = 0
    const small = await createImage('#888', { width: 20, height: 28 })
    for (const id of ids) {
      host.put(String(id), async () => {
        most = Math.max(most, ++now)
        await opened
        now--
        return new Response(small)
      })
    }
    const replies = ids.map((id) => get(`/pictures/cards/${id}`))
    while (host.requests.length < 4) await Bun.sleep(2)
    const refused = await Promise.race(replies)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    release()
    const statuses = (await Promise.all(replies)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(36)
    expect(most).toBe(4)
  })

  test('no request waits longer than the limit; the next one finds the fetched picture', async () => {
    const { promise: opened, resolve: release } = Promise.withResolvers<void>()
    const { testApp, host, get } = await open({
      'a.jpg': async () => {
        await opened
        return new Response(HERON)
      },
    })
    const { get: show } = createImageServer(testApp.deps, { waitMsMax: 30 })
    const late = show({ kind: 'card', id: CARD }, 'small', 'a')
    await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 })
    release()
    const again = () => show({ kind: 'card', id: CARD }, 'small', 'a').catch(() => undefined)
    let found = await again()
    while (found === undefined) found = await again()
    expect(found.length).toBeGreaterThan(0)
    expect((await get(AT)).status).toBe(200)
    expect(host.requests).toHaveLength(1)
  })
})
