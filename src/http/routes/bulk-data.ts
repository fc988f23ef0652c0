import { existsSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { EVERY_GAME } from '#rules/catalog/names.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Download } from '../endpoint/download.ts'
import type { Endpoints } from '../endpoint/endpoints.ts'
import { ID, line } from '../input/fields.ts'
import { BulkDataMetaSchema, BulkFileSchema } from '../schemas/bulk.ts'

const NAME = line({ description: 'File name, as listed by `/v1/bulk-data`.' })

/** Files of the whole catalog. */
export function bulkDataRoutes(endpoints: Endpoints, { bulkFiles, config }: Deps): void {
  endpoints.get('/v1/bulk-data', 'game_files', {
    id: 'listBulkFiles',
    tag: 'Bulk',
    summary: 'List the files of the whole catalog',
    description:
      'New files are built for each catalog version; until they are complete, the previous ones are listed. A file is kept for one more version, so that a download can be resumed. Files of `all` games can need a higher tier.',
    returns: 'The files, and the catalog version that they contain.',
    reply: Type.Array(BulkFileSchema),
    meta: BulkDataMetaSchema,
    answer() {
      const manifest = bulkFiles.getCurrent()
      const { version, built_at, files } = manifest ?? EMPTY
      const data = files.map(({ type, game, format, name, updated_at, size, sha256, rows }) => {
        const download_url = `${config.publicUrl}/v1/bulk-data/${version}/${game}/${name}`
        return { type, game, format, updated_at, size, sha256, rows, download_url }
      })
      return { data, meta: { version, built_at }, variant: `${version}-${built_at}` }
    },
  })

  endpoints.get(`/v1/bulk-data/:version/${EVERY_GAME}/:name`, 'whole_catalog', {
    id: 'downloadCatalogFile',
    tag: 'Bulk',
    summary: 'Download a file of all games',
    description: RANGES,
    params: { version: ID, name: NAME },
    returns: 'The file.',
    files: [GZIP],
    acceptsRanges: true,
    answer: ({ params }) => getFile(params.version, EVERY_GAME, params.name),
  })

  endpoints.get('/v1/bulk-data/:version/:game/:name', 'game_files', {
    id: 'downloadGameFile',
    tag: 'Bulk',
    summary: "Download a file of a game's cards or prices",
    description: RANGES,
    params: { version: ID, game: line({ description: 'Slug of the game.' }), name: NAME },
    returns: 'The file.',
    files: [GZIP],
    acceptsRanges: true,
    answer({ params: { version, game, name } }) {
      // `/%61ll/` is `/all/`, but matches this route, which needs a lower tier.
      if (game === EVERY_GAME) throw fileNotFound()
      return getFile(version, game, name)
    },
  })

  function getFile(version: number, game: string, name: string): Download {
    const file = bulkFiles.find(version, game, name)
    if (file === undefined || !existsSync(file.path)) throw fileNotFound()
    return {
      fileName: `${game}-v${version}-${name}`,
      contentType: GZIP,
      source: { path: file.path, size: file.size },
      tag: `"${file.sha256}"`,
    }
  }
}

function fileNotFound(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    'File not found. It may have been replaced: GET /v1/bulk-data lists the current files.',
  )
}

/** Manifest before the first files are complete. */
const EMPTY = { version: null, built_at: null, files: [] }

const GZIP = 'application/gzip'

const RANGES =
  'Supports `Range` requests. To resume a download, send `If-Range` with the ETag of the part that you have.'
