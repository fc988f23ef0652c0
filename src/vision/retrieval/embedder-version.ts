import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Tells one embedder from another: vectors of different ones must never be compared. Without one,
 * nothing can be indexed, and nothing was.
 *
 * @throws Error when the folder has no embedder
 */
export function embedderVersion(modelFolder = MODEL_FOLDER): string {
  const hash = createHash('sha256').update(`${PICTURE_FORMAT}`)
  for (const file of ['embedder.json', 'embedder.bin']) {
    hash.update(readFileSync(join(modelFolder, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

const MODEL_FOLDER = join(import.meta.dir, '../../../data/model')

/** To be raised when the vector's scale, the crop or the perceptual hash is made another way. */
const PICTURE_FORMAT = 1
