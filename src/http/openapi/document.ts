import { swagger } from '@elysiajs/swagger'
import { type DocumentDecoration, Elysia } from 'elysia'
import { TAGS } from '../endpoint/endpoint-spec.ts'
import { transportSecurity } from '../endpoint/headers.ts'
import { renderFailures } from './failures.ts'
import { HEADERS } from './headers.ts'
import { type DocumentedEndpoint, NOT_MODIFIED, renderOperation } from './operation.ts'
import { renderSharedParameters } from './parameters.ts'
import { createSchemaCollector } from './schemas.ts'
import { renderOutgoingRequests } from './webhooks.ts'

/** The API document, to which every endpoint adds itself. */
export type ApiDocument = {
  /** Serves the document at /openapi.json. The page that shows it is in routes/docs.ts. */
  plugin: Elysia
  /** Renders an endpoint, and collects its schemas. */
  renderOperation(endpoint: DocumentedEndpoint): DocumentDecoration
}

/** Creates the API document of a server. */
export function createApiDocument(version: string, publicUrl: string): ApiDocument {
  const collector = createSchemaCollector()
  const safe = { 'x-content-type-options': 'nosniff', ...transportSecurity(publicUrl) }
  const headers = Object.entries(HEADERS).map(([name, { schema, ...header }]) => {
    return [name, { ...header, schema: collector.render(schema) }] as const
  })
  const documentation = {
    // The plugin declares 3.0.3. These schemas are JSON Schema as in 3.1, where null is a type.
    openapi: '3.1.0',
    info: {
      title: 'Cardstock',
      version,
      description: 'Catalog and prices of trading cards. Prices are in US dollars.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    webhooks: renderOutgoingRequests(collector),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: renderSharedParameters(collector),
      headers: Object.fromEntries(headers),
      responses: { NotModified: NOT_MODIFIED, ...renderFailures(collector) },
      // Endpoints that are mounted later add theirs.
      get schemas() {
        return collector.list()
      },
    },
  } as object // The plugin's types are of OpenAPI 3.0.
  const plugin = swagger({
    path: '/docs',
    specPath: '/openapi.json',
    exclude: ['/docs', '/openapi.json'],
    excludeStaticFile: true,
    documentation,
  })
  return {
    // The plugin sets no headers of its own.
    plugin: new Elysia()
      .onAfterHandle(({ set }) => void Object.assign(set.headers, safe))
      .use(plugin) as unknown as Elysia,
    renderOperation: (endpoint) => renderOperation(endpoint, collector),
  }
}

const SECURITY_SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'API key, `tcg_live_…`.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description: 'Session of a browser, from `POST /v1/auth/login`.',
  },
  payment: {
    type: 'apiKey',
    in: 'header',
    name: 'PAYMENT-SIGNATURE',
    description: 'Payment of one photo (x402), signed for the terms in PAYMENT-REQUIRED.',
  },
}
