import { describe, expect, test } from 'bun:test'
import { isCrossOrigin, isSameOrigin } from '#rules/primitives/cross-origin.ts'

// The rules of Go 1.25's http.CrossOriginProtection in all combinations: safe methods, then trusted
// origins, then Sec-Fetch-Site, then Origin against Host.

const HOST = 'cards.example'
const OWN = 'https://cards.example'
const TRUSTED = 'https://shop.example'
const OTHER = 'https://evil.example'

/** Expected result per origin without `Sec-Fetch-Site`. */
const ORIGINS = [
  ['none', null, 'pass'],
  ['an empty one', '', 'pass'],
  ['its own', OWN, 'pass'],
  ['its own, by http', 'http://cards.example', 'pass'],
  ['a trusted one', TRUSTED, 'pass'],
  ['another', OTHER, 'refuse'],
  ['a subdomain', 'https://www.cards.example', 'refuse'],
  ['the host as a subdomain', 'https://cards.example.evil.example', 'refuse'],
  ['another port', 'https://cards.example:8443', 'refuse'],
  ['a trusted one with another port', 'https://shop.example:8443', 'refuse'],
  ['a trusted one by http', 'http://shop.example', 'refuse'],
  ['a trusted one with a slash', 'https://shop.example/', 'refuse'],
  ['a trusted one in capitals', 'HTTPS://SHOP.EXAMPLE', 'refuse'],
  ['the host as a user', 'https://cards.example@evil.example', 'refuse'],
  ['two', `${OWN}, ${OTHER}`, 'refuse'],
  ['null', 'null', 'refuse'],
  ['the host alone', 'cards.example', 'refuse'],
  ['something that is not an origin', 'https://', 'refuse'],
] as const

/**
 * Expected result per `Sec-Fetch-Site` without trusted origins; undefined if the origin decides.
 */
const SITES = [
  ['none', null, undefined],
  ['an empty one', '', undefined],
  ['same-origin', 'same-origin', 'pass'],
  ['none', 'none', 'pass'],
  ['same-site', 'same-site', 'refuse'],
  ['cross-site', 'cross-site', 'refuse'],
  ['same-origin in capitals', 'Same-Origin', 'refuse'],
  ['a word that nobody knows', 'own', 'refuse'],
  ['two words', 'same-origin, cross-site', 'refuse'],
] as const

const SAFE = ['GET', 'HEAD', 'OPTIONS'] as const
const UNSAFE = ['POST', 'DELETE', 'PUT', 'PATCH', 'TRACE', 'QUERY', 'get'] as const

const isCrossOriginFrom = (from: Partial<Parameters<typeof isCrossOrigin>[0]>) =>
  isCrossOrigin({ method: 'POST', site: null, origin: null, host: HOST, ...from }, [TRUSTED])

describe.each(SITES)('Sec-Fetch-Site: %s (%p)', (_site, site, bySite) => {
  test.each(ORIGINS)('and Origin: %s (%p)', (_origin, origin, byOrigin) => {
    const verdict = origin === TRUSTED ? 'pass' : (bySite ?? byOrigin)
    for (const method of UNSAFE) {
      expect([method, isCrossOriginFrom({ method, site, origin })]).toEqual([
        method,
        verdict === 'refuse',
      ])
    }
    for (const method of SAFE) {
      expect([method, isCrossOriginFrom({ method, site, origin })]).toEqual([method, false])
    }
  })
})

describe('the host', () => {
  test.each([
    ['localhost:3000', 'http://localhost:3000', false],
    ['localhost:3000', 'http://localhost:3001', true],
    ['localhost:3000', 'http://localhost', true],
    ['localhost:3000', 'http://127.0.0.1:3000', true],
    ['[::1]:3000', 'http://[::1]:3000', false],
    ['192.0.2.7', 'http://192.0.2.7', false],
    [null, OWN, true],
    [null, 'null', true],
    ['', 'null', true],
  ])('%p is that of the origin %p unless it is cross-origin: %p', (host, origin, refused) => {
    expect(isCrossOriginFrom({ host, origin })).toBe(refused)
  })

  test('is ignored if Sec-Fetch-Site is same-origin', () => {
    expect(isCrossOriginFrom({ site: 'same-origin', host: 'internal:3000', origin: OWN })).toBe(
      false,
    )
  })
})

test('without trusted origins, none is trusted', () => {
  const from = { method: 'POST', site: 'cross-site', origin: TRUSTED, host: HOST }
  expect(isCrossOrigin(from, [])).toBe(true)
})

describe('a same-origin request', () => {
  const isFromServer = (from: Partial<Parameters<typeof isSameOrigin>[0]>) =>
    isSameOrigin({ site: null, origin: null, host: HOST, ...from }, OWN)

  /** If both headers are present, both must match. */
  const PASSING = {
    sites: new Set<string | null>([null, 'same-origin']),
    origins: new Set<string | null>([null, OWN, 'http://cards.example']),
  }

  test.each(SITES)('with Sec-Fetch-Site: %s (%p)', (_site, site) => {
    for (const [, origin] of ORIGINS) {
      const passes = PASSING.sites.has(site) && PASSING.origins.has(origin)
      expect([origin, isFromServer({ site, origin })]).toEqual([origin, passes])
    }
  })

  test.each([
    ['internal:3000', OWN, true],
    ['internal:3000', 'http://cards.example', false],
    ['localhost:3000', 'http://localhost:3000', true],
    ['localhost:3000', 'http://localhost:3001', false],
    [null, OWN, true],
    [null, 'null', false],
    ['', 'null', false],
  ])('to the host %p is of the origin %p: %p', (host, origin, passes) => {
    expect(isFromServer({ host, origin })).toBe(passes)
  })
})
