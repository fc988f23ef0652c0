import type { Elysia } from 'elysia'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Drain } from './endpoint/drain.ts'
import { errorResponse } from './endpoint/envelope.ts'
import { addCors } from './endpoint/headers.ts'
import { NOT_FOUND_MESSAGE } from './endpoint/request-target.ts'
import { accountDataRoutes } from './routes/accounts/account-data.ts'
import { authRoutes } from './routes/accounts/auth.ts'
import { keyRoutes } from './routes/accounts/keys.ts'
import { loginProviderRoutes } from './routes/accounts/login-provider.ts'
import { mailedLinkRoutes } from './routes/accounts/mailed-links.ts'
import { sessionRoutes } from './routes/accounts/sessions.ts'
import { channelLinkRoutes } from './routes/alerts/channel-links.ts'
import { channelRoutes } from './routes/alerts/channels.ts'
import { deliveryRoutes } from './routes/alerts/deliveries.ts'
import { notificationRoutes } from './routes/alerts/notifications.ts'
import { priceAlertRoutes } from './routes/alerts/price-alerts.ts'
import { webhookRoutes } from './routes/alerts/webhooks.ts'
import { checkoutPages } from './routes/billing/checkout-pages.ts'
import { paymentRoutes } from './routes/billing/payments.ts'
import { stripeEventRoutes } from './routes/billing/stripe-events.ts'
import { cardRoutes } from './routes/catalog/cards.ts'
import { gameRoutes } from './routes/catalog/games.ts'
import { metaRoutes } from './routes/catalog/meta.ts'
import { migrationRoutes } from './routes/catalog/migrations.ts'
import { cardPictureRoutes, pictureRoutes } from './routes/catalog/pictures.ts'
import { setRoutes } from './routes/catalog/sets.ts'
import { collectionFileRoutes } from './routes/collections/collection-files.ts'
import { collectionItemRoutes } from './routes/collections/collection-items.ts'
import { collectionValueRoutes } from './routes/collections/collection-values.ts'
import { collectionRoutes } from './routes/collections/collections.ts'
import { importRoutes } from './routes/collections/imports.ts'
import { ownedCopyRoutes } from './routes/collections/owned-copies.ts'
import { dashboardRoutes } from './routes/documents/dashboard.ts'
import { docsRoutes } from './routes/documents/docs.ts'
import { guideRoutes } from './routes/documents/guides.ts'
import { llmsRoutes } from './routes/documents/llms.ts'
import { siteFileRoutes } from './routes/documents/site-files.ts'
import { resolveRoutes } from './routes/matching/resolve.ts'
import { healthRoutes } from './routes/operations/health.ts'
import { historyImportRoutes } from './routes/operations/history-import.ts'
import { mcpRoutes } from './routes/operations/mcp.ts'
import { operatorRoutes } from './routes/operations/operator.ts'
import { identifyRoutes } from './routes/photos/identify.ts'
import { referenceRoutes } from './routes/photos/references.ts'
import { scanSessionItemRoutes } from './routes/photos/scan-session-items.ts'
import { scanSessionPhotoRoutes } from './routes/photos/scan-session-photos.ts'
import { scanSessionResultRoutes } from './routes/photos/scan-session-results.ts'
import { scanSessionRoutes } from './routes/photos/scan-sessions.ts'
import { bulkRoutes } from './routes/pricing/bulk.ts'
import { bulkDataRoutes } from './routes/pricing/bulk-data.ts'
import { moverRoutes } from './routes/pricing/movers.ts'
import { searchRoutes } from './routes/search/search.ts'
import { x402Routes } from './routes/x402/x402.ts'
import { createServer, type Server } from './server.ts'

/** The HTTP service. */
export type HttpApp = {
  app: Elysia
  /** Shuts down the service: /readyz answers 503 first, so that the load balancer sends no more requests. */
  drain: Drain
  /** Fields and bodies of the endpoints, by their names. */
  declared: Server['declared']
  /** Writes the usage since the last flush to the ledger. */
  flush(): Promise<void>
  /** Returns unspent quota; call it after the last request. */
  close(): Promise<void>
}

/** Creates the HTTP service with all routes. */
export function createApp(deps: Deps): HttpApp {
  const server = createServer(deps)
  const { app, drain, declared, usage, charger, payments } = server
  serveUnknownPaths(server)
  app.use(server.document.plugin)
  for (const mountRoutes of ROUTES) mountRoutes(server, deps)
  server.pipeline.mountOtherMethods()
  return {
    app,
    drain,
    declared,
    flush: () => usage.flush(),
    async close() {
      await usage.flush()
      await charger.close()
      await payments.close()
    },
  }
}

/** Routes in the order of the API document. The MCP server comes after the endpoints used by its tools. */
const ROUTES: readonly ((server: Server, deps: Deps) => void)[] = [
  docsRoutes,
  dashboardRoutes,
  siteFileRoutes,
  llmsRoutes,
  guideRoutes,
  gameRoutes,
  setRoutes,
  cardRoutes,
  searchRoutes,
  moverRoutes,
  migrationRoutes,
  bulkRoutes,
  resolveRoutes,
  bulkDataRoutes,
  metaRoutes,
  x402Routes,
  pictureRoutes,
  cardPictureRoutes,
  authRoutes,
  sessionRoutes,
  accountDataRoutes,
  mailedLinkRoutes,
  loginProviderRoutes,
  keyRoutes,
  paymentRoutes,
  collectionRoutes,
  collectionItemRoutes,
  ownedCopyRoutes,
  collectionFileRoutes,
  importRoutes,
  collectionValueRoutes,
  priceAlertRoutes,
  notificationRoutes,
  channelRoutes,
  channelLinkRoutes,
  webhookRoutes,
  deliveryRoutes,
  operatorRoutes,
  historyImportRoutes,
  stripeEventRoutes,
  checkoutPages,
  identifyRoutes,
  referenceRoutes,
  scanSessionRoutes,
  scanSessionPhotoRoutes,
  scanSessionItemRoutes,
  scanSessionResultRoutes,
  mcpRoutes,
  healthRoutes,
]

/** Responds to requests that reach no route: unknown paths, or paths that cannot be decoded. */
function serveUnknownPaths(server: Server): void {
  const { app, checkTarget, createRequestId, renderNotFound, translateFailure, headers } = server

  function refuse(thrown: unknown, request: Request, id: string): Response {
    const own = headers.plain('noStore')
    own.set('x-request-id', id)
    addCors(own, request.headers.get('origin'), 'public', [])
    return errorResponse(translateFailure(id, thrown), undefined, own)
  }

  // Elysia prepares those members of the context that a handler names. For the whole context, it would parse cookies
  // and copy headers on each request.
  app.onError(({ code, error, request }) => {
    const isUnknown = code === 'NOT_FOUND'
    const cause = isUnknown ? (checkTarget(request) ?? UNKNOWN_PATH) : error
    const id = createRequestId()
    const page = isUnknown ? renderNotFound(request, id) : undefined
    return page ?? refuse(cause, request, id)
  })
}

const UNKNOWN_PATH = new ServiceError('NOT_FOUND', NOT_FOUND_MESSAGE)
