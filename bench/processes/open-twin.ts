// The prices of a card as Cardstock answers them, but to anyone (`/open`), and to keys that are not
// counted (`/uncounted`): what is left when key and quota are taken away is what they cost.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { createPageAuthorizer } from '#actions/accounts/authorize-page-request.ts'
import { createQuotaCharger } from '#actions/accounts/charge-quota.ts'
import { createUsageCounter } from '#actions/accounts/record-usage.ts'
import { readConfig } from '#config.ts'
import { openDeps } from '#deps.ts'
import { createAuthenticators } from '#http/endpoint/authenticators.ts'
import { createEndpoints } from '#http/endpoint/create-endpoints.ts'
import { createDrain } from '#http/endpoint/drain.ts'
import { createFailureTranslator, jsonText } from '#http/endpoint/envelope.ts'
import { createResponseHeaders } from '#http/endpoint/headers.ts'
import { createPaymentOffer } from '#http/endpoint/payment-offer.ts'
import { createPipeline } from '#http/endpoint/pipeline.ts'
import { createPrincipalQuota } from '#http/endpoint/quota.ts'
import { createRequestIds } from '#http/endpoint/request-id.ts'
import { createTargetCheck } from '#http/endpoint/request-target.ts'
import { createResponses } from '#http/endpoint/responses.ts'
import { createSessionGate } from '#http/endpoint/session-gate.ts'
import { createUploadMemory } from '#http/endpoint/upload-memory.ts'
import { ID, PRINTING } from '#http/input/fields.ts'
import { createMetricsRegistry } from '#http/metrics/registry.ts'
import { createApiDocument } from '#http/openapi/document.ts'
import { cardVolume } from '#rules/accounts/visitors.ts'
import { cardNotFound } from '#rules/primitives/errors.ts'
import { createStorageHealth } from '#store/memory/storage-health.ts'

const deps = await openDeps(readConfig())
// Options of the app.
const app = new Elysia({ nativeStaticResponse: false, strictPath: true })
const uncounted = {
  charge: () => ({ isAllowed: true, quota: undefined }),
  refund: () => undefined,
  get: async () => undefined,
}
const metrics = createMetricsRegistry()
const quota = createPrincipalQuota(uncounted)
const responses = createResponses(deps, createResponseHeaders(deps.config.publicUrl))
const clientAddress = () => 'unknown'
const offer = createPaymentOffer(deps)
const translateFailure = createFailureTranslator(deps.log, createStorageHealth())
const pipeline = createPipeline(app, {
  ...{ metrics, createRequestId: createRequestIds(), quota, responses, translateFailure },
  checkTarget: createTargetCheck(() => app.server),
  drain: createDrain(),
  renderNotFound: () => undefined,
  servedCatalog: undefined,
})
const authenticators = createAuthenticators(deps, {
  ...{ quota, clientAddress, gate: createSessionGate(deps), offer },
  authorizePage: createPageAuthorizer(deps, createQuotaCharger(deps)),
})
const endpoints = createEndpoints(app, deps, {
  ...{ pipeline, authenticators, responses, quota, clientAddress, offer },
  document: createApiDocument(deps.config.publicUrl),
  uploads: createUploadMemory(),
  usage: createUsageCounter(deps),
})

const prices = {
  tag: 'Prices' as const,
  summary: 'Current prices of a card',
  params: { id: ID },
  query: { printing: PRINTING },
  returns: 'The prices.',
  reply: Type.Unknown(),
  answer({ params }: { params: { id: number } }) {
    const text = deps.catalog.prices.getByCard(params.id)
    if (text === undefined) throw cardNotFound(params.id)
    // As the real endpoint does for a card with one printing.
    const single = !text.includes('},{"card_id":')
    return { data: jsonText(single ? text.slice(1, -1) : text), volume: cardVolume(params.id, 1) }
  },
}
endpoints.getPublic('/open/cards/:id/prices', { ...prices, id: 'getOpenPrices' })
endpoints.get('/uncounted/cards/:id/prices', 'catalog', { ...prices, id: 'getUncountedPrices' })
app.get('/healthz', () => 'ok')
app.listen({ hostname: deps.config.host, port: deps.config.port })
