import { findSetupStage, type SetupStage } from '#actions/accounts/set-up-operator.ts'
import { listAvailableCurrencies } from '#actions/pricing/describe-sources.ts'
import type { Deps } from '#deps.ts'
import { NATIVE_SOURCES } from '#rules/pricing/price-key.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { transportSecurity } from '../../endpoint/headers.ts'
import type { RespondToPage } from '../../endpoint/pipeline.ts'
import { createResultCache } from '../../endpoint/result-cache.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../../endpoint/static-file.ts'
import { createCatalogHeads, createDefaultHead } from '../../pages/catalog-heads.ts'
import { type Html, html } from '../../pages/html.ts'
import { contentPolicy, insertHead, type PageHead } from '../../pages/page-head.ts'
import { ASSETS, loadWebFiles } from '../../pages/web-files.ts'
import type { Server } from '../../server.ts'

/** Pages with secret links, which search engines must not list if somebody publishes them. */
const LINK_PAGES = ['/shared/:part', '/confirm/:token', '/unsubscribe/:token']

const UNLISTED = { 'x-robots-tag': 'noindex, nofollow' }

/** Paths of the dashboard. The page itself decides what to show (`src/web/app.tsx`). */
const PAGES = [
  '/',
  '/search',
  '/movers',
  '/identify',
  '/identify/:part',
  '/login',
  '/register',
  '/reset-password',
  '/confirm-email',
  '/account',
  '/account/:part',
  '/alerts',
  '/collection',
  '/collection/:part',
  '/import/:part',
  ...LINK_PAGES,
  '/operator',
  '/operator/references',
  '/operator/settings',
  '/setup',
  '/status',
]

/** Pages that are shown before the setup is finished. Other pages redirect to the setup. */
const SETUP_PAGES = ['/setup', '/login']

/** The dashboard: one page at many paths, and its files. */
export function dashboardRoutes(
  { pipeline }: Server,
  deps: Pick<Deps, 'catalog' | 'config' | 'ledger' | 'liveConfig'>,
): void {
  const { config } = deps
  const { publicUrl } = config
  const safe = { ...SAFE, ...transportSecurity(publicUrl) }
  const pageHeaders = { ...safe, ...PAGE }
  const assetHeaders = { ...safe, ...ASSET }
  const defaultHead = createDefaultHead(publicUrl)
  const heads = createCatalogHeads(deps)
  const defaultPages = new Map<string, StaticFile>()
  const described = createResultCache<StaticFile | undefined>(deps.catalog.publication)
  const mount = (path: string, respond: RespondToPage) =>
    pipeline.mountPage(path, respond, { label: 'GET dashboard' })

  /** @param describe returns the head of a page whose links have their own preview */
  function mountView(path: string, describe?: (id: string) => PageHead | undefined): void {
    const headers = LINK_PAGES.includes(path) ? { ...pageHeaders, ...UNLISTED } : pageHeaders
    mount(path, async (request, { id = '' }) => {
      const stage = await findSetupStage(deps)
      if (stage !== 'finished' && !SETUP_PAGES.includes(path)) {
        return new Response(null, { status: 302, headers: { ...pageHeaders, location: '/setup' } })
      }
      const { app } = await loadWebFiles()
      const service = describeService(deps, stage)
      const page =
        describe && config.visitors
          ? findPage(`${service.html} ${path} ${id}`, () => {
              const head = describe(id)
              return head && renderPage(app, head, service)
            })
          : undefined
      return sendStaticFile(request, page ?? getDefaultPage(app, service), headers)
    })
  }

  /** Returns the page without a preview: one for each state of the service. */
  function getDefaultPage(app: string, service: Html): StaticFile {
    const page = defaultPages.get(service.html) ?? renderPage(app, defaultHead, service)
    defaultPages.set(service.html, page)
    return page
  }

  function findPage(key: string, render: () => StaticFile | undefined): StaticFile | undefined {
    try {
      return described.get(key, render)
    } catch {
      // The catalog cannot be read: the page shows the error, and its requests log it.
      return undefined
    }
  }

  for (const path of PAGES) mountView(path)
  mountView('/games/:id', heads.game)
  mountView('/sets/:id', heads.set)
  mountView('/cards/:id', heads.card)

  mount(`${ASSETS}:file`, async (request, { file: name = '' }) => {
    const file = (await loadWebFiles()).files.get(name)
    if (file === undefined) {
      throw new ServiceError('NOT_FOUND', 'This file belongs to another version. Reload the page.')
    }
    return sendStaticFile(request, file, assetHeaders)
  })
}

function renderPage(app: string, head: PageHead, service: Html): StaticFile {
  const page = insertHead(app, { ...head, more: [service] })
  return createStaticFile('text/html;charset=utf-8', page)
}

/**
 * Renders facts about the service that a page needs before its first request (read by `src/web/service-state.ts`).
 */
function describeService(
  { catalog, config }: Pick<Deps, 'catalog' | 'config'>,
  stage: SetupStage,
): Html {
  const { mode, registration, billing } = config
  const { currencies, sources } = listChoices(catalog)
  const words = [mode, registration, stage, billing.provider, ...currencies].join(' ')
  return html`<meta name="cardstock-service" content="${words}" data-sources="${sources.join(' ')}">\n`
}

/**
 * Lists the currencies of a catalog, with their native source besides the mirror as in `EUR:cardmarket`, and the
 * other sources. Empty if the catalog cannot be read; the page then shows the error.
 */
function listChoices(catalog: Deps['catalog']): { currencies: string[]; sources: string[] } {
  try {
    const lists = catalog.sources.prices.listPriceLists()
    const currencies = listAvailableCurrencies({ catalog }).map((code) => {
      const native = NATIVE_SOURCES[code]
      const isListed = lists.some(({ currency, source }) => currency === code && source === native)
      return isListed ? `${code}:${native}` : code
    })
    return { currencies, sources: [...new Set(lists.map(({ source }) => source))] }
  } catch {
    return { currencies: [], sources: [] }
  }
}

const SAFE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const PAGE = {
  // The page names files that change with every version.
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
