/** Returns the display name of a mirror: host and path, or the name of a folder. */
export function mirrorLabel(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  const path = pathname.replace(/\/+$/, '')
  return protocol === 'file:' ? `file:${path.slice(path.lastIndexOf('/') + 1)}` : `${host}${path}`
}
