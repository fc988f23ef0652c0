// The client for card images, against a real local server.
import { describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CardPicturesOptions, openCardPictures } from '#outbound/marketplace/pictures.ts'
import { createTempFolder } from '../../support/closers.ts'
import { closeAfterUse } from '../../support/end-of-tests.ts'
import { EVERY_PATH, startMirror } from '../../support/sync/mirror-server.ts'

const AGENT = 'Cardstock/0.1.0 (+https://cards.example)'

function open(options: Partial<CardPicturesOptions> = {}) {
  const fast = { pauseMs: 0, backoffMs: 1, retries: 2 }
  const pictures = openCardPictures({ userAgent: AGENT, folders: [], ...fast, ...options })
  closeAfterUse(pictures.close)
  return pictures
}

function openHost(content: Record<string, string>) {
  const mirror = startMirror(new Map(Object.entries(content)))
  closeAfterUse(mirror.close)
  return { ...mirror, at: (path: string) => `${mirror.url}/${path}` }
}

const textOf = (fetched: object) =>
  'bytes' in fetched ? Buffer.from(fetched.bytes as Uint8Array).toString() : fetched

describe('over the web', () => {
  test('an image is returned with its tag, and again only if it changed', async () => {
    const host = openHost({ 'a.jpg': 'a heron' })
    const pictures = open()
    const first = await pictures.fetch(host.at('a.jpg'), null)
    expect(textOf(first)).toBe('a heron')
    const etag = first.status === 'fresh' ? first.etag : null
    expect(await pictures.fetch(host.at('a.jpg'), etag)).toEqual({ status: 'unchanged' })
    host.put('a.jpg', 'an otter')
    expect(textOf(await pictures.fetch(host.at('a.jpg'), etag))).toBe('an otter')
    expect(host.requests[0]?.headers.get('user-agent')).toBe(AGENT)
    expect(host.requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([
      null,
      etag,
      etag,
    ])
  })

  test.each([
    [404, 'missing', 1],
    [403, 'missing', 1],
    [429, 'unreachable', 3],
    [503, 'unreachable', 3],
    [500, 'unreachable', 3],
  ])('the status %i is %s after %i requests', async (status, expected, requests) => {
    const host = openHost({ 'a.jpg': 'a heron' })
    host.fault('a.jpg', { status })
    expect((await open().fetch(host.at('a.jpg'), null)).status).toBe(expected as 'missing')
    expect(host.requests).toHaveLength(requests)
  })

  test('a transient error is retried', async () => {
    const host = openHost({ 'a.jpg': 'a heron' })
    const pictures = open()
    for (const fault of [{ status: 503 }, { cutOff: true }]) {
      host.fault('a.jpg', { ...fault, times: 1 })
      expect(textOf(await pictures.fetch(host.at('a.jpg'), null))).toBe('a heron')
    }
  })

  test('Retry-After delays all requests to a host', async () => {
    const host = openHost({ 'a.jpg': 'a heron', 'b.jpg': 'an otter' })
    host.fault('a.jpg', { status: 429, headers: { 'Retry-After': '1' }, times: 1 })
    const pictures = open({ retries: 0 })
    expect((await pictures.fetch(host.at('a.jpg'), null)).status).toBe('unreachable')
    await Promise.all(['a.jpg', 'b.jpg'].map((path) => pictures.fetch(host.at(path), null)))
    const [refused, ...later] = host.requests.map(({ at }) => at)
    expect(later).toHaveLength(2)
    for (const at of later) expect(at - (refused ?? 0)).toBeGreaterThan(990)
  })

  test('a slow host times out', async () => {
    const host = openHost({ 'a.jpg': 'a heron' })
    host.fault('a.jpg', { delayMs: 500 })
    const fetched = await open({ timeoutMs: 30, retries: 1 }).fetch(host.at('a.jpg'), null)
    expect(fetched).toEqual({ status: 'unreachable', why: 'the host took more than 30 ms' })
  })

  test('an image that is too large is not read completely', async () => {
    const host = openHost({ 'a.jpg': 'x'.repeat(5_000) })
    const fetched = await open({ pictureBytesMax: 4_999 }).fetch(host.at('a.jpg'), null)
    expect(fetched).toMatchObject({ status: 'missing', why: expect.stringMatching(/larger than/) })
    expect(
      textOf(await open({ pictureBytesMax: 5_000 }).fetch(host.at('a.jpg'), null)),
    ).toHaveLength(5_000)
  })

  test('redirects are followed, but not to another scheme and not in a loop', async () => {
    const host = openHost({ 'b.jpg': 'an otter' })
    const redirect = (location: string) =>
      host.fault('a.jpg', { status: 302, headers: { location } })
    redirect('/b.jpg')
    expect(textOf(await open().fetch(host.at('a.jpg'), null))).toBe('an otter')
    for (const location of ['file:///etc/passwd', '/a.jpg']) {
      redirect(location)
      expect((await open().fetch(host.at('a.jpg'), null)).status).toBe('missing')
    }
  })

  test('at most four requests run at once, and ten start per second', async () => {
    const paths = Array.from({ length: 9 }, (_, n) => `${n}.jpg`)
    const host = openHost(Object.fromEntries(paths.map((path) => [path, 'x'])))
    const answered = Promise.withResolvers<void>()
    host.fault(EVERY_PATH, { until: answered.promise, status: 404 })
    // Called just before each request starts.
    const starts: number[] = []
    const guard = async () => void starts.push(performance.now())
    const pictures = openCardPictures({ userAgent: AGENT, folders: [], guard })
    closeAfterUse(pictures.close)
    const all = paths.map((path) => pictures.fetch(host.at(path), null))
    while (host.requests.length < 4) await Bun.sleep(5)
    // The fifth waits for a permit although its host is ready.
    await Bun.sleep(150)
    expect(host.requests).toHaveLength(4)
    answered.resolve()
    await Promise.all(all)
    expect(starts).toHaveLength(9)
    // A missing pause would last some milliseconds; a busy machine may delay the first request.
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(500)
  })

  test('closing cancels waiting and running requests', async () => {
    const host = openHost({ 'a.jpg': 'a heron' })
    host.fault('a.jpg', { delayMs: 5_000 })
    const pictures = open()
    const waiting = pictures.fetch(host.at('a.jpg'), null)
    while (host.requests.length === 0) await Bun.sleep(2)
    pictures.close()
    expect((await waiting).status).toBe('unreachable')
    expect((await pictures.fetch(host.at('a.jpg'), null)).status).toBe('unreachable')
    expect(host.requests).toHaveLength(1)
  })
})

describe('in a folder', () => {
  function openFolder() {
    const root = createTempFolder('cardstock-pictures-')
    const folder = join(root, 'sample')
    mkdirSync(join(folder, 'pictures'), { recursive: true })
    writeFileSync(join(folder, 'pictures/1.webp'), 'a heron')
    writeFileSync(join(root, 'secret'), 'a secret')
    symlinkSync(join(root, 'secret'), join(folder, 'pictures/link.webp'))
    return { root, folder }
  }

  test('an image is returned with a tag, and again only if it changed', async () => {
    const { folder } = openFolder()
    const pictures = open({ folders: [join(folder, 'nowhere'), folder] })
    const first = await pictures.fetch('pictures/1.webp', null)
    expect(textOf(first)).toBe('a heron')
    const etag = first.status === 'fresh' ? first.etag : null
    expect(await pictures.fetch('pictures/1.webp', etag)).toEqual({ status: 'unchanged' })
    const url = pathToFileURL(join(folder, 'pictures/1.webp')).href
    expect(textOf(await pictures.fetch(url, null))).toBe('a heron')
  })

  test('files outside it are not read', async () => {
    const { root, folder } = openFolder()
    const pictures = open({ folders: [folder] })
    const outside = [
      '../secret',
      'pictures/link.webp',
      '/etc/hostname',
      'pictures',
      'pictures/2.webp',
      pathToFileURL(join(root, 'secret')).href,
      'data:image/png;base64,AAAA',
      'ftp://example.com/a.jpg',
    ]
    for (const address of outside) {
      expect((await pictures.fetch(address, null)).status).toBe('missing')
    }
  })
})
