import { describe, expect, test } from 'bun:test'
import { describeBrowser, describeOrigin } from '#rules/accounts/session-origin.ts'

/** As current browsers send them. */
const USER_AGENTS: [words: string, userAgent: string][] = [
  [
    'Firefox on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  ],
  [
    'Firefox on iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/145.0 Mobile/15E148 Safari/605.1.15',
  ],
  [
    'Chrome on Linux',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  ],
  [
    'Chrome on Linux',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
  ],
  [
    'Chrome on Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Samsung Internet on Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Chrome on ChromeOS',
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  ],
  [
    'Edge on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  ],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  ],
  [
    'Safari on iPad',
    'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  ],
  ['curl', 'curl/8.14.1'],
  ['Unknown program', 'python-requests/2.32'],
  ['Unknown program', ''],
]

describe('the words for a browser', () => {
  test.each(USER_AGENTS)('are "%s" for %s', (words, userAgent) => {
    expect(describeBrowser(userAgent)).toBe(words)
  })

  test('contain nothing else of a User-Agent, however long', () => {
    const noisy = `Mozilla/5.0 (Windows NT 10.0) Firefox/145.0 ${'secret '.repeat(10_000)}`
    expect(describeBrowser(noisy)).toBe('Firefox on Windows')
  })
})

describe('the network of a session', () => {
  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:12:3456:aaaa::1', '2001:db8:12::/48'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(describeOrigin(address, '').network).toBe(network)
  })
})
