import { join } from 'node:path'
import type { Elysia } from 'elysia'
import { ServiceError } from '#rules/primitives/errors.ts'
import { transportSecurity } from '../endpoint/headers.ts'
import { DOCS_HEADERS, docsPage } from '../pages/docs-page.ts'
import { DOCS, documentTitle, listGuides } from '../pages/guides.ts'

/**
 * The guides of the repository's `docs`, as pages, and as they are written where `.md` is asked for: a
 * box without the Internet has them, too.
 */
export function guideRoutes(app: Elysia, publicUrl: string): void {
  const safe = { ...DOCS_HEADERS, ...transportSecurity(publicUrl) }
  const page = async (file: string) =>
    new Response(await pageOf(file), {
      headers: { ...safe, 'content-type': 'text/html; charset=utf-8' },
    })
  const written = (file: string) =>
    new Response(Bun.file(join(DOCS, file)), {
      headers: { ...safe, 'content-type': 'text/markdown; charset=utf-8' },
    })
  app.get('/guides', () => page('README.md'), HIDDEN)
  app.get(
    '/guides/:name',
    ({ params: { name } }) => {
      const path = listGuides().get(name.replace(/\.md$/, ''))
      if (path === undefined) {
        throw new ServiceError('NOT_FOUND', 'Guide not found. /guides lists all guides.')
      }
      return name.endsWith('.md') ? written(path) : page(path)
    },
    HIDDEN,
  )
}

const HIDDEN = { detail: { hide: true } }

async function pageOf(file: string): Promise<string> {
  const text = await Bun.file(join(DOCS, file)).text()
  const title = documentTitle(file)
  const written = withLiveLinks(Bun.markdown.html(text, { headings: { ids: true } }), file)
  return docsPage({
    title,
    here: 'guides',
    main: { html: `<main class="guide">\n${written}</main>` },
  })
}

/** Links between guides lead to their pages; those to other files of the repository stay as text. */
function withLiveLinks(html: string, file: string): string {
  return new HTMLRewriter()
    .on('a[href]', {
      element(link) {
        const target = new URL(link.getAttribute('href') ?? '', `${FILES}${file}`)
        if (!target.href.startsWith('file:')) return
        const address = addressOf(target.pathname.slice(1))
        if (address === undefined) link.removeAndKeepContent()
        else link.setAttribute('href', address + target.hash)
      },
    })
    .transform(html)
}

/** Files of the folder, as if it were the root: what leads out of it leads to nothing in it. */
const FILES = 'file:///'

/** Where a file of the folder is served; undefined for all others. */
function addressOf(file: string): string | undefined {
  if (file === 'README.md') return '/guides'
  const [name] = [...listGuides()].find(([, path]) => path === file) ?? []
  return name === undefined ? undefined : `/guides/${name}`
}
