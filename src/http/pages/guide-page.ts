import { join } from 'node:path'
import { renderDocument } from './document-page.ts'
import { findInGuides } from './guide-search.ts'
import { DOCS, documentTitle, type GuideLink, groupGuides, listGuides } from './guides.ts'
import { type Html, html } from './html.ts'

/** Renders a document with the list of guides beside it. */
export async function renderGuide(file: string): Promise<string> {
  const url = guideUrl(file)
  const links = groupGuides().flatMap((group) => group.links)
  const at = links.findIndex((link) => link.file === file)
  const ends = at === -1 ? undefined : renderEnds(links[at - 1], links[at + 1])
  return renderGuidePage(
    documentTitle(file),
    html`<article class="guide">
${{ html: await renderMarkdown(file) }}${ends}
</article>`,
    { url },
  )
}

/** Renders the sections that contain every word of a query. */
export function renderGuideSearch(query: string): Promise<string> {
  const results = findInGuides(query)
  const count = results.length === 1 ? '1 section' : `${results.length} sections`
  return renderGuidePage(
    `Search: ${query}`,
    html`<article class="guide">
<h1>Results for “${query}”</h1>
<p role="status">${results.length === 0 ? 'No guide has all of these words. Try fewer or shorter ones.' : count}</p>
<ol class="guide-results">
${results.map(
  ({ url, title, heading, excerpt: [before, match, after] }) => html`<li>
<h2><a href="${url}">${title === heading ? title : `${title}: ${heading}`}</a></h2>
<p>${before}<mark>${match}</mark>${after}</p>
</li>
`,
)}</ol>
</article>`,
    { query },
  )
}

type GuideContext = { url?: string | undefined; query?: string }

function renderGuidePage(title: string, main: Html, context: GuideContext): Promise<string> {
  const list = renderList(context.url)
  return renderDocument({
    title,
    here: '/guides',
    main: html`<div class="guides">
<div class="guides-side">
<form action="/guides" role="search">
<label class="visually-hidden" for="guide-search">Search the guides</label>
<input class="input" id="guide-search" name="q" type="search" maxlength="100" autocomplete="off" required placeholder="Search the guides" value="${context.query ?? ''}">
</form>
<details class="guides-menu"><summary>All guides</summary>
<nav aria-label="All guides">${list}</nav></details>
<nav aria-label="Guides">${list}</nav>
</div>
${main}
</div>`,
  })
}

function renderList(current: string | undefined): Html {
  const here = (url: string) => url === current && html` aria-current="page"`
  return html`<div class="guides-list"><ul>
<li><a href="/guides"${here('/guides')}>Overview</a></li></ul>
${groupGuides().map(
  ({ title, links }) => html`<p class="guides-group">${title}</p>
<ul>
${links.map((link) => html`<li><a href="${link.url}"${here(link.url)}>${link.title}</a></li>\n`)}</ul>
`,
)}</div>`
}

function renderEnds(previous: GuideLink | undefined, next: GuideLink | undefined): Html {
  return html`<nav class="guide-ends" aria-label="Previous and next guide">
${previous && html`<a rel="prev" href="${previous.url}"><span>Previous</span>${previous.title}</a>`}
${next && html`<a class="guide-next" rel="next" href="${next.url}"><span>Next</span>${next.title}</a>`}
</nav>`
}

async function renderMarkdown(file: string): Promise<string> {
  const text = await Bun.file(join(DOCS, file)).text()
  const [served = ''] = text.split(UNSERVED)
  return adaptHtml(Bun.markdown.html(served, { headings: { ids: true } }), file)
}

/** Heading of the overview's part about the source code, whose files are not served. */
const UNSERVED = /^## Development$/m

/**
 * Changes links between guides to their pages, and links to other files to text. Code and tables that are wider than
 * the page can be scrolled with the keyboard.
 */
function adaptHtml(content: string, file: string): string {
  return new HTMLRewriter()
    .on('a[href]', {
      element(link) {
        const target = new URL(link.getAttribute('href') ?? '', `${FILES}${file}`)
        if (!target.href.startsWith('file:')) return
        const path = guideUrl(target.pathname.slice(1))
        if (path === undefined) link.removeAndKeepContent()
        else link.setAttribute('href', path + target.hash)
      },
    })
    .on('pre', {
      element(block) {
        block.setAttribute('tabindex', '0')
      },
    })
    .on('table', {
      element(table) {
        const frame = '<div class="guide-table" tabindex="0" role="group" aria-label="Table">'
        table.before(frame, { html: true })
        table.after('</div>', { html: true })
      },
    })
    .transform(content)
}

/** The folder is used as the root of a URL, so that no link can leave it. */
const FILES = 'file:///'

/** Returns the URL of a document; undefined if it is not served. */
function guideUrl(file: string): string | undefined {
  if (file === 'README.md') return '/guides'
  const [name] = [...listGuides()].find(([, path]) => path === file) ?? []
  return name === undefined ? undefined : `/guides/${name}`
}
