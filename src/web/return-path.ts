/**
 * Where a page may lead back to: a place of this server, or undefined for any other text.
 *
 * @param text what the address says, so anything at all
 * @param origin of this server
 */
export function localPath(text: string | null, origin: string): string | undefined {
  if (text === null || !text.startsWith('/') || !URL.canParse(text, origin)) return undefined
  const url = new URL(text, origin)
  // A browser reads two slashes as another server, and `/.//` becomes them.
  if (url.origin !== origin || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}

/** Whether the server itself writes the page at a path: the dashboard has none of that address. */
export function isServerPage(path: string): boolean {
  return /^\/(billing|checkout|docs)\b/.test(path)
}
