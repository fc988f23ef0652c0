import { join } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import { transportSecurity } from '../endpoint/headers.ts'
import type { Pipeline, RespondToPage } from '../endpoint/pipeline.ts'
import { DOCS_HEADERS, docsPage } from '../pages/docs-page.ts'
import { DOCS, documentTitle, listGuides } from '../pages/guides.ts'

/** The guides in `docs`, as pages, and as Markdown below `.md`. */
export function guideRoutes(pipeline: Pipeline, publicUrl: string): void {
  const safe = { ...DOCS_HEADERS, vary: 'Accept-Encoding', ...transportSecurity(publicUrl) }
  const mount = (path: string, respond: RespondToPage) =>
    pipeline.mountPage(path, respond, { label: 'GET guides', isCompressible: true })

  async function page(file: string): Promise<Response> {
    const headers = { ...safe, 'content-type': 'text/html; charset=utf-8' }
    return new Response(await renderGuide(file), { headers })
  }

  function markdown(file: string): Response {
    const headers = { ...safe, 'content-type': 'text/markdown; charset=utf-8' }
    return new Response(Bun.file(join(DOCS, file)), { headers })
  }

  mount('/guides', () => page('README.md'))
  mount('/guides/:name', (_, { name = '' }) => {
    const path = listGuides().get(name.replace(/\.md$/, ''))
    if (path === undefined) {
      throw new ServiceError('NOT_FOUND', 'Guide not found. /guides lists all guides.')
    }
    return name.endsWith('.md') ? markdown(path) : page(path)
  })
}

async function renderGuide(file: string): Promise<string> {
  const text = await Bun.file(join(DOCS, file)).text()
  const title = documentTitle(file)
  const content = resolveLinks(Bun.markdown.html(text, { headings: { ids: true } }), file)
  return docsPage({
    title,
    here: 'guides',
    main: { html: `<main class="guide">\n${content}</main>` },
  })
}

/** Points links between guides to their pages, and turns links to other files into text. */
function resolveLinks(html: string, file: string): string {
  return new HTMLRewriter()
    .on('a[href]', {
      element(link) {
        const target = new URL(link.getAttribute('href') ?? '', `${FILES}${file}`)
        if (!target.href.startsWith('file:')) return
        const path = pagePath(target.pathname.slice(1))
        if (path === undefined) link.removeAndKeepContent()
        else link.setAttribute('href', path + target.hash)
      },
    })
    .transform(html)
}

/** The folder as the root of a URL, so that no link leads out of it. */
const FILES = 'file:///'

/** Returns the path of the page of a file; undefined if it is not served. */
function pagePath(file: string): string | undefined {
  if (file === 'README.md') return '/guides'
  const [name] = [...listGuides()].find(([, path]) => path === file) ?? []
  return name === undefined ? undefined : `/guides/${name}`
}
