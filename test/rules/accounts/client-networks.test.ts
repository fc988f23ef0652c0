import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { listNetworks } from '#rules/accounts/client-networks.ts'

const ipv4 = fc.ipV4()
const ipv6 = fc.ipV6().filter((text) => !ipaddr.IPv6.parse(text).isIPv4MappedAddress())
const keysOf = (address: string) => listNetworks(address).map(({ key }) => key)
const widthsOf = (address: string) => listNetworks(address).map(({ width }) => width)

/** Returns the first bits of an address. */
function bitsOf(address: string, length: number): string {
  const bytes = ipaddr.parse(address).toByteArray()
  return bytes
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .slice(0, length)
}

describe('the networks of a client', () => {
  test.each([
    ['203.0.113.77', ['203.0.113.77', '203.0.113.0/24', '203.0.0.0/16']],
    ['::ffff:203.0.113.77', ['203.0.113.77', '203.0.113.0/24', '203.0.0.0/16']],
    ['203.0.113.77:4711', ['203.0.113.77', '203.0.113.0/24', '203.0.0.0/16']],
    [
      '2001:db8:1:23ab::1',
      ['2001:db8:1:23ab::/64', '2001:db8:1:2300::/56', '2001:db8:1::/48', '2001:db8::/32'],
    ],
    ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48', '0:0::/32']],
    ['unknown', ['unknown']],
    ['', ['']],
  ])('of %p are %p', (address, keys) => {
    expect(keysOf(address)).toEqual(keys)
  })

  test('are the same for two addresses if these share the bits, and different otherwise', () => {
    const prefixes = { 4: [32, 24, 16], 6: [64, 56, 48, 32] } as const
    const near = (address: string, bit: number) => {
      const bytes = ipaddr.parse(address).toByteArray()
      const at = bit >> 3
      bytes[at] = (bytes[at] ?? 0) ^ (0x80 >> (bit & 7))
      return ipaddr.fromByteArray(bytes).toString()
    }
    const pairs = fc.oneof(
      fc.tuple(ipv4, fc.nat(31)).map(([one, bit]) => [4, one, near(one, bit)] as const),
      fc.tuple(ipv6, fc.nat(127)).map(([one, bit]) => [6, one, near(one, bit)] as const),
    )
    fc.assert(
      fc.property(pairs, ([version, one, other]) => {
        // Flipping a bit can make a mapped address.
        fc.pre(ipaddr.process(other).kind() === `ipv${version}`)
        for (const [index, length] of prefixes[version].entries()) {
          const isShared = bitsOf(one, length) === bitsOf(other, length)
          expect(keysOf(one)[index] === keysOf(other)[index]).toBe(isShared)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('never share a key between widths, or between versions', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(ipv4, ipv6), { maxLength: 20 }), (addresses) => {
        const widths = new Map<string, string>()
        for (const { key, width } of addresses.flatMap((address) => listNetworks(address))) {
          expect(widths.get(key) ?? width).toBe(width)
          widths.set(key, width)
        }
      }),
    )
  })

  test('grow from the client to its provider', () => {
    const expectWidths = (address: fc.Arbitrary<string>, widths: string) =>
      fc.assert(fc.property(address, (one) => expect(widthsOf(one).join()).toBe(widths)))
    expectWidths(ipv4, 'client,site,provider')
    expectWidths(ipv6, 'client,home,site,provider')
  })

  test('of any text begin with one that the text has alone, and never fail', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(listNetworks(text)[0].width).toBe('client')
      }),
    )
  })
})
