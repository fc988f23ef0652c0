import { createHash } from 'node:crypto'
import type { ResponseHeaders } from '../endpoint/headers.ts'
import { type Html, html } from './html.ts'
import { PAGE_STYLE } from './style.ts'

/** What every page has around it. */
export type HtmlPage = { title: string; body: Html }

/** A page as text: small, whole in itself, without a script. */
export function renderPage({ title, body }: HtmlPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${title} – Cardstock</title>
<style>${{ html: PAGE_STYLE }}</style>
</head>
<body>
<header><p class="brand">Cardstock</p></header>
<main>
${body}
</main>
</body>
</html>
`.html
}

/** The headers of a page: nobody keeps it, finds it, frames it, or hears where its reader came from. */
export function pageHeaders(make: ResponseHeaders, requestId: string): Headers {
  const headers = make.plain('session')
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-security-policy', POLICY)
  headers.set('x-robots-tag', 'noindex, nofollow')
  headers.set('x-request-id', requestId)
  return headers
}

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64')

/** Nothing is loaded and nothing runs; the one style that applies is the one that is written above. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
