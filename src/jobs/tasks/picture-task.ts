import { buildPictureIndex, type IndexRequest } from '#actions/photos/build-picture-index.ts'
import type { Config } from '#config.ts'
import { openConfiguredLedger } from '#deps/storage.ts'
import type { Log } from '#log.ts'
import { openCatalogPictures } from '#outbound/marketplace/pictures.ts'
import { type IdentifiedSets, orderFirstSets } from '#rules/photos/picture-index/first-sets.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
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
    const listFirstSets = () => readFirstSets(config, log)
    const deps = { index, pictures, log, now: () => new Date(), listFirstSets, ...networks }
    return await buildPictureIndex(deps, request)
  } finally {
    pictures.close()
    index.close()
  }
}

/** Reads the sets that people own and photograph. Without a ledger, the index has its usual order. */
export async function readFirstSets(config: Config, log: Log): Promise<number[]> {
  try {
    const { identifications, listItems, close } = await openConfiguredLedger(config, log)
    try {
      // The server has written these texts.
      const last = (await identifications.listLast(IDENTIFICATIONS)).map(
        (data) => JSON.parse(data) as IdentifiedSets,
      )
      return orderFirstSets(last, await listItems.listSets(SETS))
    } finally {
      await close()
    }
  } catch (error) {
    log.warn('failed to read which pictures are needed first', { reason: errorMessage(error) })
    return []
  }
}

/** The photos of some hours of scanning. */
const IDENTIFICATIONS = 500

/** Sets with some hours of pictures. */
const SETS = 200
