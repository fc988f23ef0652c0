import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isAllowedAddress, WEBHOOK_NETWORKS } from '#rules/primitives/public-address.ts'
import { ADDRESSES, UNUSUAL_NOTATIONS } from '../../support/ip-addresses.ts'

describe('webhooks', () => {
  test.each(ADDRESSES)('%s is %s: %s', (ip, verdict) => {
    expect(isAllowedAddress(ip, 'public')).toBe(verdict === 'public')
    expect(isAllowedAddress(ip, 'loopback-ok')).toBe(verdict !== 'refused')
  })

  test.each(WEBHOOK_NETWORKS)(
    'where the network is %s nothing written strangely passes',
    (network) => {
      expect(UNUSUAL_NOTATIONS.filter((text) => isAllowedAddress(text, network))).toEqual([])
    },
  )
})

/** IANA's special-purpose IPv4 ranges and multicast: first address and prefix length. */
const SPECIAL: readonly (readonly [number, number])[] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa83f8110, 32],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc01fc400, 24],
  [0xc034c100, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc0af3000, 24],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 3],
]

const sizeOf = (bits: number) => 2 ** (32 - bits)
const isSpecial = (address: number) =>
  SPECIAL.some(([first, bits]) => address >= first && address < first + sizeOf(bits))
const dotted = (address: number) => [24, 16, 8, 0].map((by) => (address >>> by) & 255).join('.')

/** Any address, often at the edge of a range. */
const anyIpv4 = fc.oneof(
  fc.nat(0xffffffff),
  fc
    .tuple(fc.constantFrom(...SPECIAL), fc.boolean(), fc.integer({ min: -2, max: 2 }))
    .map(([[first, bits], isEnd, off]) => (first + (isEnd ? sizeOf(bits) : 0) + off) >>> 0),
)

test("an IPv4 address is rejected exactly if IANA's registry lists it as special", () => {
  const seen = { special: 0, public: 0 }
  fc.assert(
    fc.property(anyIpv4, (address) => {
      seen[isSpecial(address) ? 'special' : 'public']++
      expect(isAllowedAddress(dotted(address), 'public')).toBe(!isSpecial(address))
    }),
    { numRuns: 5_000 },
  )
  expect(Math.min(seen.special, seen.public)).toBeGreaterThan(500)
})

const groups = fc.tuple(...Array.from({ length: 8 }, () => fc.nat(0xffff)))
const written = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':')

test('an IPv6 address outside 2000::/3 is rejected', () => {
  fc.assert(
    fc.property(fc.nat(0xffff), groups, (first, [, ...rest]) => {
      fc.pre(first >> 13 !== 1)
      expect(isAllowedAddress(written([first, ...rest]), 'public')).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('an IPv6 address is judged equally in every notation', () => {
  const places = fc.constantFrom(0x2001, 0x2002, 0x2606, 0x3fff, 0xfe80, 0)
  fc.assert(
    fc.property(groups, places, fc.constantFrom(...WEBHOOK_NETWORKS), (parts, first, network) => {
      const plain = written([first, ...parts.slice(1)])
      const full = plain.split(':').map((part) => part.padStart(4, '0'))
      // As `URL` formats it: the shortest notation.
      const short = new URL(`http://[${plain}]`).hostname.slice(1, -1)
      const answers = [plain, plain.toUpperCase(), full.join(':'), short]
      expect(new Set(answers.map((text) => isAllowedAddress(text, network))).size).toBe(1)
    }),
  )
})

test('an IPv4 address embedded in an IPv6 address is rejected in every form', () => {
  fc.assert(
    fc.property(anyIpv4, (address) => {
      const [high, low] = [(address >>> 16).toString(16), (address & 0xffff).toString(16)]
      const hidden = [
        `::${high}:${low}`,
        `::ffff:${dotted(address)}`,
        `::ffff:${high}:${low}`,
        `::ffff:0:${high}:${low}`,
        `64:ff9b::${dotted(address)}`,
        `64:ff9b:1::${high}:${low}`,
        `2002:${high}:${low}::1`,
        `2001:0:${high}:${low}::1`,
        `fe80::5efe:${high}:${low}`,
      ]
      expect(hidden.filter((text) => isAllowedAddress(text, 'public'))).toEqual([])
    }),
  )
})
