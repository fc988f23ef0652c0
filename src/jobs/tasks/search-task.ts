import { type Config, servesSnapshots } from '#config.ts'
import { locateCatalog } from '#store/files/snapshot-files.ts'
import { openSearchReader } from '#store/search-reader.ts'
import type { SearchTask } from '../workers.ts'

/** Reads the search index of the served catalog file, or of another file. */
export async function readSearchIndex(config: Config, task: SearchTask): Promise<object> {
  const served = () => locateCatalog(config.dataDir, servesSnapshots(config))
  const reader = openSearchReader(config.dataDir, task.path ?? served())
  try {
    return reader.read()
  } finally {
    reader.close()
  }
}
