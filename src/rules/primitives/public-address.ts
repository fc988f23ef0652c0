import ipaddr from 'ipaddr.js'

/** Where alerts may be sent: to the world alone, or to this machine, too. */
export const WEBHOOK_NETWORKS = ['public', 'loopback-ok'] as const

export type WebhookNetwork = (typeof WEBHOOK_NETWORKS)[number]

/**
 * Whether alerts may be sent to an address. Of the world is what anybody can reach: no private, local
 * or reserved range, and none that leads to another address inside it (IPv4 within IPv6, tunnels).
 *
 * @param ip as a name server or `URL` writes it, without brackets; any other writing is refused, since
 *   whoever connects may read it in another way than we do
 */
export function isAllowedAddress(ip: string, network: WebhookNetwork): boolean {
  if (ip.includes('%')) return false
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return isAllowedIpv4(ipaddr.IPv4.parse(ip), network)
  if (ip.includes(':') && ipaddr.IPv6.isValid(ip)) {
    return isAllowedIpv6(ipaddr.IPv6.parse(ip), network)
  }
  return false
}

function isAllowedIpv4(address: ipaddr.IPv4, network: WebhookNetwork): boolean {
  const range = address.range()
  if (range === 'loopback') return network === 'loopback-ok'
  return range === 'unicast' && address.toString() !== AZURE_HOST
}

function isAllowedIpv6(address: ipaddr.IPv6, network: WebhookNetwork): boolean {
  const range = address.range()
  if (range === 'loopback') return network === 'loopback-ok'
  // The ranges that are known are not all there are: what nobody has been given yet is no receiver's.
  return range === 'unicast' && address.match(GIVEN_OUT, GIVEN_OUT_BITS)
}

/** It lies among public addresses, and is the host of every virtual machine there. */
const AZURE_HOST = '168.63.129.16'

const GIVEN_OUT = ipaddr.IPv6.parse('2000::')
const GIVEN_OUT_BITS = 3
