import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

let known: string | undefined

/**
 * Returns the version of the embedder. Vectors of different versions must not be compared.
 *
 * @throws Error if the folder has no embedder
 */
export function embedderVersion(): string {
  known ??= hashEmbedder()
  return known
}

function hashEmbedder(): string {
  const hash = createHash('sha256').update(`${PICTURE_FORMAT}`)
  for (const file of ['embedder.json', 'embedder.bin']) {
    hash.update(readFileSync(join(MODEL_FOLDER, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

const MODEL_FOLDER = join(import.meta.dir, '../../../data/model')

/** Increment if the scale of the vectors, the crop or the perceptual hash changes. */
const PICTURE_FORMAT = 1
