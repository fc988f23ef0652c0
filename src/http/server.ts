import { Elysia } from 'elysia'
import { createPageAuthorizer } from '#actions/accounts/authorize-page-request.ts'
import { createQuotaCharger, type QuotaCharger } from '#actions/accounts/charge-quota.ts'
import { createLinkQueue, type LinkQueue } from '#actions/accounts/mail-links.ts'
import { createPasswordHasher, type PasswordHasher } from '#actions/accounts/passwords.ts'
import { createUsageCounter, type UsageCounter } from '#actions/accounts/record-usage.ts'
import { createPhotoPaymentHandler, type PhotoPaymentHandler } from '#actions/x402/pay-for-photo.ts'
import type { Deps } from '#deps.ts'
import type { VerdictStatus } from '#rules/photos/verdict.ts'
import type { ServiceError } from '#rules/primitives/errors.ts'
import { createStorageHealth, type StorageHealth } from '#store/memory/storage-health.ts'
import { type Authenticators, createAuthenticators } from './endpoint/authenticators.ts'
import { createClientAddressReader } from './endpoint/client-address.ts'
import { createEndpoint, type DeclaredInput } from './endpoint/create-endpoint.ts'
import type { Endpoint } from './endpoint/declaration.ts'
import { createDrain, type Drain } from './endpoint/drain.ts'
import { createFailureTranslator, type FailureTranslator } from './endpoint/envelope.ts'
import { createResponseHeaders, type ResponseHeaders } from './endpoint/headers.ts'
import { createPaymentOffer } from './endpoint/payment-offer.ts'
import { createPipeline, type Pipeline } from './endpoint/pipeline.ts'
import { createPrincipalQuota, type PrincipalQuota, type QuotaSource } from './endpoint/quota.ts'
import { createTargetCheck } from './endpoint/request-target.ts'
import { createResponses, type Responses } from './endpoint/responses.ts'
import { createSessionGate, type SessionGate } from './endpoint/session-gate.ts'
import {
  createUploadMemory,
  STORED_UPLOAD_LIMITS,
  type UploadMemory,
} from './endpoint/upload-memory.ts'
import { createMetricsRegistry, type MetricsRegistry } from './metrics/registry.ts'
import { type ApiDocument, createApiDocument } from './openapi/document.ts'
import { createNotFoundPage } from './pages/private-page.ts'

/** Parts of the HTTP service that routes use. */
export type Server = {
  app: Elysia
  /** Declares an endpoint of the API. */
  endpoint: Endpoint
  /** Mounts pages, files and everything else that is not an endpoint. */
  pipeline: Pipeline
  /** Fields of all endpoints, by their names. */
  declared: ReadonlyMap<string, DeclaredInput>
  document: ApiDocument
  authenticators: Authenticators
  gate: SessionGate
  quota: PrincipalQuota
  charger: QuotaCharger
  usage: UsageCounter
  passwords: PasswordHasher
  /** Mails with links to accounts. */
  linkMails: LinkQueue
  payments: PhotoPaymentHandler
  responses: Responses
  headers: ResponseHeaders
  uploads: UploadMemory
  clientAddress: (request: Request) => string
  createRequestId: () => string
  /** Returns the error for a request that does not match a route exactly. */
  checkTarget: (request: Request) => ServiceError | undefined
  translateFailure: FailureTranslator
  renderNotFound: ReturnType<typeof createNotFoundPage>
  metrics: MetricsRegistry
  photoMetrics: PhotoMetrics
  storage: StorageHealth
  drain: Drain
}

/**
 * Creates the parts of the HTTP service, without routes.
 *
 * @param accounts charges the quota of accounts, if not the ledger
 */
export function createServer(deps: Deps, accounts?: QuotaSource): Server {
  // The documentation page of the swagger plugin loads a CDN. As a native static response, it would take precedence
  // over the page of routes/docs.ts.
  const app = new Elysia({ nativeStaticResponse: false, strictPath: true })
  const { publicUrl, trustedProxies } = deps.config
  const storage = createStorageHealth()
  const headers = createResponseHeaders(publicUrl)
  const metrics = createMetricsRegistry()
  const charger = createQuotaCharger(deps)
  const base = {
    app,
    storage,
    headers,
    metrics,
    charger,
    photoMetrics: createPhotoMetrics(metrics),
    document: createApiDocument(publicUrl),
    quota: createPrincipalQuota(accounts ?? charger),
    usage: createUsageCounter(deps),
    passwords: createPasswordHasher(),
    linkMails: createLinkQueue(),
    payments: createPhotoPaymentHandler(deps),
    offer: createPaymentOffer(deps),
    gate: createSessionGate(deps),
    responses: createResponses(deps, headers),
    uploads: createUploadMemory(),
    storedUploads: createUploadMemory(STORED_UPLOAD_LIMITS),
    authorizePage: createPageAuthorizer(deps, charger),
    clientAddress: createClientAddressReader(() => app.server, trustedProxies),
    checkTarget: createTargetCheck(() => app.server),
    createRequestId: createRequestIds(),
    translateFailure: createFailureTranslator(deps.log, storage),
    renderNotFound: createNotFoundPage(headers),
    drain: createDrain(),
    servedCatalog: deps.servedCatalog,
    declared: new Map<string, DeclaredInput>(),
  }
  const authenticators = createAuthenticators(deps, base)
  const pipeline = createPipeline(base)
  const endpoint = createEndpoint(deps, { ...base, authenticators, pipeline })
  return { ...base, authenticators, pipeline, endpoint }
}

/** Creates request IDs that are unique across processes: a random prefix and a counter. */
function createRequestIds(): () => string {
  const prefix = crypto.randomUUID().slice(0, 13)
  let count = 0
  return () => `${prefix}-${(count++).toString(36)}`
}

/** Metrics of read photos, for all endpoints that read them. */
type PhotoMetrics = {
  /** Counts a card. */
  countStatus(status: VerdictStatus): void
  /** Records the time of a photo of one card. */
  recordSeconds(seconds: number): void
}

function createPhotoMetrics(metrics: MetricsRegistry): PhotoMetrics {
  return {
    countStatus: metrics.counter(
      'cardstock_identifications_total',
      'Identifications by status.',
      'status',
    ),
    recordSeconds: metrics.histogram(
      'cardstock_identification_seconds',
      'Time from the received photo to its response, including the wait for a worker.',
      [0.1, 0.2, 0.35, 0.5, 1, 2, 5, 10, 20, 30],
    ),
  }
}
