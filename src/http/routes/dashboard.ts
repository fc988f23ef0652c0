import type { Elysia } from 'elysia'
import { ServiceError } from '#rules/primitives/errors.ts'
import { transportSecurity } from '../endpoint/headers.ts'
import { withoutBody } from '../endpoint/key-endpoints.ts'
import type { MetricsRegistry } from '../metrics/registry.ts'
import { ASSETS, type DashboardFile, dashboard } from '../pages/dashboard.ts'

/** The addresses of the dashboard's pages. What is behind them the page itself shows (`src/web/app.tsx`). */
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

/** The dashboard: one page at many addresses, and the files that it loads. */
export function dashboardRoutes(app: Elysia, publicUrl: string, meter: MetricsRegistry): void {
  const safe = { ...SAFE, ...transportSecurity(publicUrl) }
  const count = meter.endpoint('GET dashboard')

  function sent(request: Request, file: DashboardFile, headers: Record<string, string>): Response {
    const started = performance.now()
    const isPacked = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
    const body = isPacked ? file.packed : file.body
    const response = new Response(body, {
      headers: {
        ...safe,
        ...headers,
        ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
        'content-type': file.type,
        vary: 'Accept-Encoding',
      },
    })
    count(200, performance.now() - started)
    return response
  }

  const page = async (request: Request) => sent(request, (await dashboard()).page, PAGE)
  for (const path of PAGES) {
    app.get(path, ({ request }) => page(request), HIDDEN)
    app.head(path, async ({ request }) => withoutBody(await page(request)), HIDDEN)
  }

  const asset = async (request: Request, name: string) => {
    const file = (await dashboard()).files.get(name)
    if (file === undefined) {
      throw new ServiceError('NOT_FOUND', 'This file is of another version. Load the page again.')
    }
    return sent(request, file, ASSET)
  }
  app.get(`${ASSETS}:file`, ({ request, params }) => asset(request, params.file), HIDDEN)
  app.head(
    `${ASSETS}:file`,
    async ({ request, params }) => withoutBody(await asset(request, params.file)),
    HIDDEN,
  )
}

const HIDDEN = { detail: { hide: true } }

const SAFE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const PAGE = {
  // The names of its files change with every version.
  'cache-control': 'no-cache',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
  // Nothing that is written into the page runs, and nothing is loaded from elsewhere. Blobs are the
  // photos that somebody has just chosen.
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
