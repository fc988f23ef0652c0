import { swagger } from '@elysiajs/swagger'
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { type DocumentDecoration, Elysia } from 'elysia'
import { type Tier, tierName } from '#rules/accounts/tiers.ts'
import type { BodySource } from '../input/body-source.ts'
import { FailureSchema, RateLimitSchema } from '../schemas/catalog.ts'
import { type EndpointDocs, TAGS } from './endpoint-spec.ts'
import { transportSecurity } from './headers.ts'

/** Credentials that an endpoint accepts. */
export type Access =
  | 'public'
  | 'key'
  | 'optional session'
  | 'session'
  | 'key or session'
  | 'key or payment'

/** Content of the API document for one endpoint. */
export type DocumentedEndpoint = EndpointDocs & {
  method: string
  access: Access
  /** The lowest tier that may use it. */
  tier?: Tier | undefined
  /** Set if it is for operators only. */
  operator?: true | undefined
  params: TObject
  query: TObject
  body?: Pick<BodySource<unknown>, 'content' | 'isOptional'> | undefined
  reply?: TSchema
  meta?: TSchema
}

/** Builds the OpenAPI operation of an endpoint from the schemas that check its requests. */
export function operation(endpoint: DocumentedEndpoint): DocumentDecoration {
  const { tag, summary, description, tier, access, params, query, body, status = 200 } = endpoint
  const needs = tier && `Needs the ${tierName(tier)} tier or higher.`
  const success = { description: endpoint.returns, content: successContent(endpoint) }
  const refusals = Object.entries(refusalsOf(endpoint))
  return {
    tags: [tag],
    summary,
    description: [description, needs].filter(Boolean).join(' '),
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query')],
    ...(body && {
      requestBody: { required: !body.isOptional, content: mapSchemas(body.content) },
    }),
    security: SECURITY[access].map((scheme) => ({ [scheme]: [] })),
    responses: {
      [status]: success,
      ...(endpoint.acceptsRanges && { 206: { ...success, description: 'The requested part.' } }),
      ...(isCatalog(access) && endpoint.method === 'GET' && { 304: { description: UNCHANGED } }),
      ...Object.fromEntries(refusals.map(([code, text]) => [code, failure(text)])),
    },
  } as DocumentDecoration // TypeBox schemas are JSON schemas, which OpenAPI's types spell differently.
}

const UNCHANGED = 'Not changed since the response whose ETag is in If-None-Match.'

/** Security schemes, any of which admits the request. */
const SECURITY: Record<Access, readonly string[]> = {
  public: [],
  key: ['key', 'bearer'],
  'optional session': [],
  session: ['session'],
  'key or session': ['key', 'bearer', 'session'],
  'key or payment': ['key', 'bearer'],
}

const INVALID_KEY = 'The API key is missing, unknown or deactivated.'

const UNAUTHORIZED: Partial<Record<Access, string>> = {
  key: INVALID_KEY,
  session: 'Not logged in.',
  'key or session': 'Neither a valid API key nor a session was sent.',
  'key or payment': INVALID_KEY,
}

/** Catalog endpoints are cached by ETag and charged to the quota. */
function isCatalog(access: Access): boolean {
  return access === 'public' || access === 'key'
}

/** Lists the refusals of an endpoint by status. */
function refusalsOf(endpoint: DocumentedEndpoint): Record<number, string> {
  const { access, body, acceptsRanges, refusals } = endpoint
  const unauthorized = UNAUTHORIZED[access]
  const forbidden = forbiddenReasons(endpoint)
  return {
    400: 'The request is invalid. The message names the field.',
    ...(unauthorized !== undefined && { 401: unauthorized }),
    ...(forbidden.length > 0 && { 403: forbidden.join(' ') }),
    ...(isCatalog(access) && { 404: 'Not found.' }),
    // A photo that is too large, or of another type, is an invalid image: 400.
    ...(body &&
      access !== 'key or payment' && {
        413: 'The body is too large.',
        415: `The body is not ${Object.keys(body.content).join(' or ')}.`,
      }),
    ...(acceptsRanges && { 416: 'The requested part begins after the end of the file.' }),
    ...(access === 'key' && { 429: 'The daily quota is used up. It resets at midnight UTC.' }),
    500: 'Internal error.',
    503: 'The service is busy, starting or stopping.',
    ...refusals,
  }
}

function forbiddenReasons({ access, method, tier, operator }: DocumentedEndpoint): string[] {
  const tooLow = 'The tier is too low. The message names the required one.'
  if (access === 'key') return [tooLow]
  const changes = method !== 'GET' && access !== 'key or payment' && access !== 'public'
  return [
    ...(changes ? ['A page of another origin sent the request.'] : []),
    ...(tier === undefined ? [] : [tooLow]),
    ...(operator ? ['The account is not marked as operator.'] : []),
  ]
}

function successContent({ access, reply, meta, files = [] }: DocumentedEndpoint): object {
  const content = Object.fromEntries(files.map((type) => [type, FILE]))
  if (reply === undefined) return mapSchemas(content)
  const envelope = Type.Object({
    data: reply,
    ...(meta && { meta }),
    // Only of a known key: public endpoints need none, and a photo can be paid for by itself.
    ...(['public', 'key or payment'].includes(access) && {
      rate_limit: Type.Optional(RateLimitSchema),
    }),
    ...(['key', 'session', 'key or session'].includes(access) && { rate_limit: RateLimitSchema }),
  })
  return mapSchemas({ ...content, 'application/json': envelope })
}

const FILE = Type.String({ format: 'binary' })

function failure(description: string) {
  return { description, content: mapSchemas({ 'application/json': FailureSchema }) }
}

function mapSchemas(content: Readonly<Record<string, TSchema>>): object {
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]))
}

function parameters(schema: TObject, location: 'path' | 'query') {
  return Object.entries(schema.properties).map(([name, field]) => {
    const { description, ...rest } = field
    return {
      name,
      in: location,
      required: schema.required?.includes(name) === true && field.default === undefined,
      description,
      schema: rest,
    }
  })
}

/** Serves the API document at /openapi.json. The page that shows it is in routes/docs.ts. */
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
        description: 'Catalog and prices of trading cards. Prices are in US dollars.',
      },
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: { type: 'http', scheme: 'bearer', description: 'The API key.' },
          session: { type: 'apiKey', in: 'cookie', name: 'session' },
        },
      },
    },
  })
  // The plugin sets no headers of its own.
  return new Elysia()
    .onAfterHandle(({ set }) => void Object.assign(set.headers, safe))
    .use(document)
}

// The plugin declares 3.0.3. These schemas are JSON Schema as in 3.1, where null is a type.
const DIALECT = { openapi: '3.1.0' } as object
