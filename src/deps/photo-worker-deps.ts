import type { WorkerConfig } from '#config.ts'
import type { Deps } from '#deps.ts'
import { openLog } from '#log.ts'
import type { VectorSource } from '#vision/retrieval/index-updates.ts'
import type { ReferenceSource } from '#vision/retrieval/reference-source.ts'
import { createPhotoReader } from '#vision/worker/reader.ts'

/** Dependencies of a photo worker. */
export type PhotoWorkerDeps = Pick<Deps, 'log' | 'reader' | 'now'> & {
  config: WorkerConfig
  close(): Promise<void>
}

/** Starts the photo reader of a worker. @param source pictures and references, which are closed after the reader */
export function openPhotoWorkerDeps(
  config: WorkerConfig,
  {
    pictures,
    references,
    close,
  }: { pictures: VectorSource; references?: ReferenceSource; close(): void },
): PhotoWorkerDeps {
  const log = openLog(config.logLevel)
  const reader = createPhotoReader({
    workers: config.identifyWorkers,
    log,
    pictures,
    references,
  })
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
