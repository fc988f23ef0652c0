import { createHash } from 'node:crypto'
import type { ResponseHeaders } from '../endpoint/headers.ts'
import { type Html, html } from './html.ts'
import { PAGE_STYLE } from './style.ts'

/** A page without its layout. */
export type HtmlPage = { title: string; body: Html }

/** Renders a self-contained page without scripts. */
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

/** Headers of a page: not stored, indexed, framed or sent as referrer. */
export function pageHeaders(templates: ResponseHeaders, requestId: string): Headers {
  const headers = templates.plain('session')
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-security-policy', POLICY)
  headers.set('x-robots-tag', 'noindex, nofollow')
  headers.set('x-request-id', requestId)
  return headers
}

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64')

/** Allows the inline style of the page and nothing else. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
