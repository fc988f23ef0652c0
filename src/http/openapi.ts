import { swagger } from '@elysiajs/swagger'
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { type DocumentDecoration, Elysia } from 'elysia'
import { type AccessPolicy, type Feature, lowestTier, tierName } from '#rules/tiers.ts'
import { transportSecurity } from './headers.ts'
import { Failure, RateLimit } from './shapes.ts'

/** What the API document says of one endpoint. */
export type Documented = {
  tag: string
  summary: string
  description?: string
  access: 'public' | Feature
  params: TObject
  query: TObject
  reply: TSchema
  meta: TSchema | undefined
}

/** The OpenAPI operation of an endpoint: made of the schemas that check its requests. */
export function operationOf(endpoint: Documented, policy: AccessPolicy): DocumentDecoration {
  const { tag, summary, access, params, query } = endpoint
  const keyed = access !== 'public'
  const tier = keyed ? `Needs the ${tierName(lowestTier(access, policy))} tier or higher.` : ''
  const failures = keyed ? FAILURES : FAILURES.filter(([, , when]) => when === 'always')
  return {
    tags: [tag],
    summary,
    description: [endpoint.description, tier].filter(Boolean).join(' '),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    security: keyed ? [{ [KEY_SCHEME]: [] }] : [],
    responses: {
      200: json('What was asked for.', successOf(endpoint, keyed)),
      304: { description: 'Nothing changed since the answer whose ETag is in If-None-Match.' },
      ...Object.fromEntries(failures.map(([status, text]) => [status, json(text, Failure)])),
    },
  } as DocumentDecoration // TypeBox schemas are JSON schemas, which OpenAPI's types spell otherwise.
}

/** What the API document says of one account endpoint. */
export type DocumentedAccount = Omit<Documented, 'access' | 'meta'> & {
  method: string
  access: 'open' | 'session'
  body: { schema: TObject; isOptional: boolean } | undefined
  status?: 200 | 201
  refusals?: Readonly<Record<number, string>>
}

/** The OpenAPI operation of an account endpoint. */
export function accountOperation(endpoint: DocumentedAccount): DocumentDecoration {
  const { tag, summary, description, access, params, query, body, status = 200 } = endpoint
  const failures = {
    400: 'The request is malformed; the message names the field.',
    ...(access === 'session' ? { 401: 'Nobody is logged in.' } : {}),
    ...(endpoint.method === 'GET' ? {} : { 403: 'A page of another origin sent this.' }),
    ...(body === undefined
      ? {}
      : { 413: 'The body is too large.', 415: 'The body is not application/json.' }),
    ...endpoint.refusals,
    500: 'Something went wrong on our side.',
    503: 'The service is busy, starting or stopping.',
  }
  return {
    tags: [tag],
    summary,
    description: description ?? '',
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !body.isOptional,
            content: { 'application/json': { schema: body.schema } },
          },
        }),
    security: access === 'session' ? [{ [SESSION_SCHEME]: [] }] : [],
    responses: {
      [status]: json(
        'What was asked for.',
        Type.Object({
          data: endpoint.reply,
          ...(access === 'session' ? { rate_limit: RateLimit } : {}),
        }),
      ),
      ...Object.fromEntries(
        Object.entries(failures).map(([code, text]) => [code, json(text, Failure)]),
      ),
    },
  } as DocumentDecoration // TypeBox schemas are JSON schemas, which OpenAPI's types spell otherwise.
}

/** Serves the API document at /openapi.json; the page to try it on is routes/docs.ts. */
export function openapiDocument(version: string, publicUrl: string) {
  const safe = { 'x-content-type-options': 'nosniff', ...transportSecurity(publicUrl) }
  const document = swagger({
    path: '/docs',
    specPath: '/openapi.json',
    exclude: ['/docs', '/openapi.json'],
    excludeStaticFile: true,
    documentation: {
      ...DIALECT,
      info: {
        title: 'Cardstock',
        version,
        description: 'Catalog and prices of trading cards. Prices are US dollars.',
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          [KEY_SCHEME]: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          [SESSION_SCHEME]: { type: 'apiKey', in: 'cookie', name: 'session' },
        },
      },
    },
  })
  // The plugin writes no headers of its own.
  return new Elysia()
    .onAfterHandle(({ set }) => void Object.assign(set.headers, safe))
    .use(document)
}

// The plugin says 3.0.3; our schemas are JSON Schema as it stands in 3.1 (null is a type there).
const DIALECT = { openapi: '3.1.0' } as object

const KEY_SCHEME = 'key'
const SESSION_SCHEME = 'session'

const FAILURES: readonly (readonly [number, string, 'always' | 'keyed'])[] = [
  [400, 'The request is malformed; the message names the field.', 'always'],
  [401, 'The key is missing, unknown or deactivated.', 'keyed'],
  [403, 'The tier is too low; the message names the one that would do.', 'keyed'],
  [404, 'There is no such thing.', 'always'],
  [429, "The day's quota is used up; it starts anew at midnight UTC.", 'keyed'],
  [500, 'Something went wrong on our side.', 'always'],
  [503, 'The service is starting or stopping.', 'always'],
]

function successOf({ reply, meta }: Documented, keyed: boolean): TSchema {
  return Type.Object({
    data: reply,
    ...(meta === undefined ? {} : { meta }),
    ...(keyed ? { rate_limit: RateLimit } : {}),
  })
}

function json(description: string, schema: TSchema) {
  return { description, content: { 'application/json': { schema } } }
}

function parametersOf(schema: TObject, place: 'path' | 'query') {
  return Object.entries(schema.properties).map(([name, field]) => {
    const { description, ...rest } = field
    return {
      name,
      in: place,
      required: schema.required?.includes(name) === true && field.default === undefined,
      description,
      schema: rest,
    }
  })
}
