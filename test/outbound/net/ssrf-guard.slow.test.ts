// Addresses from which images may be fetched, with a fake name server.
import { afterEach, describe, expect, test } from 'bun:test'
import { openCardPictures } from '#outbound/marketplace/pictures.ts'
import { type UrlGuard, WebError } from '#outbound/net/http-client.ts'
import { createMirrorGuard, createSsrfGuard, type HostLookup } from '#outbound/net/ssrf-guard.ts'
import { startDnsServer } from '../../support/dns-server.ts'
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

function addressesOf(address: string, upstream: string | undefined) {
  return createSsrfGuard(upstream, hostLookup)(new URL(address), signal)
}

describe('of a public upstream', () => {
  test.each([
    'http://127.0.0.1/a.jpg',
    'http://[::1]/a.jpg',
    'http://169.254.169.254/latest/meta-data',
    'https://10.1.2.3/a.jpg',
    'http://[::ffff:10.0.0.1]/a.jpg',
    'http://[::ffff:7f00:1]/a.jpg',
    'http://[64:ff9b::7f00:1]/a.jpg',
    'http://2130706433/a.jpg',
    'http://0177.0.0.1/a.jpg',
    'http://0x7f.1/a.jpg',
    'http://127.1/a.jpg',
    'http://0.0.0.0/a.jpg',
    'http://[::]/a.jpg',
    'http://user@127.0.0.1/a.jpg',
    'http://127.0.0.1:6379/a.jpg',
    'https://nas.lan/a.jpg',
    'http://sly.example/a.jpg',
    'https://sly.example/a.jpg',
    'http://empty.example/a.jpg',
    'https://empty.example/a.jpg',
  ])('%s is not requested', async (address) => {
    for (const upstream of ['https://mirror.example', undefined]) {
      await expect(addressesOf(address, upstream)).rejects.toBeInstanceOf(WebError)
    }
  })

  test('a public host is requested at its addresses, IPv4 first', async () => {
    const upstream = 'https://mirror.example'
    const both = ['93.184.216.35', '2606:2800::1']
    expect(await addressesOf('https://pictures.example/a.jpg', upstream)).toEqual(both)
    expect(await addressesOf('http://pictures.example:81/a.jpg', upstream)).toEqual(both)
    expect(await addressesOf('http://93.184.216.36/a.jpg', upstream)).toEqual(['93.184.216.36'])
  })

  test('a name that does not resolve is rejected', async () => {
    await expect(
      addressesOf('http://nowhere.example/a.jpg', 'https://mirror.example'),
    ).rejects.toThrow('no such name')
  })
})

test.each(['http://nas.lan', 'http://127.0.0.1:8080', 'http://[::1]', 'file:///mnt/mirror'])(
  'the upstream %s may refer to any address',
  async (upstream) => {
    expect(await addressesOf('http://nas.lan/a.jpg', upstream)).toEqual(['192.168.1.9'])
    expect(await addressesOf('http://127.0.0.1/a.jpg', upstream)).toEqual(['127.0.0.1'])
  },
)

describe('of a mirror', () => {
  const guard = (root: string, url: string) =>
    createMirrorGuard(new URL(root), { setting: 'UPSTREAM_URL', lookup: hostLookup })(
      new URL(url),
      signal,
    )

  test.each([
    ['http://nas.lan/tcg/', 'http://nas.lan/other'],
    ['http://nas.lan/', 'https://nas.lan/'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/x'],
    ['https://unknown.example/', 'https://unknown.example/x'],
  ])('%s may redirect to itself, %s, wherever it is', async (root, url) => {
    expect(await guard(root, url)).toBeUndefined()
  })

  test.each(['https://mirror.example/', 'http://nas.lan/', 'http://127.0.0.1:8080/'])(
    '%s may redirect to public addresses only',
    async (root) => {
      expect(await guard(root, 'https://93.184.216.36/')).toEqual(['93.184.216.36'])
      for (const url of [
        'http://127.0.0.1:22/',
        'http://[::1]/',
        'http://nas.lan:81/',
        'https://sly.example/',
        'http://169.254.169.254/',
      ]) {
        await expect(guard(root, url)).rejects.toBeInstanceOf(WebError)
      }
    },
  )
})

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
    const { host, pictures } = open(async () => ['127.0.0.1'])
    const { port } = new URL(host.url)
    const { status } = await pictures.fetch(`http://pictures.example:${port}/a.jpg`, null)
    expect([status, host.hosts]).toEqual(['fresh', [`pictures.example:${port}`]])
  })

  test('checks each redirect before following it', async () => {
    const { host, pictures } = open(async (url) => {
      if (url.pathname === '/a.jpg') throw new WebError('is in a private network.')
      return [url.hostname]
    })
    expect(await pictures.fetch(`${host.url}/away.jpg`, null)).toEqual({
      status: 'missing',
      why: 'the host is in a private network.',
    })
    expect(host.requests).toEqual(['away.jpg'])
  })

  test.each(['http', 'https'])(
    'connects over %s only to the address that was checked, if the name changes',
    async (protocol) => {
      const connections: string[] = []
      const listen = (hostname: string, port: number) =>
        Bun.listen({
          hostname,
          port,
          socket: {
            data: (socket) => void socket.end(),
            open: () => void connections.push(hostname),
          },
        })
      const checked = listen('127.0.0.1', 0)
      const other = listen('127.0.0.2', checked.port)
      const names = await startDnsServer({
        addressOf: (_, lookups) => (lookups === 1 ? '127.0.0.1' : '127.0.0.2'),
      })
      closers.push(
        names.close,
        () => checked.stop(true),
        () => other.stop(true),
      )
      // A private upstream, so that this machine is allowed.
      const guard = createSsrfGuard('file:///mirror')
      const pictures = openCardPictures({ userAgent: 'test', folders: [], guard, retries: 0 })
      closers.push(pictures.close)
      const url = `${protocol}://rebound.example:${checked.port}/a.jpg`
      expect(await pictures.fetch(url, null)).toMatchObject({ status: 'unreachable' })
      expect(new Set(connections)).toEqual(new Set(['127.0.0.1']))
    },
  )
})
