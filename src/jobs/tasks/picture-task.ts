import { buildPictureIndex, type IndexRequest } from '#actions/photos/build-picture-index.ts'
import type { Config } from '#config.ts'
import type { Log } from '#log.ts'
import { openCatalogPictures } from '#outbound/marketplace/pictures.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { openPictureIndex } from '#store/open-catalog-writer.ts'
import { loadPipeline } from '#vision/pipeline.ts'
import { embedderVersion } from '#vision/retrieval/embedder-version.ts'

/**
 * Opens the picture index of a prepared data folder, updates it, and closes it.
 *
 * @throws ServiceError UNAVAILABLE while another process or thread updates it
 */
export async function runPictureIndex(config: Config, log: Log, request: IndexRequest) {
  const index = openPictureIndex(config.dataDir)
  if (index === undefined) {
    throw new ServiceError(
      'UNAVAILABLE',
      'Another process is indexing the pictures of this data folder. Wait for it or stop it, then try again.',
    )
  }
  const pictures = openCatalogPictures(config)
  try {
    const networks = { loadEmbedder: loadPipeline, model: embedderVersion() }
    const deps = { index, pictures, log, now: () => new Date(), ...networks }
    return await buildPictureIndex(deps, request)
  } finally {
    pictures.close()
    index.close()
  }
}
