import { swagger } from '@elysiajs/swagger'
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { type DocumentDecoration, Elysia } from 'elysia'
import {
  type AccessPolicy,
  type Feature,
  lowestTier,
  type Tier,
  tierName,
} from '#rules/accounts/tiers.ts'
import { PHOTO_TEXT_MAX_LENGTH } from '../input/photo-body.ts'
import { FailureSchema, RateLimitSchema } from '../schemas/catalog.ts'
import { transportSecurity } from './headers.ts'

/** What the API document says of one endpoint. */
export type Documented = {
  tag: string
  summary: string
  description?: string
  method: 'GET' | 'POST'
  access: 'public' | Feature
  params: TObject
  query: TObject
  /** The shape of `data`. */
  reply?: TSchema
  /** The media types of the files that may be answered instead. */
  files?: readonly string[]
  /** Whether any part of such a file may be asked for. */
  inParts?: true
  meta?: TSchema
  body?: { content: Readonly<Record<string, TSchema>> }
}

/** The OpenAPI operation of an endpoint: made of the schemas that check its requests. */
export function operationOf(endpoint: Documented, policy: AccessPolicy): DocumentDecoration {
  const { tag, summary, method, access, params, query, body, inParts = false } = endpoint
  const keyed = access !== 'public'
  const tier = keyed ? needs(lowestTier(access, policy)) : ''
  const failures = FAILURES.filter(
    ([, , when]) => when === 'always' || { keyed, 'with a body': body, 'in parts': inParts }[when],
  )
  const unchanged = 'Nothing changed since the answer whose ETag is in If-None-Match.'
  return {
    tags: [tag],
    summary,
    description: [endpoint.description, tier].filter(Boolean).join(' '),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body === undefined ? {} : { requestBody: { required: true, content: contentOf(body) } }),
    security: keyed ? [{ [KEY_SCHEME]: [] }] : [],
    responses: {
      200: successOf(endpoint, keyed),
      ...(inParts
        ? { 206: { ...successOf(endpoint, keyed), description: 'That part of it.' } }
        : {}),
      ...(method === 'GET' ? { 304: { description: unchanged } } : {}),
      ...Object.fromEntries(failures.map(([status, text]) => [status, json(text, FailureSchema)])),
    },
  } as DocumentDecoration // TypeBox schemas are JSON schemas, which OpenAPI's types spell otherwise.
}

/** What the API document says of an endpoint of accounts or scans. */
export type DocumentedAccount = Omit<Documented, 'access' | 'method' | 'reply' | 'body'> & {
  method: string
  reply: TSchema
  /** Open to all, or for whoever has a session, a key, either of them. */
  access: 'open' | 'session' | 'key' | 'key or session'
  /** The tier that it needs, where it needs one. */
  needed?: Tier | undefined
  /** Whether it is for accounts alone that are marked as operator. */
  operator?: true
  body: { schema: TObject; isOptional: boolean } | undefined
  /** The options that may stand beside a photo; undefined where none is sent. */
  photo?: TObject
  meta?: TSchema
  status?: 200 | 201 | 202
  refusals?: Readonly<Record<number, string>>
}

/** The OpenAPI operation of an endpoint of accounts or scans. */
export function accountOperation(endpoint: DocumentedAccount): DocumentDecoration {
  const { tag, summary, access, needed, params, query, meta, status = 200 } = endpoint
  const { strangers, security } = ACCESS[access]
  const forbidden = forbiddenIn(endpoint)
  const failures = {
    400: 'The request is malformed; the message names the field.',
    ...(strangers === undefined ? {} : { 401: strangers }),
    ...(forbidden === '' ? {} : { 403: forbidden }),
    ...(endpoint.body === undefined
      ? {}
      : { 413: 'The body is too large.', 415: 'The body is not application/json.' }),
    ...endpoint.refusals,
    500: 'Something went wrong on our side.',
    503: endpoint.refusals?.[503] ?? 'The service is busy, starting or stopping.',
  }
  return {
    tags: [tag],
    summary,
    description: [endpoint.description, needed && needs(needed)].filter(Boolean).join(' '),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...requestBodyOf(endpoint),
    security: security.map((scheme) => ({ [scheme]: [] })),
    responses: {
      [status]: json(
        'What was asked for.',
        Type.Object({
          data: endpoint.reply,
          ...(meta === undefined ? {} : { meta }),
          ...quotaIn(endpoint),
        }),
      ),
      ...Object.fromEntries(
        Object.entries(failures).map(([code, text]) => [code, json(text, FailureSchema)]),
      ),
    },
  } as DocumentDecoration // TypeBox schemas are JSON schemas, which OpenAPI's types spell otherwise.
}

function needs(tier: Tier): string {
  return `Needs the ${tierName(tier)} tier or higher.`
}

/** Why somebody is told 403; empty where nobody is. */
function forbiddenIn({ method, access, needed, operator }: DocumentedAccount): string {
  const changes = method !== 'GET' && access !== 'key'
  const reasons = [
    changes && 'A page of another origin sent this.',
    changes && needed !== undefined && 'The tier is too low.',
    operator && 'The account is not marked as operator.',
  ]
  return reasons.filter(Boolean).join(' Or: ')
}

/** Whoever pays for a photo by itself has no quota. */
function quotaIn({ access, photo }: DocumentedAccount): { rate_limit?: TSchema } {
  if (access === 'open') return {}
  return { rate_limit: photo === undefined ? RateLimitSchema : Type.Optional(RateLimitSchema) }
}

function requestBodyOf({ body, photo }: DocumentedAccount): object {
  if (photo !== undefined) return { requestBody: { required: true, content: photoContent(photo) } }
  if (body === undefined) return {}
  const content = { 'application/json': { schema: body.schema } }
  return { requestBody: { required: !body.isOptional, content } }
}

/** The three ways to send a photo. */
function photoContent({ properties }: TObject): object {
  const bytes = Type.String({ format: 'binary', description: 'JPEG, PNG or WebP, at most 8 MB.' })
  const text = Type.String({
    maxLength: PHOTO_TEXT_MAX_LENGTH,
    description: 'Base64, or a data URL with it.',
  })
  const raw = ['image/jpeg', 'image/png', 'image/webp'].map((type) => [type, { schema: bytes }])
  return {
    'multipart/form-data': { schema: Type.Object({ image: bytes, ...properties }) },
    'application/json': { schema: Type.Object({ image: text, ...properties }) },
    ...Object.fromEntries(raw),
  }
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

/** What strangers are told, and which schemes let in. */
const ACCESS: Record<
  DocumentedAccount['access'],
  { strangers?: string; security: readonly string[] }
> = {
  open: { security: [] },
  session: { strangers: 'Nobody is logged in.', security: [SESSION_SCHEME] },
  key: { strangers: 'The key is missing, unknown or deactivated.', security: [KEY_SCHEME] },
  'key or session': {
    strangers: 'There is neither a session nor a key that holds.',
    security: [KEY_SCHEME, SESSION_SCHEME],
  },
}

type Occasion = 'always' | 'keyed' | 'with a body' | 'in parts'

const FAILURES: readonly (readonly [number, string, Occasion])[] = [
  [400, 'The request is malformed; the message names the field.', 'always'],
  [401, 'The key is missing, unknown or deactivated.', 'keyed'],
  [403, 'The tier is too low; the message names the one that would do.', 'keyed'],
  [404, 'There is no such thing.', 'always'],
  [413, 'The body is too large.', 'with a body'],
  [415, 'The body is of another media type.', 'with a body'],
  [416, 'The file ends before that part.', 'in parts'],
  [429, "The day's quota is used up; it starts anew at midnight UTC.", 'keyed'],
  [500, 'Something went wrong on our side.', 'always'],
  [503, 'The service is starting or stopping.', 'always'],
]

function successOf({ reply, meta, files = [] }: Documented, keyed: boolean): object {
  const content: Record<string, object> = {}
  for (const type of files) content[type] = { schema: FILE }
  if (reply !== undefined) {
    const shape = Type.Object({
      data: reply,
      ...(meta === undefined ? {} : { meta }),
      ...(keyed ? { rate_limit: RateLimitSchema } : {}),
    })
    content['application/json'] = { schema: shape }
  }
  return { description: 'What was asked for.', content }
}

const FILE = Type.String({ format: 'binary' })

function contentOf({ content }: NonNullable<Documented['body']>): object {
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]))
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
