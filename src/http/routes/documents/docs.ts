import type { Deps } from '#deps.ts'
import { transportSecurity } from '../../endpoint/headers.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../../endpoint/static-file.ts'
import { DOCS_HEADERS, renderApiPage } from '../../pages/api-page.ts'
import { DOCS_FILE_PATHS, getDocsFile, isCurrentVersion } from '../../pages/docs-files.ts'
import { swaggerDocument } from '../../pages/swagger-document.ts'
import type { Server } from '../../server.ts'

/** The API document and its page. Swagger UI is served from here instead of a CDN, so that it works offline. */
export function docsRoutes(
  { pipeline, document }: Server,
  { config: { publicUrl } }: Pick<Deps, 'config'>,
): void {
  const secure = transportSecurity(publicUrl)
  const page = { ...DOCS_HEADERS, ...secure, ...REVALIDATED }
  const asset = { ...page, 'cache-control': 'public, max-age=31536000, immutable' }

  function mount(path: string, getFile: () => StaticFile | Promise<StaticFile>): void {
    async function respond(request: Request): Promise<Response> {
      const file = await getFile()
      return sendStaticFile(request, file, isCurrentVersion(request, file) ? asset : page)
    }
    pipeline.mountPage(path, respond, { label: 'GET docs' })
  }

  for (const path of DOCS_FILE_PATHS) mount(path, () => getDocsFile(path))
  let apiPage: StaticFile | undefined
  mount('/docs', async () => {
    apiPage ??= createStaticFile('text/html; charset=utf-8', await renderApiPage())
    return apiPage
  })
  // Adapted to Swagger UI.
  mount(
    '/docs/openapi.json',
    once('application/json', () => JSON.stringify(swaggerDocument(document.render()))),
  )

  const getDocument = once('application/json', document.render)
  pipeline.mountPage(
    '/openapi.json',
    (request) => sendStaticFile(request, getDocument(), { ...OPEN, ...secure, ...REVALIDATED }),
    { label: 'GET docs', cors: 'public' },
  )
}

const REVALIDATED = { 'cache-control': 'public, no-cache' }

/** Every page may read the document, because editors and client generators also run in browsers. */
const OPEN = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
}

/** Renders a file on the first request, when every endpoint is mounted. */
function once(type: string, render: () => string): () => StaticFile {
  let file: StaticFile | undefined
  return () => {
    file ??= createStaticFile(type, render())
    return file
  }
}
