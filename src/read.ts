import { followPictureIndex } from '#actions/photos/follow-picture-index.ts'
import { readWorkerConfig, type WorkerConfig } from '#config.ts'
import { openPhotoWorkerDeps } from '#deps/photo-worker-deps.ts'
import { listen } from '#http/listener.ts'
import { createWorkerApp } from '#http/worker-app.ts'
import { openLog } from '#log.ts'
import { openBucket } from '#outbound/bucket/bucket.ts'
import { openPictureReader } from '#store/open-catalog.ts'
import {
  finishRequests,
  runProcess,
  SHORT_NOTICE_MS,
  type StopStep,
  stopOnSignals,
} from './process.ts'

await runProcess({ readSettings: readWorkerConfig, serve })

/** Listens, and stops on a signal. */
async function serve(config: WorkerConfig): Promise<void> {
  const deps = openPhotoWorkerDeps(config, await openPictures(config))
  const stages: StopStep[][] = [[['close the reader', deps.close]]]
  stopOnSignals(deps.log, stages)
  const worker = createWorkerApp(deps)
  const listener = listen(worker, config)
  stages.unshift([['finish photos', () => finishRequests(worker.drain, listener, SHORT_NOTICE_MS)]])
  const { host, port, identifyWorkers: threads } = config
  deps.log.info('photo worker started', { host, port, threads })
}

/** Opens the picture index in the bucket of the servers, or in the catalog in the data folder. */
async function openPictures({ dataDir, pictureSource, logLevel }: WorkerConfig) {
  if (pictureSource === undefined) return openPictureReader(dataDir)
  const log = openLog(logLevel)
  return followPictureIndex({ dataDir, bucket: openBucket(pictureSource), log })
}
