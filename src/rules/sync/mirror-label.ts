/**
 * How a mirror is called where people see it: host and path, without credentials and questions; of a
 * folder its name alone.
 */
export function mirrorLabel(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  const path = pathname.replace(/\/+$/, '')
  return protocol === 'file:' ? `file:${path.slice(path.lastIndexOf('/') + 1)}` : `${host}${path}`
}
