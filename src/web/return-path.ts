/**
 * Returns a path of this server to redirect to; undefined for anything else.
 *
 * @param text untrusted
 * @param origin of this server
 */
export function localPath(text: string | null, origin: string): string | undefined {
  if (text === null || !text.startsWith('/') || !URL.canParse(text, origin)) return undefined
  const url = new URL(text, origin)
  // Browsers treat `//` as another host, and `/.//` resolves to it.
  if (url.origin !== origin || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}

/** Returns true for pages that the server renders, outside of the dashboard. */
export function isServerPage(path: string): boolean {
  return /^\/(billing|checkout|docs)\b/.test(path)
}
