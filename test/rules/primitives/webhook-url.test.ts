import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ServiceError } from '#rules/primitives/errors.ts'
import {
  isAllowedAddress,
  WEBHOOK_NETWORKS,
  type WebhookNetwork,
} from '#rules/primitives/public-address.ts'
import {
  hostOf,
  parseWebhookUrl,
  WEBHOOK_URL_CHARACTERS_MAX,
} from '#rules/primitives/webhook-url.ts'
import { ADDRESSES } from '../../support/ip-addresses.ts'

/** Returns the normalized URL, or the error message. */
function readingOf(text: string, network: WebhookNetwork): string {
  try {
    return parseWebhookUrl(text, network).href
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'INVALID_WEBHOOK_URL') return error.message
    throw error
  }
}

const WHOLE = expect.stringMatching(/^The URL must be absolute/)
const COMPLETE = expect.stringMatching(/^The URL must contain a full host name/)
const VISIBLE = 'The URL must not contain invisible characters.'
const INTERNET = expect.stringMatching(/^The URL is in a private network/)
const HTTPS = expect.stringMatching(/^The URL must begin with https:\/\//)
const NO_USER = expect.stringMatching(/^The URL must not contain a user name or password/)

describe('a webhook URL', () => {
  test.each([
    ['https://hooks.example/alerts', 'https://hooks.example/alerts'],
    ['  https://hooks.example ', 'https://hooks.example/'],
    ['HTTPS://Hooks.Example:443/A?b=C%20d', 'https://hooks.example/A?b=C%20d'],
    ['https://hooks.example:8443/', 'https://hooks.example:8443/'],
    ['https://hooks.example:22/', 'https://hooks.example:22/'],
    ['https://hooks.example/a#b', 'https://hooks.example/a'],
    ['https://hooks.example./', 'https://hooks.example/'],
    ['https://hooks.example.:8443/', 'https://hooks.example:8443/'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://例え.テスト/', 'https://xn--r8jz45g.xn--zckzah/'],
    ['https:\\\\hooks.example\\a', 'https://hooks.example/a'],
    ['https://a_b.hooks.example/', 'https://a_b.hooks.example/'],
    ['https://local.example/', 'https://local.example/'],
    ['https://localhost.example/', 'https://localhost.example/'],
    ['https://internal-hooks.example/', 'https://internal-hooks.example/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://8.8.8.8:8443/a', 'https://8.8.8.8:8443/a'],
    ['https://[2606:4700:4700:0::1111]:8443/a', 'https://[2606:4700:4700::1111]:8443/a'],
    ['https://127.0.0.1.hooks.example/', 'https://127.0.0.1.hooks.example/'],
  ])('%p is normalized to %p', (text, kept) => {
    for (const network of WEBHOOK_NETWORKS) expect(readingOf(text, network)).toBe(kept)
  })

  test.each([
    ['', WHOLE],
    ['hooks.example/alerts', WHOLE],
    ['//hooks.example/alerts', WHOLE],
    ['https://', WHOLE],
    ['https://ho oks.example/', WHOLE],
    ['https://hooks.example:99999/', WHOLE],
    ['https://256.1.1.1/', WHOLE],
    ['https://1.2.3.4.5/', WHOLE],
    ['https://[::1/', WHOLE],
    ['https://[fe80::1%25eth0]/', WHOLE],
    ['https://[::1%lo]/', WHOLE],
    ['https://[8.8.8.8]/', WHOLE],
    ['ftp://hooks.example/', HTTPS],
    ['file:///etc/passwd', HTTPS],
    ['gopher://hooks.example:25/', HTTPS],
    ['javascript:alert(1)', HTTPS],
    ['data:text/plain,a', HTTPS],
    ['blob:https://hooks.example/1', HTTPS],
    ['wss://hooks.example/', HTTPS],
    ['https://user@hooks.example/', NO_USER],
    ['https://user:word@hooks.example/', NO_USER],
    ['https://:word@hooks.example/', NO_USER],
    ['https://hooks.example@127.0.0.1/', NO_USER],
    ['https://hooks..example/', COMPLETE],
    ['https://hooks.example../', COMPLETE],
    ['https://.hooks.example/', COMPLETE],
    ['https://./', COMPLETE],
    [`https://${'a.'.repeat(130)}example/`, COMPLETE],
    ['https://intranet/', INTERNET],
    ['https://intranet./', INTERNET],
    ['https://metadata/', INTERNET],
    ['https://a.localhost/', INTERNET],
    ['https://A.LOCALHOST./', INTERNET],
    ['https://printer.local/', INTERNET],
    ['https://printer.Local./', INTERNET],
    ['https://printer.loc\u00adal/', VISIBLE],
    ['https://printer.ｌｏｃａｌ/', INTERNET],
    ['https://printer。local/', INTERNET],
    ['https://printer.loc%61l/', INTERNET],
    ['https://metadata.google.internal/', INTERNET],
    ['https://nas.lan/', INTERNET],
    ['https://nas.home/', INTERNET],
    ['https://mail.corp/', INTERNET],
    ['https://nas.home.arpa/', INTERNET],
    ['https://1.0.0.127.in-addr.arpa/', INTERNET],
    ['https://abc.onion/', INTERNET],
    ['https://1０.0。0.1/', INTERNET],
    ['https://%31%30.0.0.1/', INTERNET],
    ['https://10.0.0.1./', INTERNET],
    ['https://169.254.169.254/latest/meta-data/', INTERNET],
    ['https://[::ffff:169.254.169.254]/', INTERNET],
    ['https://[::169.254.169.254]/', INTERNET],
    ['https://[64:ff9b::169.254.169.254]/', INTERNET],
    ['https://[fd00:ec2::254]/', INTERNET],
    ['https://[::]/', INTERNET],
  ])('%p is rejected on every network', (text, sentence) => {
    for (const network of WEBHOOK_NETWORKS) expect(readingOf(text, network)).toEqual(sentence)
  })

  test.each([
    'http://localhost:3000/alerts',
    'https://localhost/',
    'http://127.0.0.1:3000/',
    'http://127.0.0.53/',
    'http://[::1]:3000/',
    'http://hooks.example/',
  ])('%p is accepted in development, and rejected in production', (text) => {
    expect(readingOf(text, 'loopback-ok')).toBe(text)
    expect(readingOf(text, 'public')).toMatch(/^The URL /)
  })

  test.each(['http://127.1/', 'http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1/'])(
    '%p is this machine, however it is written',
    (text) => {
      expect(readingOf(text, 'loopback-ok')).toBe('http://127.0.0.1/')
      expect(readingOf(text.replace('http', 'https'), 'public')).toEqual(INTERNET)
    },
  )

  test.each(ADDRESSES)('the IP address %s in it is %s', (ip, verdict) => {
    const text = `https://${ip.includes(':') ? `[${ip}]` : ip}:8443/alerts`
    const kept = new URL(text).href
    expect(readingOf(text, 'public')).toEqual(verdict === 'public' ? kept : INTERNET)
    expect(readingOf(text, 'loopback-ok')).toEqual(verdict === 'refused' ? INTERNET : kept)
  })

  test(`may have ${WEBHOOK_URL_CHARACTERS_MAX} characters, both as received and as stored`, () => {
    const base = 'https://hooks.example/'
    const longest = base.padEnd(WEBHOOK_URL_CHARACTERS_MAX, 'a')
    const tooLong = expect.stringMatching(/at most 2048 characters/)
    expect(readingOf(longest, 'public')).toBe(longest)
    expect(readingOf(`${longest}a`, 'public')).toEqual(tooLong)
    expect(readingOf(`${longest.slice(0, -1)}ä`, 'public')).toEqual(tooLong)
    expect(readingOf(`${base}#${longest}`, 'public')).toEqual(tooLong)
  })

  test('is unchanged when parsed again', () => {
    const urls = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string(),
    )
    fc.assert(
      fc.property(urls, (text) => {
        const kept = readingOf(text, 'loopback-ok')
        if (URL.canParse(kept)) expect(readingOf(kept, 'loopback-ok')).toBe(kept)
      }),
      { numRuns: 1_000 },
    )
  })

  test('an IPv4 address in it is judged in every notation that browsers accept', () => {
    const writing = fc.constantFrom(
      (n: number) => String(n),
      (n: number) => `0x${n.toString(16)}`,
      (n: number) => `0${n.toString(8)}`,
    )
    fc.assert(
      fc.property(
        fc.nat(0xffffffff),
        fc.integer({ min: 1, max: 4 }),
        writing,
        (ip, count, write) => {
          const bytes = [24, 16, 8, 0].map((by) => (ip >>> by) & 255)
          // The last part fills all remaining bytes.
          const rest = ip % 256 ** (5 - count)
          const text = [...bytes.slice(0, count - 1), rest].map(write).join('.')
          const isKept = readingOf(`https://${text}/`, 'public').startsWith('https:')
          expect(isKept).toBe(isAllowedAddress(bytes.join('.'), 'public'))
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('attempts at a receiver', () => {
  test.each([
    ['https://hooks.example/a', 'hooks.example'],
    ['https://hooks.example:443/b', 'hooks.example'],
    ['https://HOOKS.example:8443/c', 'hooks.example:8443'],
    ['http://[0:0::1]:3000/', '[::1]:3000'],
  ])('at %s count as at %s', (url, host) => {
    expect(hostOf(url)).toBe(host)
  })
})
