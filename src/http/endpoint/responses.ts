import type { Deps } from '#deps.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import type { ServiceError } from '#rules/primitives/errors.ts'
import { linksOf, type Meta } from '#rules/primitives/paging.ts'
import { type Download, sendDownload } from './download.ts'
import { type Answer, bodyOf, errorAnswer } from './envelope.ts'
import { type HeaderKind, type HeaderMaker, isKnownTag, setCors } from './headers.ts'
import type { Asker } from './quota.ts'

/** One request to an endpoint of the catalog, as far as it got. */
export type Visit = {
  request: Request
  id: string
  caller: Asker | undefined
  /** Whether one of our own pages asks, for somebody without a key. */
  isPage: boolean
  /** Set once the request is charged. */
  quota: Quota | undefined
  /** What it was charged. */
  credits: number
}

/** Makes the responses of the catalog's endpoints: what was asked for, and refusals. */
export function openReplies(
  { config, now, log }: Pick<Deps, 'config' | 'now' | 'log'>,
  make: HeaderMaker,
) {
  function headersOf(usual: HeaderKind, visit: Visit, quota: Quota | undefined): Headers {
    const kind = visit.isPage ? 'session' : usual
    const headers =
      quota === undefined ? make.plain(kind) : make.counted(kind, quota, now().getTime())
    headers.set('x-request-id', visit.id)
    if (!visit.isPage && visit.request.headers.has('origin')) setCors(headers)
    return headers
  }

  /** The other pages of a list, by the address that clients use. */
  function linksFor({ url }: Request, meta: object | undefined): string | undefined {
    if (meta === undefined || !('per_page' in meta)) return undefined
    const path = url.slice(url.indexOf('/', url.indexOf('//') + 2))
    // Only `metaOf` of a paging makes such a meta.
    return linksOf(config.publicUrl + path, meta as Meta)
  }

  function sendingOf({ id, quota }: Visit, headers: Headers) {
    const onFault = (error: unknown) => log.error('download failed', { request_id: id, error })
    return { headers, quota, onFault }
  }

  /** What was asked for, which nobody keeps. */
  function unkept(visit: Visit, answer: Answer | Download): Response {
    const headers = headersOf('unkept', visit, visit.quota)
    if ('source' in answer) return sendDownload(visit.request, answer, sendingOf(visit, headers))
    const links = linksFor(visit.request, answer.meta)
    if (links !== undefined) headers.set('link', links)
    return new Response(bodyOf(answer, visit.quota), { headers })
  }

  return {
    /** What was asked for by POST is of the request. */
    unkept,
    /**
     * What was asked for by GET, or 304 where the caller has it.
     *
     * @param catalogTag that of the catalog, asked before the answer was made: the answer may be newer than
     * its tag says, and must never be older
     */
    kept(visit: Visit, catalogTag: string, answer: Answer | Download): Response {
      // It depends on who is logged in, which no cache is told.
      if (visit.isPage) return unkept(visit, answer)
      const headers = headersOf(visit.caller === undefined ? 'public' : 'keyed', visit, visit.quota)
      const tag = tagOf(catalogTag, answer)
      headers.set('etag', tag)
      const isKnown = isKnownTag(visit.request.headers.get('if-none-match'), tag)
      if ('source' in answer) {
        return sendDownload(visit.request, answer, { ...sendingOf(visit, headers), tag, isKnown })
      }
      const links = linksFor(visit.request, answer.meta)
      if (links !== undefined) headers.set('link', links)
      if (isKnown) return new Response(null, { status: 304, headers })
      return new Response(bodyOf(answer, visit.quota), { headers })
    },
    /** A refusal, with the quota as it is. */
    failure(visit: Visit, error: ServiceError, quota: Quota | undefined): Response {
      const response = errorAnswer(error, quota, headersOf('unkept', visit, quota))
      if (quota !== undefined && error.code === 'RATE_LIMIT_EXCEEDED') {
        const seconds = make.secondsToReset(quota, now().getTime())
        response.headers.set('retry-after', String(seconds))
      }
      return response
    },
  }
}

function tagOf(catalogTag: string, answer: Answer | Download): string {
  if ('tag' in answer && answer.tag !== undefined) return answer.tag
  return answer.variant === undefined ? `"${catalogTag}"` : `"${catalogTag}-${answer.variant}"`
}
