/** Returns the problem with the address of a mirror, for a sentence about it; undefined if it is valid. */
export function findMirrorProblem(address: string): string | undefined {
  const protocol = URL.parse(address)?.protocol
  if (protocol === 'https:' || protocol === 'http:') return undefined
  return 'must be an address with https://. A folder can only be set as UPSTREAM_URL'
}
