import { join } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Pipeline } from '../endpoint/pipeline.ts'

const FOLDER = join(import.meta.dir, '../../../data/sample/pictures')

/** The pictures of the sample catalog. Those of a real catalog are on the marketplace. */
export function pictureRoutes(pipeline: Pipeline): void {
  pipeline.mountPage('/pictures/:file', async (_, { file = '' }) => {
    // File names are product IDs: no other file is looked up.
    const picture = /^\d{1,15}\.webp$/.test(file) ? Bun.file(join(FOLDER, file)) : undefined
    if (picture === undefined || !(await picture.exists())) {
      throw new ServiceError('NOT_FOUND', 'Picture not found.')
    }
    return new Response(picture, { headers: HEADERS })
  })
}

const HEADERS = {
  'content-type': 'image/webp',
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
}
