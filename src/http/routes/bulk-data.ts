import { existsSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { EVERY_GAME } from '#rules/catalog/names.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Download } from '../endpoint/download.ts'
import type { KeyEndpoints } from '../endpoint/key-endpoints.ts'
import { ID, line } from '../input/fields.ts'
import { BulkDataMetaSchema, BulkFileSchema } from '../schemas/bulk.ts'

const NAME = line({ description: 'The name of the file.' })

/** The whole catalog as files. */
export function bulkDataRoutes(keyEndpoints: KeyEndpoints, { bulkFiles, config }: Deps): void {
  keyEndpoints.get('/v1/bulk-data', 'game_files', {
    tag: 'Bulk',
    summary: 'List the files of the whole catalog',
    description:
      'Made anew for each version of the catalog; until the new ones are whole, the old ones are listed. A file stays for one version more, so that a download can be resumed. Files of `all` games need the tier that their address says.',
    reply: Type.Array(BulkFileSchema),
    meta: BulkDataMetaSchema,
    answer() {
      const manifest = bulkFiles.getCurrent()
      const { version, built_at, files } = manifest ?? NOTHING
      const data = files.map(({ type, game, format, name, updated_at, size, sha256, rows }) => {
        const download_url = `${config.publicUrl}/v1/bulk-data/${version}/${game}/${name}`
        return { type, game, format, updated_at, size, sha256, rows, download_url }
      })
      return { data, meta: { version, built_at }, variant: `${version}-${built_at}` }
    },
  })

  keyEndpoints.get(`/v1/bulk-data/:version/${EVERY_GAME}/:name`, 'whole_catalog', {
    tag: 'Bulk',
    summary: 'Download a file of all games',
    description: PARTS,
    params: { version: ID, name: NAME },
    files: [GZIP],
    inParts: true,
    answer: ({ params }) => fileAt(params.version, EVERY_GAME, params.name),
  })

  keyEndpoints.get('/v1/bulk-data/:version/:game/:name', 'game_files', {
    tag: 'Bulk',
    summary: "Download a file of a game's cards or prices",
    description: PARTS,
    params: { version: ID, game: line({ description: 'Slug of the game.' }), name: NAME },
    files: [GZIP],
    inParts: true,
    answer({ params: { version, game, name } }) {
      // `/%61ll/` is no other word than `/all/`, but comes here: what needs a tier is not a game.
      if (game === EVERY_GAME) throw noSuchFile()
      return fileAt(version, game, name)
    },
  })

  function fileAt(version: number, game: string, name: string): Download {
    const file = bulkFiles.find(version, game, name)
    if (file === undefined || !existsSync(file.path)) throw noSuchFile()
    return {
      fileName: `${game}-v${version}-${name}`,
      contentType: GZIP,
      source: { path: file.path, size: file.size },
      tag: `"${file.sha256}"`,
    }
  }
}

function noSuchFile(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    'There is no such file any more. GET /v1/bulk-data lists those that there are.',
  )
}

/** Before the first files are whole. */
const NOTHING = { version: null, built_at: null, files: [] }

const GZIP = 'application/gzip'

const PARTS =
  'Any part of it may be asked for with `Range`; with `If-Range` and the ETag of the part that you have, what is left.'
