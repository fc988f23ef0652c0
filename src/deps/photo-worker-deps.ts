import type { WorkerConfig } from '#config.ts'
import type { Deps } from '#deps.ts'
import { openLog } from '#log.ts'
import type { VectorSource } from '#vision/retrieval/index-updates.ts'
import { createPhotoReader } from '#vision/worker/reader.ts'

/** Dependencies of a photo worker. */
export type PhotoWorkerDeps = Pick<Deps, 'log' | 'reader' | 'now'> & {
  config: WorkerConfig
  close(): Promise<void>
}

/** Starts the photo reader of a worker. @param source pictures of the catalog, which are closed after the reader */
export function openPhotoWorkerDeps(
  config: WorkerConfig,
  { pictures, close }: { pictures: VectorSource; close(): void },
): PhotoWorkerDeps {
  const log = openLog(config.logLevel)
  const reader = createPhotoReader({ workers: config.identifyWorkers, log, pictures })
  return {
    config,
    log,
    reader,
    now: () => new Date(),
    async close() {
      await reader.close()
      close()
    },
  }
}
