import { ServiceError } from '#rules/primitives/errors.ts'
import { transportSecurity } from '../endpoint/headers.ts'
import type { Pipeline, RespondToPage } from '../endpoint/pipeline.ts'
import { ASSETS, type DashboardFile, loadDashboard } from '../pages/dashboard.ts'

/** Paths of the dashboard. The page itself decides what to show (`src/web/app.tsx`). */
const PAGES = [
  '/',
  '/games/:slug',
  '/sets/:id',
  '/cards/:id',
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
export function dashboardRoutes(pipeline: Pipeline, publicUrl: string): void {
  const safe = { ...SAFE, ...transportSecurity(publicUrl) }
  const mount = (path: string, respond: RespondToPage) =>
    pipeline.mountPage(path, respond, { label: 'GET dashboard' })

  function send(request: Request, file: DashboardFile, headers: Record<string, string>): Response {
    const isGzipped = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
    return new Response(isGzipped ? file.gzipped : file.body, {
      headers: {
        ...safe,
        ...headers,
        ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
        'content-type': file.type,
        vary: 'Accept-Encoding',
      },
    })
  }

  for (const path of PAGES) {
    mount(path, async (request) => send(request, (await loadDashboard()).page, PAGE))
  }

  mount(`${ASSETS}:file`, async (request, { file: name = '' }) => {
    const file = (await loadDashboard()).files.get(name)
    if (file === undefined) {
      throw new ServiceError('NOT_FOUND', 'This file belongs to another version. Reload the page.')
    }
    return send(request, file, ASSET)
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
  // No inline scripts, and nothing from other origins. Blobs are photos that the user has chosen.
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

const ASSET = { 'cache-control': 'public, max-age=31536000, immutable' }
