import { Elysia } from 'elysia'
import { createPageAuthorizer } from '#actions/accounts/authorize-page-request.ts'
import { createQuotaCharger } from '#actions/accounts/charge-quota.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { createUsageCounter } from '#actions/accounts/record-usage.ts'
import { createPhotoPaymentHandler } from '#actions/x402/pay-for-photo.ts'
import type { Deps } from '#deps.ts'
import { dailyRequests } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { createStorageHealth } from '#store/memory/storage-health.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { createAuthenticators } from './endpoint/authenticators.ts'
import { createClientAddressReader } from './endpoint/client-address.ts'
import { createEndpoints } from './endpoint/create-endpoints.ts'
import { createDrain, type Drain } from './endpoint/drain.ts'
import {
  createFailureTranslator,
  errorResponse,
  type FailureTranslator,
} from './endpoint/envelope.ts'
import { addCors, createResponseHeaders, type ResponseHeaders } from './endpoint/headers.ts'
import { createPaymentOffer } from './endpoint/payment-offer.ts'
import { createPipeline } from './endpoint/pipeline.ts'
import { createPrincipalQuota } from './endpoint/quota.ts'
import { createRequestIds } from './endpoint/request-id.ts'
import { createTargetCheck, NOT_FOUND_MESSAGE } from './endpoint/request-target.ts'
import { createResponses } from './endpoint/responses.ts'
import { createSessionGate } from './endpoint/session-gate.ts'
import { createUploadMemory } from './endpoint/upload-memory.ts'
import { createPhotoMetrics } from './metrics/photos.ts'
import { createMetricsRegistry } from './metrics/registry.ts'
import { createApiDocument } from './openapi/document.ts'
import { createNotFoundPage } from './pages/not-found-page.ts'
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
import { cardPictureRoutes } from './routes/catalog/card-pictures.ts'
import { cardRoutes } from './routes/catalog/cards.ts'
import { gameRoutes } from './routes/catalog/games.ts'
import { metaRoutes } from './routes/catalog/meta.ts'
import { migrationRoutes } from './routes/catalog/migrations.ts'
import { pictureRoutes } from './routes/catalog/pictures.ts'
import { setRoutes } from './routes/catalog/sets.ts'
import { collectionFileRoutes } from './routes/collections/collection-files.ts'
import { collectionItemRoutes } from './routes/collections/collection-items.ts'
import { collectionValueRoutes } from './routes/collections/collection-values.ts'
import { collectionRoutes } from './routes/collections/collections.ts'
import { dashboardRoutes } from './routes/documents/dashboard.ts'
import { docsRoutes } from './routes/documents/docs.ts'
import { guideRoutes } from './routes/documents/guides.ts'
import { llmsRoutes } from './routes/documents/llms.ts'
import { siteFileRoutes } from './routes/documents/site-files.ts'
import { resolveRoutes } from './routes/matching/resolve.ts'
import { healthRoutes } from './routes/operations/health.ts'
import { mcpRoutes } from './routes/operations/mcp.ts'
import { operatorRoutes } from './routes/operations/operator.ts'
import { identifyRoutes } from './routes/photos/identify.ts'
import { scanSessionItemRoutes } from './routes/photos/scan-session-items.ts'
import { scanSessionPhotoRoutes } from './routes/photos/scan-session-photos.ts'
import { scanSessionResultRoutes } from './routes/photos/scan-session-results.ts'
import { scanSessionRoutes } from './routes/photos/scan-sessions.ts'
import { bulkRoutes } from './routes/pricing/bulk.ts'
import { bulkDataRoutes } from './routes/pricing/bulk-data.ts'
import { moverRoutes } from './routes/pricing/movers.ts'
import { searchRoutes } from './routes/search/search.ts'
import { x402Routes } from './routes/x402/x402.ts'

/** The HTTP service. */
export type HttpApp = {
  app: Elysia
  /** Ends the service: /readyz answers 503 first, so that the load balancer sends no more requests. */
  drain: Drain
  /** Writes the usage since the last flush to the ledger. */
  flush(): Promise<void>
  /** Gives unspent quota back; call it after the last request. */
  close(): Promise<void>
}

export function createApp(deps: Deps): HttpApp {
  // The documentation page of the swagger plugin loads a CDN. As a native static response it would precede
  // the page of routes/docs.ts.
  const app = new Elysia({ nativeStaticResponse: false, strictPath: true })
  const { publicUrl, trustedProxies } = deps.config
  const metrics = createMetricsRegistry()
  const createRequestId = createRequestIds()
  const headers = createResponseHeaders(publicUrl)
  const checkTarget = createTargetCheck(() => app.server)
  const storage = createStorageHealth()
  const translateFailure = createFailureTranslator(deps.log, storage)
  const drain = createDrain()
  const renderNotFound = createNotFoundPage(headers)

  // Elysia prepares what a handler names of its context: given all of it, it would parse cookies and copy
  // headers for each request.
  app.onError(({ code, error, request }) => {
    const isUnknown = code === 'NOT_FOUND'
    const cause = isUnknown ? (checkTarget(request) ?? UNKNOWN_PATH) : error
    const id = createRequestId()
    const page = isUnknown ? renderNotFound(request, id) : undefined
    return page ?? refuse(translateFailure, headers, id, { error: cause, request })
  })
  const document = createApiDocument(publicUrl)
  app.use(document.plugin)

  const charger = createQuotaCharger(deps, (tier) => dailyRequests(tier, deps.config.hasLimits))
  const usage = createUsageCounter(deps)
  const clientAddress = createClientAddressReader(() => app.server, trustedProxies)
  const quota = createPrincipalQuota(charger)
  const responses = createResponses(deps, headers)
  const gate = createSessionGate(deps)
  const offer = createPaymentOffer(deps)
  const pipeline = createPipeline(app, {
    ...{ metrics, createRequestId, checkTarget, quota, responses, translateFailure, drain },
    renderNotFound,
    servedCatalog: deps.servedCatalog,
  })
  const authorizePage = createPageAuthorizer(deps, charger)
  const authenticators = createAuthenticators(deps, {
    ...{ quota, authorizePage, clientAddress, gate, offer },
  })
  const uploads = createUploadMemory()
  const endpoints = createEndpoints(app, deps, {
    ...{ document, pipeline, authenticators, responses, quota, usage },
    ...{ clientAddress, offer, uploads },
  })

  docsRoutes(pipeline, document, publicUrl)
  dashboardRoutes(pipeline, deps)
  siteFileRoutes(pipeline, deps.config)
  llmsRoutes(pipeline, app, publicUrl)
  guideRoutes(pipeline, publicUrl)
  gameRoutes(endpoints, deps)
  setRoutes(endpoints, deps)
  cardRoutes(endpoints, deps)
  searchRoutes(endpoints, deps)
  moverRoutes(endpoints, deps)
  migrationRoutes(endpoints, deps)
  bulkRoutes(endpoints, deps)
  resolveRoutes(endpoints, deps)
  bulkDataRoutes(endpoints, deps)
  metaRoutes(endpoints, deps)
  x402Routes(endpoints, deps)
  pictureRoutes(pipeline, deps)
  cardPictureRoutes(pipeline, deps, { metrics, headers, clientAddress })
  const passwords = createPasswordHasher()
  authRoutes(endpoints, deps, passwords)
  sessionRoutes(endpoints, deps)
  accountDataRoutes(endpoints, deps, passwords)
  mailedLinkRoutes(endpoints, deps, passwords)
  loginProviderRoutes(endpoints, pipeline, deps, { gate, clientAddress })
  keyRoutes(endpoints, deps, usage)
  paymentRoutes(endpoints, deps)
  collectionRoutes(endpoints, deps)
  collectionItemRoutes(endpoints, deps)
  collectionFileRoutes(endpoints, deps)
  collectionValueRoutes(endpoints, deps)
  priceAlertRoutes(endpoints, deps)
  notificationRoutes(endpoints, deps)
  channelRoutes(endpoints, deps)
  channelLinkRoutes(endpoints, deps)
  webhookRoutes(endpoints, deps)
  deliveryRoutes(endpoints, deps)
  operatorRoutes(endpoints, deps, metrics)
  stripeEventRoutes(pipeline, deps, { metrics, responses, uploads, clientAddress })
  checkoutPages(pipeline, deps, { headers, gate })
  const payments = createPhotoPaymentHandler(deps)
  const photoMetrics = createPhotoMetrics(metrics)
  identifyRoutes(endpoints, deps, metrics, photoMetrics, payments)
  scanSessionRoutes(endpoints, deps)
  scanSessionPhotoRoutes(endpoints, deps, photoMetrics)
  scanSessionItemRoutes(endpoints, deps)
  scanSessionResultRoutes(endpoints, deps)
  mcpRoutes(pipeline, deps, {
    ...{ app, version: packageJson.version, endpoints, authenticators, responses, quota, uploads },
    ...{ clientAddress, translateFailure, metrics },
  })
  healthRoutes(pipeline, deps, { metrics, headers, storage, drain })
  pipeline.mountOtherMethods()

  return {
    app,
    drain,
    flush: () => usage.flush(),
    async close() {
      await usage.flush()
      await charger.close()
      await payments.close()
    },
  }
}

const UNKNOWN_PATH = new ServiceError('NOT_FOUND', NOT_FOUND_MESSAGE)

/** Answers what fails before a route is reached: an unknown path, or one that cannot be decoded. */
function refuse(
  translateFailure: FailureTranslator,
  templates: ResponseHeaders,
  requestId: string,
  { error: thrown, request }: { error: unknown; request: Request },
): Response {
  const error = translateFailure(requestId, thrown)
  const headers = templates.plain('noStore')
  headers.set('x-request-id', requestId)
  addCors(headers, request.headers.get('origin'), 'public', [])
  return errorResponse(error, undefined, headers)
}
