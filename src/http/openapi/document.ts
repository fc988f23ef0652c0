import { swagger } from '@elysiajs/swagger'
import { Type } from '@sinclair/typebox'
import type { DocumentDecoration, Elysia } from 'elysia'
import { TAGS } from '../endpoint/declaration.ts'
import { PriceAlertSchema } from '../schemas/webhooks.ts'
import { EXAMPLES } from './examples.ts'
import { renderFailures } from './failures.ts'
import { HEADERS } from './headers.ts'
import {
  type DocumentedEndpoint,
  NOT_MODIFIED,
  nameOperation,
  renderOperation,
  securityOf,
} from './operation.ts'
import { renderSharedParameters } from './parameters.ts'
import { createSchemaCollector, type SchemaCollector } from './schemas.ts'

/** The API document, to which every endpoint adds itself. */
export type ApiDocument = {
  /** Reads the routes of the app that uses it. routes/docs.ts replaces the plugin's own routes. */
  plugin: Elysia
  /** Renders the document. Call it after every endpoint is mounted. */
  render(): string
  /** Adds an endpoint. @returns its operation, which is completed when the document is first rendered */
  add(endpoint: DocumentedEndpoint): DocumentDecoration
}

/** Creates the API document of a server. */
export function createApiDocument(publicUrl: string): ApiDocument {
  const collector = createSchemaCollector()
  const added: { operation: DocumentDecoration; endpoint: DocumentedEndpoint }[] = []
  const headers = Object.entries(HEADERS).map(([name, { schema, ...header }]) => {
    return [name, { ...header, schema: collector.render(schema) }] as const
  })
  const documentation = {
    // The plugin declares 3.0.3, but these schemas are JSON Schema as in 3.1, where null is a type.
    openapi: '3.1.0',
    info: {
      title: 'Cardstock',
      version: INTERFACE_VERSION,
      description: 'Catalog and prices of trading cards. Prices are in US dollars.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    security: securityOf('key'),
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    webhooks: renderOutgoingRequests(collector),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: renderSharedParameters(collector),
      headers: Object.fromEntries(headers),
      responses: { NotModified: NOT_MODIFIED, ...renderFailures(collector) },
      // Endpoints that are mounted later add their schemas.
      get schemas() {
        return collector.list()
      },
    },
  } as object // The plugin's types are of OpenAPI 3.0.
  const plugin = swagger({
    path: '/docs',
    specPath: PATH,
    exclude: ['/docs', PATH],
    excludeStaticFile: true,
    documentation,
  })
  return {
    plugin: plugin as unknown as Elysia,
    render() {
      for (const { operation, endpoint } of added.splice(0)) {
        Object.assign(operation, renderOperation(endpoint, collector))
      }
      const route = plugin.routes.find(({ path }) => path === PATH)
      if (route === undefined) throw new Error(`the plugin does not serve ${PATH}`)
      // It takes no arguments.
      const render = route.handler as () => object
      return JSON.stringify(render())
    },
    add(endpoint) {
      // Most servers never serve the document, and rendering would take a fifth of the start.
      const operation = nameOperation(endpoint)
      added.push({ operation, endpoint })
      return operation
    },
  }
}

const PATH = '/openapi.json'

/** Version of the interface (specification, Versioning), not of the program. */
const INTERFACE_VERSION = '1.0.0'

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

const WEBHOOK_HEADERS = {
  'webhook-id': Type.String({
    description: 'ID of the alert, the same for every attempt: ignore one that you have received.',
  }),
  'webhook-timestamp': Type.Integer({ description: 'Time of the attempt, in epoch seconds.' }),
  'webhook-signature': Type.String({
    description:
      '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, as Standard Webhooks define it. Two, separated by a space, while a secret is being replaced.',
  }),
}

/** Renders the requests that the service sends. */
function renderOutgoingRequests({ render }: SchemaCollector): object {
  const parameters = Object.entries(WEBHOOK_HEADERS).map(([name, { description, ...schema }]) => {
    return { name, in: 'header', required: true, description, schema: render(schema) }
  })
  const content = { schema: render(PriceAlertSchema), example: EXAMPLES.webhooks.price_alert }
  return {
    price_alert: {
      post: {
        operationId: 'receivePriceAlert',
        tags: ['Alerts'],
        summary: 'Receive a price alert',
        description:
          'Sent to the URL of a webhook when the price reaches its threshold. Verify the signature before you trust the body.',
        security: [],
        parameters,
        requestBody: { required: true, content: { 'application/json': content } },
        responses: {
          '2XX': { description: 'The alert is delivered.' },
          410: { description: 'Disables the webhook.' },
        },
      },
    },
  }
}
