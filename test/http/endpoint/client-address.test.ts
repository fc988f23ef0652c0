import { describe, expect, test } from 'bun:test'
import { createClientAddressReader } from '#http/endpoint/client-address.ts'

const PEER = '198.51.100.1'
const server = { requestIP: () => ({ address: PEER }) }

function addressOf(forwarded: string | undefined, proxies: number): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return createClientAddressReader(
    () => server,
    proxies,
  )(new Request('http://localhost/', { headers }))
}

describe('the address of a client', () => {
  test.each([
    ['without proxies is the other end of the connection', 0, undefined, PEER],
    ['is never what the client says of itself', 0, '192.0.2.1', PEER],
    ['behind one proxy is what that says last', 1, '203.0.113.9, 192.0.2.1', '192.0.2.1'],
    ['behind two is the last but one', 2, '203.0.113.9, 192.0.2.1, 10.0.0.1', '192.0.2.1'],
    ['is the other end where the proxies say nothing', 1, undefined, PEER],
    ['is the other end where there are fewer entries than proxies', 2, '192.0.2.1', PEER],
    ['is read over blanks and empty entries', 1, ' 203.0.113.9 ,, 192.0.2.1 , ', '192.0.2.1'],
    ['may be one of IPv6', 1, '2001:db8::1', '2001:db8::1'],
  ])('%s', (_what, proxies, forwarded, address) => {
    expect(addressOf(forwarded, proxies)).toBe(address)
  })

  test('is unknown without a connection', () => {
    const request = new Request('http://localhost/')
    expect(createClientAddressReader(() => null, 0)(request)).toBe('unknown')
    expect(createClientAddressReader(() => ({ requestIP: () => null }), 1)(request)).toBe('unknown')
  })
})
