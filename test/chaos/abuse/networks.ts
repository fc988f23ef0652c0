/**
 * Addresses of many networks: a quarter each of /64s within one /56, of /56s within one /48, of /48s, and of
 * IPv4 /24s. All of them are in ranges for documentation or benchmarks.
 */
export function listNetworks(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const part = Math.floor(index / 4)
    const hex = (value: number) => value.toString(16)
    if (index % 4 === 0) return `2001:db8:1:${hex(part % 256)}::7`
    if (index % 4 === 1) return `2001:db8:2:${hex((part % 256) * 256)}::7`
    if (index % 4 === 2) return `2001:db8:${hex(0x1000 + part)}::7`
    return `198.18.${part % 256}.7`
  })
}

/**
 * Returns an address in a network that `listNetworks` does not contain. A third of them belong to providers that
 * occur there.
 */
export function freshNetwork(index: number): string {
  const part = Math.floor(index / 3)
  if (index % 3 === 0) return `198.18.${200 + (part % 50)}.${9 + (Math.floor(part / 50) % 240)}`
  if (index % 3 === 1) return `${64 + (part % 32)}.${Math.floor(part / 32) % 256}.5.9`
  return `2a${(part % 16).toString(16)}0:${(1 + (part % 0xfffe)).toString(16)}:1::9`
}
