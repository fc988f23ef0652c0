/** Parts of a request that show the origin of the page that sent it. */
export type RequestOrigin = {
  method: string
  /** `Sec-Fetch-Site`, sent by all current browsers. Pages cannot set it. */
  site: string | null
  origin: string | null
  host: string | null
}

/**
 * Returns true if a browser sent the request for a page of another origin, so that its cookie does not prove the
 * user's intent. Follows Go 1.25's `http.CrossOriginProtection`, in the same order.
 *
 * @param trusted allowed origins, such as `https://shop.example`
 */
export function isCrossOrigin(request: RequestOrigin, trusted: readonly string[]): boolean {
  const { method, site, origin, host } = request
  if (SAFE_METHODS.has(method)) return false
  if (origin !== null && trusted.includes(origin)) return false
  if (site !== null && site !== '') return site !== 'same-origin' && site !== 'none'
  // Without both headers, it does not come from a browser, so no cookie was sent automatically.
  if (origin === null || origin === '') return false
  return hostOf(origin) !== host
}

/**
 * Returns true if the request may come from a page of this service. Stricter than `isCrossOrigin`: it also covers
 * reads and trusts no other origin. A request without an origin passes, because browsers omit it over plain HTTP in a
 * local network.
 *
 * @param publicUrl URL that clients use; a proxy may have changed the host
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
