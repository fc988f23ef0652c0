/** What of a request tells where the page that sent it comes from. */
export type RequestOrigin = {
  method: string
  /** `Sec-Fetch-Site`, which every browser of today sends and no page can set. */
  site: string | null
  origin: string | null
  host: string | null
}

/**
 * Whether a browser sent this for a page of another origin, so that the cookie in it says nothing of
 * what its owner wants. The rules of Go 1.25's `http.CrossOriginProtection`, in their order.
 *
 * @param trusted origins that may, such as `https://shop.example`
 */
export function isCrossOrigin(request: RequestOrigin, trusted: readonly string[]): boolean {
  const { method, site, origin, host } = request
  if (SAFE_METHODS.has(method)) return false
  if (origin !== null && trusted.includes(origin)) return false
  if (site !== null && site !== '') return site !== 'same-origin' && site !== 'none'
  // Neither header: no browser, and so no cookie that was sent unasked.
  if (origin === null || origin === '') return false
  return hostOf(origin) !== host
}

/**
 * Whether this can be of one of our own pages: stricter than above, also for what only reads, and with
 * nobody trusted beside us. A browser that says nothing of where it comes from passes: over plain http in
 * an own network they do not.
 *
 * @param publicUrl the address that clients use: a proxy may have changed the host
 */
export function isSameOrigin(
  { site, origin, host }: Omit<RequestOrigin, 'method'>,
  publicUrl: string,
): boolean {
  if (site !== null && site !== 'same-origin') return false
  if (origin === null || origin === new URL(publicUrl).origin) return true
  return host !== null && hostOf(origin) === host
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
