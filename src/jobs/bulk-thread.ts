// The thread that makes the files of the whole catalog, with a connection of its own: neither a request
// nor a sync waits for it.
import { type BulkReport, buildBulkFiles } from '#actions/pricing/build-bulk-files.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { openCatalog } from '#store/index.ts'
import { serveTasks } from './task-thread.ts'

/** What the thread is asked to do. */
export type BulkTask = { kind: 'build' }

serveTasks<BulkTask, BulkReport>('bulk files', async ({ config, log }) => {
  const { dataDir } = config
  const catalog = openCatalog(dataDir, createPictureUrl(config.publicUrl))
  try {
    return await buildBulkFiles({ catalog, dataDir, log, now: () => new Date() })
  } finally {
    catalog.close()
  }
})
