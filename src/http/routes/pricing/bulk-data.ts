import { existsSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { type BucketSource, findBulkFile, getBulkFiles } from '#actions/pricing/find-bulk-files.ts'
import type { Deps } from '#deps.ts'
import { EVERY_GAME } from '#rules/catalog/names.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Download, RemoteFile } from '../../endpoint/download.ts'
import { ID, line } from '../../input/fields.ts'
import { BulkDataMetaSchema, BulkFileSchema } from '../../schemas/bulk.ts'
import type { Server } from '../../server.ts'

const NAME = line({ description: 'File name, as listed by `/v1/bulk-data`.' })

/** Files of the whole catalog. */
export function bulkDataRoutes({ endpoint }: Server, deps: Deps): void {
  const { config } = deps

  endpoint('GET /v1/bulk-data', {
    auth: 'key',
    needs: 'game_files',
    cost: 1,
    id: 'listBulkFiles',
    tag: 'Bulk',
    summary: 'List the files of the whole catalog',
    description:
      'In US dollars. Each catalog version has new files; until they are complete, the previous ones are listed.',
    returns: 'The files, and the catalog version that they contain.',
    reply: Type.Array(BulkFileSchema),
    meta: BulkDataMetaSchema,
    async respond() {
      const manifest = await getBulkFiles(deps)
      const { version, built_at, files } = manifest ?? EMPTY
      const data = files.map(({ name, ...facts }) => ({
        ...facts,
        download_url: `${config.publicUrl}/v1/bulk-data/${version}/${facts.game}/${name}`,
      }))
      return { data, meta: { version, built_at }, variant: `${version}-${built_at}` }
    },
  })

  endpoint(`GET /v1/bulk-data/:version/${EVERY_GAME}/:name`, {
    auth: 'key',
    needs: 'whole_catalog',
    cost: 1,
    id: 'downloadCatalogFile',
    tag: 'Bulk',
    summary: 'Download a file of all games',
    description: RANGES,
    params: { version: ID, name: NAME },
    returns: 'The file.',
    files: [GZIP, ZSTANDARD],
    acceptsRanges: true,
    respond: ({ params }) => getFile({ ...params, game: EVERY_GAME }),
  })

  endpoint('GET /v1/bulk-data/:version/:game/:name', {
    auth: 'key',
    needs: 'game_files',
    cost: 1,
    id: 'downloadGameFile',
    tag: 'Bulk',
    summary: "Download a file of a game's cards or prices",
    description: RANGES,
    params: { version: ID, game: line({ description: 'Slug of the game.' }), name: NAME },
    returns: 'The file.',
    files: [GZIP],
    acceptsRanges: true,
    respond({ params }) {
      // `/%61ll/` means `/all/`, but matches this route, which requires a lower tier.
      if (params.game === EVERY_GAME) throw fileNotFound()
      return getFile(params)
    },
  })

  async function getFile(place: Parameters<typeof findBulkFile>[1]): Promise<Download> {
    const file = await findBulkFile(deps, place)
    if (file === undefined) throw fileNotFound()
    const { format, size, source } = file
    if ('path' in source && !existsSync(source.path)) throw fileNotFound()
    return {
      fileName: `${place.game}-v${place.version}-${place.name}`,
      contentType: format === 'tar.zst' ? ZSTANDARD : GZIP,
      source: 'path' in source ? { path: source.path, size } : inBucket(source, size),
      tag: `"${file.sha256}"`,
    }
  }
}

function inBucket({ open, sign }: BucketSource, size: number): RemoteFile {
  return {
    size,
    sign,
    async open(range) {
      const bytes = await open(range)
      if (bytes === undefined) throw fileNotFound()
      return bytes
    },
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
const ZSTANDARD = 'application/zstd'

const RANGES =
  'Supports `Range` requests. To resume a download, send `If-Range` with the ETag of the part that you have. After a 302, follow `Location` within five minutes, without your key.'
