import { transportSecurity } from '../endpoint/headers.ts'
import type { Pipeline } from '../endpoint/pipeline.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../endpoint/static-file.ts'
import { loadFavicon } from '../pages/dashboard.ts'

/** Files that clients expect at fixed paths of every site. */
export function siteFileRoutes(pipeline: Pipeline, publicUrl: string): void {
  const headers = {
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=86400',
    ...transportSecurity(publicUrl),
  }
  const robots = createStaticFile('text/plain; charset=utf-8', new TextEncoder().encode(ROBOTS))
  let icon: Promise<StaticFile> | undefined

  pipeline.mountPage('/robots.txt', (request) => sendStaticFile(request, robots, headers))
  pipeline.mountPage('/favicon.ico', async (request) => {
    icon ??= loadFavicon()
    return sendStaticFile(request, await icon, headers)
  })
}

/** Crawlers would use up the requests that visitors of the dashboard share, and the image host. */
const ROBOTS = `User-agent: *
Disallow: /v1/
Disallow: /pictures/
Disallow: /checkout/
Disallow: /mcp
`
