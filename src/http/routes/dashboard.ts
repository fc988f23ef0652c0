import { ServiceError } from '#rules/primitives/errors.ts'
import { transportSecurity } from '../endpoint/headers.ts'
import type { Pipeline, RespondToPage } from '../endpoint/pipeline.ts'
import { sendStaticFile } from '../endpoint/static-file.ts'
import { ASSETS, loadDashboard } from '../pages/dashboard.ts'

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
  const pageHeaders = { ...safe, ...PAGE }
  const assetHeaders = { ...safe, ...ASSET }
  const mount = (path: string, respond: RespondToPage) =>
    pipeline.mountPage(path, respond, { label: 'GET dashboard' })

  for (const path of PAGES) {
    mount(path, async (request) => {
      return sendStaticFile(request, (await loadDashboard()).page, pageHeaders)
    })
  }

  mount(`${ASSETS}:file`, async (request, { file: name = '' }) => {
    const file = (await loadDashboard()).files.get(name)
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
