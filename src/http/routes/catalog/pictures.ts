import { join } from 'node:path'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { matchesEtag } from '../../endpoint/headers.ts'
import type { Server } from '../../server.ts'

const FOLDER = join(import.meta.dir, '../../../../data/sample/pictures')

/** The pictures of the sample catalog, and the logos of the operator. Pictures of a real catalog are on the marketplace. */
export function pictureRoutes({ pipeline }: Server, { catalog }: Pick<Deps, 'catalog'>): void {
  pipeline.mountPage('/pictures/:file', async (_, { file = '' }) => {
    // File names are product IDs: no other file is looked up.
    const picture = /^\d{1,15}\.webp$/.test(file) ? Bun.file(join(FOLDER, file)) : undefined
    if (picture === undefined || !(await picture.exists())) {
      throw new ServiceError('NOT_FOUND', 'Picture not found.')
    }
    return new Response(picture, { headers: HEADERS })
  })
  pipeline.mountPage('/pictures/logos/:file', (request, { file = '' }) => sendLogo(request, file))
  pipeline.mountPage('/pictures/logos/sets/:file', (request, { file = '' }) =>
    sendLogo(request, `sets/${file}`),
  )

  /** Only files that were listed are looked up. Their URLs in responses change with them. */
  async function sendLogo(request: Request, file: string): Promise<Response> {
    const logo = catalog.logos.find(file)
    const picture = logo === undefined ? undefined : Bun.file(logo.path)
    if (logo === undefined || picture === undefined || !(await picture.exists())) {
      throw new ServiceError('NOT_FOUND', 'Logo not found.')
    }
    const etag = `"${logo.version}"`
    const headers = { ...HEADERS, 'content-type': logo.type, etag }
    if (matchesEtag(request.headers.get('if-none-match'), etag)) {
      return new Response(null, { status: 304, headers })
    }
    return new Response(await picture.bytes(), { headers })
  }
}

const HEADERS = {
  'content-type': 'image/webp',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
}
