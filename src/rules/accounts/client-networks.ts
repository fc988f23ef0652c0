import { clientNetwork } from './rate-limit.ts'

/**
 * Limits of networks by size, as multiples of a client's limit, so that an owner of many addresses is limited like a
 * few clients. A `client` is an IPv4 address or an IPv6 /64, a `home` an IPv6 /56, a `site` an IPv4 /24 or IPv6 /48,
 * and a `provider` an IPv4 /16 or IPv6 /32.
 */
export const NETWORK_SHARES = { client: 1, home: 2, site: 4, provider: Number.POSITIVE_INFINITY }

/** Network of a client, counted with all clients in it. */
export type ClientNetwork = {
  /** Network in CIDR notation; other text unchanged. */
  key: string
  width: keyof typeof NETWORK_SHARES
}

/** Networks of a client, the smallest first. */
export type ClientNetworks = [ClientNetwork, ...ClientNetwork[]]

/**
 * Lists the networks of a client address, the smallest first. Subscribers are assigned an IPv6 /64, /56 or /48
 * (RIPE-690), and can use every address in it. An IPv4 /24 is the smallest block that is routed on the internet, and
 * usually has one owner.
 *
 * @param address any text; text that is not an IP address is a network of its own
 * @param nameOf returns the key of a network; by default its address
 */
export function listNetworks(
  address: string,
  nameOf = (network: string) => network,
): ClientNetworks {
  const client = clientNetwork(address)
  const network = (width: ClientNetwork['width'], text: string) => ({ key: nameOf(text), width })
  const own = network('client', client)
  const ipv4 = /^(\d+)\.(\d+)\.(\d+)\.\d+$/.exec(client)
  if (ipv4 !== null) {
    const [, a, b, c] = ipv4
    return [own, network('site', `${a}.${b}.${c}.0/24`), network('provider', `${a}.${b}.0.0/16`)]
  }
  const ipv6 = /^(\w+):(\w+):(\w+):(\w+)::\/64$/.exec(client)
  if (ipv6 === null) return [own]
  const [, a, b, c, d = ''] = ipv6
  const home = (Number.parseInt(d, 16) & 0xff00).toString(16)
  return [
    own,
    network('home', `${a}:${b}:${c}:${home}::/56`),
    network('site', `${a}:${b}:${c}::/48`),
    network('provider', `${a}:${b}::/32`),
  ]
}
