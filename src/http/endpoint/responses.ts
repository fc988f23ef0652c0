import type { Deps } from '#deps.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import type { ServiceError } from '#rules/primitives/errors.ts'
import { formatLinkHeader, type PagingMeta } from '#rules/primitives/paging.ts'
import { type Download, sendDownload } from './download.ts'
import { errorResponse, type JsonAnswer, renderBody } from './envelope.ts'
import { type HeaderKind, matchesEtag, type ResponseHeaders, setCors } from './headers.ts'
import type { Principal } from './quota.ts'

/** One request to an endpoint of the catalog, as far as it got. */
export type RequestContext = {
  request: Request
  id: string
  caller: Principal | undefined
  /** Whether one of our own pages asks, for somebody without a key. */
  isPage: boolean
  /** Set once the request is charged. */
  quota: Quota | undefined
  /** What it was charged. */
  credits: number
}

/** Makes the responses of the catalog's endpoints: what was asked for, and refusals. */
export function createResponses(
  { config, now, log }: Pick<Deps, 'config' | 'now' | 'log'>,
  make: ResponseHeaders,
) {
  function headersOf(
    usual: HeaderKind,
    context: RequestContext,
    quota: Quota | undefined,
  ): Headers {
    const kind = context.isPage ? 'session' : usual
    const headers =
      quota === undefined ? make.plain(kind) : make.withQuota(kind, quota, now().getTime())
    headers.set('x-request-id', context.id)
    if (!context.isPage && context.request.headers.has('origin')) setCors(headers)
    return headers
  }

  /** The other pages of a list, by the address that clients use. */
  function linksFor({ url }: Request, meta: object | undefined): string | undefined {
    if (meta === undefined || !('per_page' in meta)) return undefined
    const path = url.slice(url.indexOf('/', url.indexOf('//') + 2))
    // Only `metaOf` of a paging makes such a meta.
    return formatLinkHeader(config.publicUrl + path, meta as PagingMeta)
  }

  function sendingOf({ id, quota }: RequestContext, headers: Headers) {
    const onFault = (error: unknown) => log.error('download failed', { request_id: id, error })
    return { headers, quota, onFault }
  }

  /** What was asked for, which nobody keeps. */
  function noStore(requestContext: RequestContext, jsonAnswer: JsonAnswer | Download): Response {
    const headers = headersOf('unkept', requestContext, requestContext.quota)
    if ('source' in jsonAnswer)
      return sendDownload(requestContext.request, jsonAnswer, sendingOf(requestContext, headers))
    const links = linksFor(requestContext.request, jsonAnswer.meta)
    if (links !== undefined) headers.set('link', links)
    return new Response(renderBody(jsonAnswer, requestContext.quota), { headers })
  }

  return {
    /** What was asked for by POST is of the request. */
    unkept: noStore,
    /**
     * What was asked for by GET, or 304 where the caller has it.
     *
     * @param catalogTag that of the catalog, asked before the answer was made: the answer may be newer than
     * its tag says, and must never be older
     */
    cacheable(visit: RequestContext, catalogTag: string, answer: JsonAnswer | Download): Response {
      // It depends on who is logged in, which no cache is told.
      if (visit.isPage) return noStore(visit, answer)
      const headers = headersOf(visit.caller === undefined ? 'public' : 'keyed', visit, visit.quota)
      const tag = tagOf(catalogTag, answer)
      headers.set('etag', tag)
      const isKnown = matchesEtag(visit.request.headers.get('if-none-match'), tag)
      if ('source' in answer) {
        return sendDownload(visit.request, answer, { ...sendingOf(visit, headers), tag, isKnown })
      }
      const links = linksFor(visit.request, answer.meta)
      if (links !== undefined) headers.set('link', links)
      if (isKnown) return new Response(null, { status: 304, headers })
      return new Response(renderBody(answer, visit.quota), { headers })
    },
    /** A refusal, with the quota as it is. */
    failure(visit: RequestContext, error: ServiceError, quota: Quota | undefined): Response {
      const response = errorResponse(error, quota, headersOf('unkept', visit, quota))
      if (quota !== undefined && error.code === 'RATE_LIMIT_EXCEEDED') {
        const seconds = make.secondsToReset(quota, now().getTime())
        response.headers.set('retry-after', String(seconds))
      }
      return response
    },
  }
}

function tagOf(catalogTag: string, jsonAnswer: JsonAnswer | Download): string {
  if ('tag' in jsonAnswer && jsonAnswer.tag !== undefined) return jsonAnswer.tag
  return jsonAnswer.variant === undefined
    ? `"${catalogTag}"`
    : `"${catalogTag}-${jsonAnswer.variant}"`
}
