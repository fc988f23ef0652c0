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
