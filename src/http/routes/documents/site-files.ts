import { createHash } from 'node:crypto'
import type { Deps } from '#deps.ts'
import workerScript from '../../../web/service-worker.js' with { type: 'text' }
import { transportSecurity } from '../../endpoint/headers.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../../endpoint/static-file.ts'
import { renderDocument } from '../../pages/document-page.ts'
import { html } from '../../pages/html.ts'
import { ICON_NAMES, type IconName, loadIcon, MANIFEST } from '../../pages/icons.ts'
import { contentPolicy } from '../../pages/page-head.ts'
import { ASSETS, listAssets, loadWebFiles } from '../../pages/web-files.ts'
import type { Server } from '../../server.ts'

/** Files that clients expect at fixed paths of every site. */
export function siteFileRoutes({ pipeline }: Server, { config }: Pick<Deps, 'config'>): void {
  const { publicUrl } = config
  const safe = { 'x-content-type-options': 'nosniff', ...transportSecurity(publicUrl) }
  const daily = { ...safe, 'cache-control': 'public, max-age=86400' }
  const current = { ...safe, 'cache-control': 'no-cache' }

  /** Serves a file that is created by its first request. */
  function mount(
    path: string,
    headers: Readonly<Record<string, string>>,
    create: () => StaticFile | Promise<StaticFile>,
  ): void {
    let file: StaticFile | undefined
    pipeline.mountPage(path, async (request) => {
      file ??= await create()
      return sendStaticFile(request, file, headers)
    })
  }

  const mountIcon = (path: string, name: IconName) => mount(path, daily, () => loadIcon(name))
  mountIcon('/favicon.ico', 'favicon.ico')
  mountIcon('/apple-touch-icon.png', 'apple-touch-icon.png')
  for (const name of ICON_NAMES) mountIcon(`/icons/${name}`, name)
  mount('/manifest.webmanifest', daily, () =>
    createStaticFile('application/manifest+json', JSON.stringify(MANIFEST)),
  )
  const open = createStaticFile('text/plain; charset=utf-8', OPEN)
  const closed = createStaticFile('text/plain; charset=utf-8', CLOSED)
  pipeline.mountPage('/robots.txt', (request) =>
    // The operator can change it.
    sendStaticFile(request, config.visitors === undefined ? closed : open, daily),
  )

  // A browser with an old worker would keep old files.
  mount('/sw.js', { ...current, 'content-security-policy': WORKER_POLICY }, async () =>
    createStaticFile('text/javascript; charset=utf-8', await renderServiceWorker()),
  )
  mount(OFFLINE_PATH, { ...current, 'content-security-policy': contentPolicy() }, async () =>
    createStaticFile('text/html; charset=utf-8', await renderOfflinePage()),
  )
}

/** The worker may request the files of this server, and nothing else. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'"

/**
 * Crawlers would use up the shared requests of visitors and strain the image host. Crawlers that render link previews
 * need one picture per link.
 */
const OPEN = `User-agent: *
Disallow: /v1/
Disallow: /pictures/
Disallow: /checkout/
Disallow: /mcp

User-agent: facebookexternalhit
User-agent: LinkedInBot
User-agent: Twitterbot
Disallow: /v1/
Disallow: /checkout/
Disallow: /mcp
`

/** For servers without visitors. */
const CLOSED = `User-agent: *
Disallow: /
`

const OFFLINE_PATH = '/offline'

/** Renders the page that browsers show without a connection. */
function renderOfflinePage(): Promise<string> {
  return renderDocument({
    title: 'You are offline',
    isHidden: true,
    main: html`<div class="column"><section class="panel">
<h1>You are offline</h1>
<p>Cardstock shows only current prices, so it needs a connection. This page reloads when you are online again.</p>
<p><button type="button" class="button main" data-offline>Try again</button></p>
</section></div>`,
  })
}

/** Renders the service worker. It changes with every file that it caches, so that browsers replace it. */
async function renderServiceWorker(): Promise<string> {
  const { app, frame } = await loadWebFiles()
  const files = [...new Set([app, frame].flatMap(listAssets))]
  const offlinePage = await renderOfflinePage()
  const content = JSON.stringify([files, offlinePage, workerScript])
  const version = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return `const CACHE = 'cardstock-${version}'
const FILES = ${JSON.stringify(files)}
const ASSETS = '${ASSETS}'
const OFFLINE = '${OFFLINE_PATH}'
${workerScript}`
}
