import Negotiator from 'negotiator'
import type { ResponseHeaders } from '../endpoint/headers.ts'
import { html } from './html.ts'
import { pageHeaders, renderPage } from './private-page.ts'

/**
 * Creates the page for paths that do not exist. Programs get the JSON of the specification: they do not ask
 * for HTML, and below `/v1` nobody gets it.
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
