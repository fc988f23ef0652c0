import { type TObject, Type } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import { type Tier, tierName } from '#rules/accounts/tiers.ts'
import { type Auth, type Declaration, isCatalogAuth } from '../endpoint/declaration.ts'
import type { BodySource } from '../input/read-body.ts'
import { RateLimitSchema } from '../schemas/accounts.ts'
import { EXAMPLES } from './examples.ts'
import { failureReference } from './failures.ts'
import { type HeaderName, headerReferences } from './headers.ts'
import { renderParameters } from './parameters.ts'
import { type SchemaCollector, withName } from './schemas.ts'

/** Content of the API document for one endpoint. */
export type DocumentedEndpoint = Omit<Declaration, 'params' | 'query' | 'body'> & {
  method: string
  /** The lowest tier that may use the endpoint. */
  tier: Tier | undefined
  params: TObject
  query: TObject
  body: Pick<BodySource<unknown>, 'content' | 'isOptional' | 'bytesMax'> | undefined
}

/** Returns the part of an operation that needs no schemas: what lists of endpoints show. */
export function nameOperation({
  id,
  tag,
  summary,
}: Pick<Declaration, 'id' | 'tag' | 'summary'>): DocumentDecoration {
  return { operationId: id, tags: [tag], summary }
}

/** Builds the OpenAPI operation of an endpoint from the schemas that check its requests. */
export function renderOperation(
  endpoint: DocumentedEndpoint,
  collector: SchemaCollector,
): DocumentDecoration {
  const { description, tier, auth, params, query, body } = endpoint
  const { status = 200 } = endpoint
  const needs = tier && `Needs the ${tierName(tier)} tier or higher.`
  const headers = successHeaders(endpoint)
  const success = {
    description: endpoint.returns,
    ...(headers.length > 0 && { headers: headerReferences(headers) }),
    content: successContent(endpoint, collector),
  }
  const refusals = Object.entries(refusalsOf(endpoint))
  return {
    ...nameOperation(endpoint),
    description: [description, needs].filter(Boolean).join(' ') || undefined,
    parameters: [
      ...renderParameters(params, 'path', collector),
      ...renderParameters(query, 'query', collector),
    ],
    ...(body && {
      requestBody: { required: !body.isOptional, content: requestContent(endpoint, collector) },
    }),
    // The document declares the key as the default.
    ...(auth !== 'key' && { security: securityOf(auth) }),
    responses: {
      [status]: success,
      ...(endpoint.acceptsRanges && { 206: partOf(success) }),
      ...(isCatalogAuth(auth) && endpoint.method === 'GET' && { 304: UNCHANGED }),
      '5XX': { $ref: '#/components/responses/ServerError' },
      ...Object.fromEntries(
        refusals.map(([code, text]) => [code, failureReference(Number(code), text)]),
      ),
    },
  } as unknown as DocumentDecoration // OpenAPI's types are of version 3.0.
}

const UNCHANGED = { $ref: '#/components/responses/NotModified' }

/** Response to a request whose ETag is current. */
export const NOT_MODIFIED = {
  description: 'Not changed since the response whose ETag is in If-None-Match.',
  headers: headerReferences(['X-Request-Id', 'ETag']),
}

function partOf(success: { content: object }): object {
  const headers = headerReferences(['Content-Range'])
  return { ...success, headers, description: 'The requested part.' }
}

/** Security schemes, one of which is enough for the request. */
const SECURITY: Record<Auth, readonly string[]> = {
  anyone: [],
  key: ['key', 'bearer'],
  'optional session': [],
  session: ['session'],
  operator: ['session'],
  account: ['key', 'bearer', 'session'],
  payer: ['key', 'bearer', 'payment'],
}

/** Lists the alternative security schemes of a request. */
export function securityOf(auth: Auth): object[] {
  return SECURITY[auth].map((scheme) => ({ [scheme]: [] }))
}

/** Lists the headers of a success. Headers of every response to a key are only listed for 429. */
function successHeaders(endpoint: DocumentedEndpoint) {
  const { auth, hasScans, method, meta, files, headers } = endpoint
  return [
    ...(isCatalogAuth(auth) && method === 'GET' ? (['ETag'] as const) : []),
    ...(meta?.properties?.per_page === undefined ? [] : (['Link'] as const)),
    ...(files === undefined ? [] : (['Content-Disposition'] as const)),
    ...(hasScans ? (['X-Scans-Remaining'] as const) : []),
    ...(auth === 'payer' ? (['PAYMENT-RESPONSE'] as const) : []),
    ...(headers ?? []),
  ] satisfies HeaderName[]
}

/** Lists the refusals of an endpoint by status, with a text if the usual one does not fit. */
function refusalsOf(endpoint: DocumentedEndpoint): Record<number, string | undefined> {
  const { auth, body, acceptsRanges, refusals } = endpoint
  const types = Object.keys(body?.content ?? {})
  const isPhoto = types.includes('image/jpeg')
  const isJson = types.length === 1 && types[0] === 'application/json'
  return {
    400: undefined,
    ...(!['anyone', 'optional session'].includes(auth) && { 401: undefined }),
    ...(canBeForbidden(endpoint) && { 403: undefined }),
    ...(isCatalogAuth(auth) && { 404: undefined }),
    // A photo that is too large, or of another type, is an invalid image: 400.
    ...(body &&
      !isPhoto && {
        413: undefined,
        415: isJson ? undefined : `The body is not ${types.join(' or ')}.`,
      }),
    ...(acceptsRanges && { 416: undefined }),
    ...(auth === 'key' && { 429: undefined }),
    ...refusals,
  }
}

/** The tier may be too low, the account not an operator, or the page from another origin. */
function canBeForbidden({ auth, method, tier }: DocumentedEndpoint): boolean {
  if (auth === 'key' || tier !== undefined || auth === 'operator') return true
  return method !== 'GET' && auth !== 'payer' && auth !== 'anyone'
}

function successContent(endpoint: DocumentedEndpoint, { render }: SchemaCollector): object {
  const { id, auth, reply, meta, files = [] } = endpoint
  const example = EXAMPLES.operations[id]?.response
  const content = Object.fromEntries(
    files.map((type) => {
      const isShown = typeof example === 'string' && type === 'text/csv'
      return [type, { schema: FILE, ...(isShown && { example }) }]
    }),
  )
  if (reply === undefined) return content
  const envelope = Type.Object({
    data: withName(`${capitalize(id)}Data`, reply),
    ...(meta && { meta: withName(`${capitalize(id)}Meta`, meta) }),
    // Only for a known key: public endpoints need none, and a photo can be paid individually.
    ...(['anyone', 'payer'].includes(auth) && {
      rate_limit: Type.Optional(RateLimitSchema),
    }),
    ...(['key', 'session', 'operator', 'account'].includes(auth) && {
      rate_limit: RateLimitSchema,
    }),
  })
  const schema = render(withName(`${capitalize(id)}Response`, envelope))
  return { ...content, 'application/json': { schema, ...(example !== undefined && { example }) } }
}

const FILE = { type: 'string', format: 'binary' }

function requestContent(
  { id, body }: Pick<DocumentedEndpoint, 'id' | 'body'>,
  { render }: SchemaCollector,
): object {
  const types = Object.entries(body?.content ?? {}).map(([type, schema]) => {
    const name = `${capitalize(id)}${type === 'application/json' ? 'Request' : 'Form'}`
    const example = EXAMPLES.operations[id]?.request
    const isShown =
      typeof example === 'string' ? type.startsWith('text/') : type === 'application/json'
    return [
      type,
      {
        schema: render(withName(name, schema)),
        ...(isShown && example !== undefined && { example }),
      },
    ] as const
  })
  return Object.fromEntries(types)
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
