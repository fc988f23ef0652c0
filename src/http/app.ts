import { Elysia } from 'elysia'
import { createPageAuthorizer } from '#actions/accounts/authorize-page-request.ts'
import { createQuotaCharger } from '#actions/accounts/charge-quota.ts'
import { createUsageCounter } from '#actions/accounts/record-usage.ts'
import { createPhotoPaymentHandler } from '#actions/x402/pay-for-photo.ts'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { createClientAddressReader } from './endpoint/client-address.ts'
import { errorResponse, toPublicError } from './endpoint/envelope.ts'
import { createResponseHeaders, type ResponseHeaders, setCors } from './endpoint/headers.ts'
import { createIdentifyEndpoints } from './endpoint/identify-endpoints.ts'
import { createKeyEndpoints } from './endpoint/key-endpoints.ts'
import { openapiDocument } from './endpoint/openapi.ts'
import { createRequestIds } from './endpoint/request-id.ts'
import { createSessionEndpoints } from './endpoint/session-endpoints.ts'
import { createMetricsRegistry } from './metrics/registry.ts'
import { authRoutes } from './routes/auth.ts'
import { bulkRoutes } from './routes/bulk.ts'
import { bulkDataRoutes } from './routes/bulk-data.ts'
import { cardPictureRoutes } from './routes/card-pictures.ts'
import { cardRoutes } from './routes/cards.ts'
import { checkoutPages } from './routes/checkout-pages.ts'
import { dashboardRoutes } from './routes/dashboard.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { docsRoutes } from './routes/docs.ts'
import { gameRoutes } from './routes/games.ts'
import { guideRoutes } from './routes/guides.ts'
import { healthRoutes } from './routes/health.ts'
import { identifyRoutes } from './routes/identify.ts'
import { keyRoutes } from './routes/keys.ts'
import { llmsRoutes } from './routes/llms.ts'
import { metaRoutes } from './routes/meta.ts'
import { moverRoutes } from './routes/movers.ts'
import { operatorRoutes } from './routes/operator.ts'
import { paymentRoutes } from './routes/payments.ts'
import { pictureRoutes } from './routes/pictures.ts'
import { resolveRoutes } from './routes/resolve.ts'
import { searchRoutes } from './routes/search.ts'
import { setRoutes } from './routes/sets.ts'
import { stripeEventRoutes } from './routes/stripe-events.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { x402Routes } from './routes/x402.ts'

/** The whole HTTP surface. */
export function createApp(deps: Deps) {
  // The plugin's own /docs page, which loads a CDN, would be served natively, before ours.
  const app = new Elysia({ nativeStaticResponse: false })
  const { config } = deps
  const meter = createMetricsRegistry()
  const requestId = createRequestIds()
  const headers = createResponseHeaders(config.publicUrl)

  // What a handler names of Elysia's context is what Elysia makes for every request: handed on as a
  // whole, it would parse cookies and copy headers for each.
  app.onError(({ code, error, request }) => {
    return refusal(deps, headers, requestId(), { code, error, request })
  })
  app.use(openapiDocument(packageJson.version, config.publicUrl))
  docsRoutes(app, config.publicUrl)
  dashboardRoutes(app, config.publicUrl, meter)
  llmsRoutes(app, config.publicUrl)
  guideRoutes(app, config.publicUrl)

  const spending = createQuotaCharger(deps)
  const usage = createUsageCounter(deps)
  const clientAddress = createClientAddressReader(() => app.server, config.trustedProxies)
  const admitPage = createPageAuthorizer(deps, spending)
  const shared = { meter, requestId, headers, clientAddress }
  const doors = createKeyEndpoints(app, deps, { ...shared, spending, usage, admitPage })
  gameRoutes(doors, deps)
  setRoutes(doors, deps)
  cardRoutes(doors, deps)
  searchRoutes(doors, deps)
  moverRoutes(doors, deps)
  bulkRoutes(doors, deps)
  resolveRoutes(doors, deps)
  bulkDataRoutes(doors, deps)
  metaRoutes(doors, deps)
  x402Routes(doors, deps)
  pictureRoutes(app)
  cardPictureRoutes(app, deps, { meter, headers, requestId })

  const { get } = spending
  const accounts = createSessionEndpoints(app, deps, { ...shared, look: get })
  authRoutes(accounts, deps)
  keyRoutes(accounts, deps, usage)
  paymentRoutes(accounts, deps)
  webhookRoutes(accounts, deps)
  deliveryRoutes(accounts, deps)
  operatorRoutes(accounts, deps, meter)
  stripeEventRoutes(app, deps, { meter, headers, requestId })
  checkoutPages(app, deps, { meter, headers, requestId })
  const scans = createIdentifyEndpoints(app, deps, { ...shared, look: get })
  const payments = createPhotoPaymentHandler(deps)
  identifyRoutes(scans, deps, meter, payments)
  const health = healthRoutes(app, deps, { meter, headers })

  return {
    app,
    /** Tells the balancer that no new request should come. */
    drain: health.drain,
    /** Writes down what was counted since the last time. */
    flush: () => usage.flush(),
    /** Gives unspent quota back, when the server has drained. */
    async close(): Promise<void> {
      await usage.flush()
      await spending.close()
      await payments.close()
    },
  }
}

/** What is wrong before an endpoint is reached: an unknown address, a path that cannot be decoded. */
function refusal(
  { log }: Deps,
  make: ResponseHeaders,
  requestId: string,
  { code, error: thrown, request }: { code: unknown; error: unknown; request: Request },
): Response {
  const error =
    code === 'NOT_FOUND' && !(thrown instanceof ServiceError)
      ? new ServiceError(
          'NOT_FOUND',
          'There is nothing at this address. /docs lists what there is.',
        )
      : toPublicError(log, requestId, thrown)
  const headers = make.plain('unkept')
  headers.set('x-request-id', requestId)
  if (request.headers.has('origin')) setCors(headers)
  return errorResponse(error, undefined, headers)
}
