import type { Deps } from '#deps.ts'
import { ERRORS, ServiceError } from '#rules/primitives/errors.ts'
import { formatLinkHeader, type PagingMeta } from '#rules/primitives/paging.ts'
import { findHeldTag } from './content-coding.ts'
import { type Download, sendDownload } from './download.ts'
import { errorResponse, type JsonBody, renderBody } from './envelope.ts'
import {
  addCors,
  addPreflight,
  type HeaderKind,
  matchesEtag,
  type ResponseHeaders,
} from './headers.ts'
import type { RequestContext } from './request-context.ts'

/** An answer before it is sent. */
export type Answer = JsonBody | Download

/** Builds every response that has an envelope or a quota. */
export type Responses = {
  /** A success that may be cached; 304 if the client already has it. `catalogTag` was read before the answer. */
  cacheable(
    context: RequestContext,
    catalogTag: string,
    answer: Answer,
  ): Response | Promise<Response>
  /** A success that no cache may store. */
  noStore(context: RequestContext, answer: Answer, status?: number): Response | Promise<Response>
  /** An error with the current quota. */
  failure(context: RequestContext, error: ServiceError): Response
  /** Headers of a response in another format, with the quota. No cache may store it. */
  headers(context: RequestContext): Headers
  methodNotAllowed(context: RequestContext, methods: readonly string[]): Response
  /** Answers OPTIONS. */
  preflight(context: RequestContext, methods: readonly string[]): Response
}

export function createResponses(
  { config, now, log }: Pick<Deps, 'config' | 'now' | 'log'>,
  templates: ResponseHeaders,
): Responses {
  const { publicUrl, corsOrigins } = config

  /** Returns the headers of a response. Copy them at once. */
  function sharedHeaders(usual: HeaderKind, context: RequestContext, tag?: string): Headers {
    const { isPrivate, isDashboard, id: request_id, quota } = context
    const kind = isPrivate || isDashboard ? 'session' : usual
    return templates.shared(kind, { request_id, quota, nowMs: now().getTime(), tag })
  }

  /** Adds the headers for pages of other origins to those of a response. */
  function addOrigin(response: { headers: Headers }, context: RequestContext): void {
    const { request, cors, isDashboard } = context
    if (cors === 'none' || (isDashboard && cors !== 'trusted')) return
    const origin = request.headers.get('origin')
    // Reading the headers of a response creates an object.
    if (cors === 'public' && origin === null) return
    addCors(response.headers, origin, cors, corsOrigins)
  }

  function headersFor(usual: HeaderKind, context: RequestContext, tag?: string): Headers {
    const headers = new Headers(sharedHeaders(usual, context, tag))
    addOrigin({ headers }, context)
    return headers
  }

  /** Returns links to the other pages of a list, as public URLs. */
  function linkHeader(request: Request, meta: unknown): string | undefined {
    if (typeof meta !== 'object' || meta === null || !('per_page' in meta)) return undefined
    const { url } = request
    const path = url.slice(url.indexOf('/', url.indexOf('//') + 2))
    // Only `pagingMeta` produces a meta with `per_page`.
    return formatLinkHeader(publicUrl + path, meta as PagingMeta)
  }

  /** Sends an answer, unless the client has it. */
  function send(
    context: RequestContext,
    kind: HeaderKind,
    answer: Answer,
    { status = 200, tag }: { status?: number; tag?: string } = {},
  ): Response | Promise<Response> {
    const { request, id, quota } = context
    const heldTag = tag === undefined ? undefined : heldTagOf(request, answer, tag)
    if ('source' in answer) {
      const headers = headersFor(kind, context, heldTag ?? tag)
      const onError = (error: unknown) => log.error('download failed', { request_id: id, error })
      const options = { headers, quota, onError, heldTag, ...(tag !== undefined && { tag }) }
      return sendDownload(request, answer, options)
    }
    const body = heldTag === undefined ? renderBody(answer, quota) : null
    const response = new Response(body, {
      status: heldTag === undefined ? status : 304,
      headers: sharedHeaders(kind, context, heldTag ?? tag),
    })
    addOrigin(response, context)
    const links = linkHeader(request, answer.meta)
    if (links !== undefined) response.headers.set('link', links)
    if (heldTag !== undefined) return response
    if (answer.headers === undefined) return response
    for (const [name, value] of answer.headers) response.headers.append(name, value)
    return response
  }

  function noStore(
    context: RequestContext,
    answer: Answer,
    status = 200,
  ): Response | Promise<Response> {
    return send(context, 'noStore', answer, { status })
  }

  function failure(context: RequestContext, error: ServiceError): Response {
    const { quota } = context
    const headers = headersFor('noStore', context)
    // Payment terms are for one caller, so no cache may store them.
    if (ERRORS[error.code].status === 402) headers.set('cache-control', 'private, no-store')
    if (quota !== undefined && error.code === 'RATE_LIMIT_EXCEEDED') {
      headers.set('retry-after', String(templates.secondsToReset(quota, now().getTime())))
    }
    return errorResponse(error, quota, headers)
  }

  return {
    noStore,
    failure,
    headers: (context) => headersFor('noStore', context),
    cacheable(context, catalogTag, answer) {
      // The answer depends on the session, which is not in `vary`.
      if (context.isDashboard) return noStore(context, answer)
      const kind = context.principal === undefined ? 'public' : 'keyed'
      return send(context, kind, answer, { tag: etagOf(catalogTag, answer) })
    },
    methodNotAllowed(context, methods) {
      const names = LIST.format(methods.filter((method) => method !== 'HEAD'))
      const error = new ServiceError('METHOD_NOT_ALLOWED', `Method not allowed. Use ${names}.`)
      const response = failure(context, error)
      response.headers.set('allow', [...methods, 'OPTIONS'].join(', '))
      return response
    },
    preflight(context, methods) {
      const headers = headersFor('noStore', context)
      const allowed = [...methods, 'OPTIONS'].join(', ')
      headers.set('allow', allowed)
      addPreflight(headers, allowed, context.cors)
      return new Response(null, { status: 204, headers })
    },
  }
}

const LIST = new Intl.ListFormat('en', { type: 'disjunction' })

/** Returns the entity tag of the client's form, if any. Stored files are never compressed. */
function heldTagOf(request: Request, answer: Answer, tag: string): string | undefined {
  const isRendered = !('source' in answer) || 'chunks' in answer.source
  if (isRendered) return findHeldTag(request, tag)
  return matchesEtag(request.headers.get('if-none-match'), tag) ? tag : undefined
}

function etagOf(catalogTag: string, answer: Answer): string {
  if ('tag' in answer && answer.tag !== undefined) return answer.tag
  return answer.variant === undefined ? `"${catalogTag}"` : `"${catalogTag}-${answer.variant}"`
}
