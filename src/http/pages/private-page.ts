import Negotiator from 'negotiator'
import type { ResponseHeaders } from '../endpoint/headers.ts'
import { renderDocument } from './document-page.ts'
import { type Html, html } from './html.ts'
import { contentPolicy } from './page-head.ts'

/** A page of an account or an order, without its frame. */
export type HtmlPage = { title: string; body: Html }

/** Renders a page that search engines must not list. */
export function renderPage({ title, body }: HtmlPage): Promise<string> {
  return renderDocument({
    title,
    isHidden: true,
    main: html`<div class="column">\n${body}\n</div>`,
  })
}

/** Headers of a page: not stored, indexed, framed or sent as referrer. */
export function pageHeaders(templates: ResponseHeaders, requestId: string): Headers {
  const headers = templates.plain('session')
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-security-policy', contentPolicy())
  headers.set('x-robots-tag', 'noindex, nofollow')
  headers.set('x-request-id', requestId)
  return headers
}

/**
 * Creates the page for paths that do not exist. Clients that do not accept HTML, and all requests below `/v1`, get
 * the JSON of the specification.
 */
export function createNotFoundPage(
  templates: ResponseHeaders,
): (request: Request, requestId: string) => Promise<Response> | undefined {
  async function render(requestId: string): Promise<Response> {
    const headers = pageHeaders(templates, requestId)
    headers.set('vary', 'Accept')
    return new Response(await renderPage(PAGE), { status: 404, headers })
  }

  return (request, requestId) => (prefersHtml(request) ? render(requestId) : undefined)
}

function prefersHtml({ method, url, headers }: Request): boolean {
  const accept = headers.get('accept')
  if (accept === null || !['GET', 'HEAD'].includes(method)) return false
  if (new URL(url).pathname.startsWith('/v1/')) return false
  return new Negotiator({ headers: { accept } }).mediaTypes(TYPES)[0] === 'text/html'
}

/** JSON for clients that accept everything. */
const TYPES = ['application/json', 'text/html'] as const

const PAGE = {
  title: 'Page not found',
  body: html`<section class="panel">
<h1>Page not found</h1>
<p>The page may have moved, or the address is misspelled.</p>
<p class="row"><a class="button main" href="/">Browse games</a><a class="button" href="/search">Search cards</a></p>
</section>`,
}
