// Addresses from which images may be fetched, with a fake name server.
import { afterEach, describe, expect, test } from 'bun:test'
import { openCardPictures } from '#outbound/marketplace/pictures.ts'
import type { HostLookup } from '#outbound/net/dns.ts'
import { type UrlGuard, WebError } from '#outbound/net/http-client.ts'
import { createSsrfGuard } from '#outbound/net/ssrf-guard.ts'
import { startImageHost } from '../../support/photos/picture-host.ts'

const NAMES: Record<string, string[]> = {
  'mirror.example': ['93.184.216.34'],
  'pictures.example': ['2606:2800::1', '93.184.216.35'],
  'sly.example': ['93.184.216.35', '10.0.0.1'],
  'nas.lan': ['192.168.1.9'],
  'empty.example': [],
}

const hostLookup: HostLookup = async (name) => {
  const found = NAMES[name]
  if (found === undefined) throw Object.assign(new Error('no such name'), { code: 'DNS_ENOTFOUND' })
  return found.map((address) => ({ address }))
}

const { signal } = new AbortController()

async function wayTo(address: string, upstream: string | undefined) {
  const { url, host } = await createSsrfGuard(upstream, hostLookup)(new URL(address), signal)
  return [url.href, host]
}

describe('of a public upstream', () => {
  test.each([
    'http://127.0.0.1/a.jpg',
    'http://[::1]/a.jpg',
    'http://169.254.169.254/latest/meta-data',
    'https://10.1.2.3/a.jpg',
    'http://[::ffff:10.0.0.1]/a.jpg',
    'https://nas.lan/a.jpg',
    'http://sly.example/a.jpg',
    'https://sly.example/a.jpg',
    'http://empty.example/a.jpg',
    'https://empty.example/a.jpg',
  ])('%s is not requested', async (address) => {
    for (const upstream of ['https://mirror.example', undefined]) {
      await expect(wayTo(address, upstream)).rejects.toBeInstanceOf(WebError)
    }
  })

  test('a public host is requested, over http at the checked address', async () => {
    const upstream = 'https://mirror.example'
    expect(await wayTo('https://pictures.example/a.jpg', upstream)).toEqual([
      'https://pictures.example/a.jpg',
      undefined,
    ])
    expect(await wayTo('http://pictures.example:81/a.jpg', upstream)).toEqual([
      'http://93.184.216.35:81/a.jpg',
      'pictures.example:81',
    ])
    expect((await wayTo('http://93.184.216.36/a.jpg', upstream))[0]).toBe(
      'http://93.184.216.36/a.jpg',
    )
  })

  test('a name that does not resolve is rejected', async () => {
    await expect(wayTo('http://nowhere.example/a.jpg', 'https://mirror.example')).rejects.toThrow(
      'no such name',
    )
  })
})

test.each(['http://nas.lan', 'http://127.0.0.1:8080', 'http://[::1]', 'file:///mnt/mirror'])(
  'the upstream %s may name what it likes',
  async (upstream) => {
    for (const address of ['http://nas.lan/a.jpg', 'http://127.0.0.1/a.jpg']) {
      expect((await wayTo(address, upstream))[0]).toBe(address)
    }
  },
)

describe('the image client', () => {
  const closers: (() => unknown)[] = []
  afterEach(() => {
    for (const close of closers.splice(0)) close()
  })

  function open(urlGuard: UrlGuard) {
    const to = (location: string) => new Response(null, { status: 302, headers: { location } })
    const host = startImageHost({
      'a.jpg': new Uint8Array([1]),
      'away.jpg': () => to('/a.jpg'),
    })
    const pictures = openCardPictures({
      userAgent: 'test',
      folders: [],
      guard: urlGuard,
      retries: 0,
    })
    closers.push(host.close, pictures.close)
    return { host, pictures }
  }

  test('connects to the checked address with the original Host header', async () => {
    const { host, pictures } = open(async (url) => ({
      url: new URL(url.pathname, host.url),
      host: url.host,
    }))
    const { status } = await pictures.fetch('http://pictures.example/a.jpg', null)
    expect([status, host.hosts]).toEqual(['fresh', ['pictures.example']])
  })

  test('checks each redirect before following it', async () => {
    const { host, pictures } = open(async (url) => {
      if (url.pathname === '/a.jpg') throw new WebError('is in a private network.')
      return { url }
    })
    expect(await pictures.fetch(`${host.url}/away.jpg`, null)).toEqual({
      status: 'missing',
      why: 'the host is in a private network.',
    })
    expect(host.requests).toEqual(['away.jpg'])
  })
})
