import type { Elysia } from 'elysia'
import { transportSecurity } from '../endpoint/headers.ts'
import type { Pipeline } from '../endpoint/pipeline.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../endpoint/static-file.ts'
import { DOCS_FILE_PATHS, getDocsFile, isCurrentVersion } from '../pages/docs-files.ts'
import { apiPage, DOCS_HEADERS } from '../pages/docs-page.ts'
import { swaggerDocument } from '../pages/swagger-document.ts'

/** The API reference. Swagger UI is served from here, not from a CDN, so that it works offline. */
export function docsRoutes(pipeline: Pipeline, app: Elysia, publicUrl: string): void {
  const safe = { ...DOCS_HEADERS, ...transportSecurity(publicUrl) }
  const revalidated = { ...safe, 'cache-control': 'public, no-cache' }
  const kept = { ...safe, 'cache-control': 'public, max-age=31536000, immutable' }

  function mount(path: string, getFile: () => StaticFile | Promise<StaticFile>): void {
    async function respond(request: Request): Promise<Response> {
      const file = await getFile()
      return sendStaticFile(request, file, isCurrentVersion(request, file) ? kept : revalidated)
    }
    pipeline.mountPage(path, respond, { label: 'GET docs' })
  }

  for (const path of DOCS_FILE_PATHS) mount(path, () => getDocsFile(path))
  let page: StaticFile | undefined
  mount('/docs', () => {
    page ??= createStaticFile('text/html; charset=utf-8', apiPage())
    return page
  })
  let document: Promise<StaticFile> | undefined
  mount('/docs/openapi.json', () => {
    document ??= renderDocument(app)
    return document
  })
}

/** The public document, adapted to Swagger UI. */
async function renderDocument(app: Elysia): Promise<StaticFile> {
  const response = await app.handle(new Request('http://localhost/openapi.json'))
  const document = swaggerDocument(await response.text())
  return createStaticFile('application/json', JSON.stringify(document))
}
