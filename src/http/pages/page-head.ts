import { type Html, html } from './html.ts'

/** Head of a page, for browsers and for previews of links to it. */
export type PageHead = {
  title: string
  description?: string
  /** Absolute URL of the page. Undefined: links to it have no preview. */
  url?: string
  /** Absolute URL of an image. */
  image?: string
  /** Tags only for this page. */
  more?: readonly Html[]
}

/** Inserts the head into a page of `src/web`. All texts are escaped. */
export function insertHead(page: string, head: PageHead): string {
  const { title, description, url, image, more = [] } = head
  const name = title === 'Cardstock' ? title : `${title} – Cardstock`
  const tags = html`<title>${name}</title>
${description !== undefined && html`<meta name="description" content="${description}">\n`}${
  url !== undefined &&
  html`<meta property="og:site_name" content="Cardstock">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
${description !== undefined && html`<meta property="og:description" content="${description}">\n`}<meta property="og:url" content="${url}">
${image !== undefined && html`<meta property="og:image" content="${image}">\n`}<meta name="twitter:card" content="summary">
`
}<link rel="manifest" href="/manifest.webmanifest">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
${more}`.html
  // A replacement function, because text may contain `$&`.
  return page.replace('<title>Cardstock</title>', () => tags)
}

/** Allows only files of this server, and no inline scripts and styles. */
export function contentPolicy(more: Readonly<Record<string, string>> = {}): string {
  const policy = { ...CONTENT_POLICY, ...more }
  return Object.entries(policy)
    .map(([name, source]) => `${name} ${source}`)
    .join('; ')
}

const CONTENT_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}
