import { join } from 'node:path'
import type { Elysia } from 'elysia'
import { ServiceError } from '#rules/primitives/errors.ts'

const FOLDER = join(import.meta.dir, '../../../data/sample/pictures')

/** The pictures of the bundled sample catalog. A real catalog's pictures are the marketplace's own. */
export function pictureRoutes(app: Elysia): void {
  app.get(
    '/pictures/:file',
    async ({ params }) => {
      // Names are product ids: nothing else is looked up on the disk.
      const picture = /^\d{1,15}\.webp$/.test(params.file)
        ? Bun.file(join(FOLDER, params.file))
        : undefined
      if (picture === undefined || !(await picture.exists())) {
        throw new ServiceError('NOT_FOUND', 'There is no such picture.')
      }
      return new Response(picture, { headers: HEADERS })
    },
    { detail: { hide: true } },
  )
}

const HEADERS = {
  'content-type': 'image/webp',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
}
