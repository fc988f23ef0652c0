import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { transportSecurity } from '../endpoint/headers.ts'
import type { Pipeline, RespondToPage } from '../endpoint/pipeline.ts'
import { createResultCache } from '../endpoint/result-cache.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../endpoint/static-file.ts'
import { createCatalogHeads, createDefaultHead } from '../pages/catalog-heads.ts'
import { contentPolicy, insertHead, type PageHead } from '../pages/page-head.ts'
import { ASSETS, loadWebFiles } from '../pages/web-files.ts'

/** Paths of the dashboard. The page itself decides what to show (`src/web/app.tsx`). */
const PAGES = [
  '/',
  '/search',
  '/movers',
  '/identify',
  '/login',
  '/register',
  '/account',
  '/account/:part',
  '/operator',
  '/status',
]

/** The dashboard: one page at many paths, and its files. */
export function dashboardRoutes(pipeline: Pipeline, deps: Pick<Deps, 'catalog' | 'config'>): void {
  const { publicUrl } = deps.config
  const safe = { ...SAFE, ...transportSecurity(publicUrl) }
  const pageHeaders = { ...safe, ...PAGE }
  const assetHeaders = { ...safe, ...ASSET }
  const defaultHead = createDefaultHead(publicUrl)
  const heads = createCatalogHeads(deps)
  const pages = createResultCache<Promise<StaticFile>>(deps.catalog.publication)
  const mount = (path: string, respond: RespondToPage) =>
    pipeline.mountPage(path, respond, { label: 'GET dashboard' })

  async function render(head: PageHead | undefined): Promise<StaticFile> {
    const { app } = await loadWebFiles()
    return createStaticFile('text/html;charset=utf-8', insertHead(app, head ?? defaultHead))
  }

  for (const path of PAGES) {
    mount(path, async (request) => {
      const page = await pages.get('', () => render(defaultHead))
      return sendStaticFile(request, page, pageHeaders)
    })
  }

  /** A page whose links have a preview of their own. */
  function mountDescribed(path: string, describe: (id: string) => PageHead | undefined): void {
    mount(path, async (request, { id = '' }) => {
      const page = await pages.get(`${path} ${id}`, () => render(describe(id)))
      return sendStaticFile(request, page, pageHeaders)
    })
  }
  mountDescribed('/games/:id', heads.game)
  mountDescribed('/sets/:id', heads.set)
  mountDescribed('/cards/:id', heads.card)

  mount(`${ASSETS}:file`, async (request, { file: name = '' }) => {
    const file = (await loadWebFiles()).files.get(name)
    if (file === undefined) {
      throw new ServiceError('NOT_FOUND', 'This file belongs to another version. Reload the page.')
    }
    return sendStaticFile(request, file, assetHeaders)
  })
}

const SAFE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const PAGE = {
  // It names files that change with every version.
  'cache-control': 'no-cache',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
  // Blobs are photos that the user has chosen.
  'content-security-policy': contentPolicy({
    'img-src': "'self' data: blob:",
    'connect-src': "'self'",
    'media-src': "'self' blob:",
  }),
}

const ASSET = { 'cache-control': 'public, max-age=31536000, immutable' }
