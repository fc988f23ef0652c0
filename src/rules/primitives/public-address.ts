import ipaddr from 'ipaddr.js'

/** Networks to which webhooks may be sent: the public internet, or this machine, too. */
export const WEBHOOK_NETWORKS = ['public', 'loopback-ok'] as const

export type WebhookNetwork = (typeof WEBHOOK_NETWORKS)[number]

/**
 * Returns true if webhooks may be sent to an address. Public addresses exclude private, local and reserved ranges,
 * and ranges that embed another address (IPv4 in IPv6, tunnels).
 *
 * @param ip in the notation of name servers or `URL`, without brackets; other notations are refused, because the
 * network stack may interpret them differently
 */
export function isAllowedAddress(ip: string, network: WebhookNetwork): boolean {
  if (ip.includes('%')) return false
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return isAllowedIpv4(ipaddr.IPv4.parse(ip), network)
  if (ip.includes(':') && ipaddr.IPv6.isValid(ip)) {
    return isAllowedIpv6(ipaddr.IPv6.parse(ip), network)
  }
  return false
}

/**
 * Returns true if a host is this machine: `localhost`, a name below it, or a loopback address.
 *
 * @param host as in a URL, or an address without brackets
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  const address = name.replace(/^\[(.*)\]$/, '$1')
  return !isAllowedAddress(address, 'public') && isAllowedAddress(address, 'loopback-ok')
}

function isAllowedIpv4(address: ipaddr.IPv4, network: WebhookNetwork): boolean {
  const range = address.range()
  if (range === 'loopback') return network === 'loopback-ok'
  return range === 'unicast' && address.toString() !== AZURE_HOST
}

function isAllowedIpv6(address: ipaddr.IPv6, network: WebhookNetwork): boolean {
  const range = address.range()
  if (range === 'loopback') return network === 'loopback-ok'
  // Unassigned ranges are not listed, so only the assigned global unicast range is allowed.
  return range === 'unicast' && address.match(GIVEN_OUT, GIVEN_OUT_BITS)
}

/** Azure's host of every virtual machine, although its range is public. */
const AZURE_HOST = '168.63.129.16'

const GIVEN_OUT = ipaddr.IPv6.parse('2000::')
const GIVEN_OUT_BITS = 3
