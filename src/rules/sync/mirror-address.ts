/** Returns the problem with the address of a mirror, for a sentence about it; undefined if it is valid. */
export function findMirrorProblem(address: string): string | undefined {
  const protocol = URL.parse(address)?.protocol
  if (protocol === 'https:' || protocol === 'http:') return undefined
  return 'must be an address with https://. A folder can only be set as UPSTREAM_URL'
}

/** Returns the display name of a mirror: host and path, or the name of a folder. */
export function mirrorLabel(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  const path = pathname.replace(/\/+$/, '')
  return protocol === 'file:' ? `file:${path.slice(path.lastIndexOf('/') + 1)}` : `${host}${path}`
}

/** The games of the bundled sample (data/sample/tcgplayer/categories); no marketplace has these ids. */
export const SAMPLE_GAME_IDS: readonly number[] = [9001, 9002, 9003]
