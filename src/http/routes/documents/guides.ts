import { join } from 'node:path'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { transportSecurity } from '../../endpoint/headers.ts'
import type { RespondToPage } from '../../endpoint/pipeline.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../../endpoint/static-file.ts'
import { queryParams } from '../../input/validation.ts'
import { DOCS_HEADERS } from '../../pages/api-page.ts'
import { renderGuide, renderGuideSearch } from '../../pages/guide-page.ts'
import { DOCS, listGuides } from '../../pages/guides.ts'
import type { Server } from '../../server.ts'

/** The guides in `docs`, as pages, and as Markdown below `.md`. */
export function guideRoutes(
  { pipeline }: Server,
  { config: { publicUrl } }: Pick<Deps, 'config'>,
): void {
  const safe = { ...DOCS_HEADERS, ...transportSecurity(publicUrl) }
  const pages = new Map<string, StaticFile>()
  const mount = (path: string, respond: RespondToPage) =>
    pipeline.mountPage(path, respond, { label: 'GET guides', isCompressible: true })

  /** Renders each page once: files do not change while the process runs. */
  async function page(request: Request, file: string): Promise<Response> {
    const known = pages.get(file) ?? createStaticFile(HTML, await renderGuide(file))
    pages.set(file, known)
    return sendStaticFile(request, known, { ...safe, 'cache-control': 'public, no-cache' })
  }

  async function results(query: string): Promise<Response> {
    const headers = { ...safe, 'content-type': HTML, vary: 'Accept-Encoding' }
    return new Response(await renderGuideSearch(query), { headers })
  }

  function markdown(file: string): Response {
    const type = 'text/markdown; charset=utf-8'
    const headers = { ...safe, 'content-type': type, vary: 'Accept-Encoding' }
    return new Response(Bun.file(join(DOCS, file)), { headers })
  }

  mount('/guides', (request) => {
    const query = queryParams(request)?.get('q')?.trim().slice(0, QUERY_CHARACTERS_MAX) ?? ''
    return query === '' ? page(request, 'README.md') : results(query)
  })
  mount('/guides/:name', (request, { name = '' }) => {
    const path = listGuides().get(name.replace(/\.md$/, ''))
    if (path === undefined) {
      throw new ServiceError('NOT_FOUND', 'Guide not found. /guides lists all guides.')
    }
    return name.endsWith('.md') ? markdown(path) : page(request, path)
  })
}

const HTML = 'text/html; charset=utf-8'
const QUERY_CHARACTERS_MAX = 100
