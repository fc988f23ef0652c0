// The thread that indexes the cards' pictures, so that neither a request nor a sync waits for it.
import type { IndexReport } from '#actions/photos/build-picture-index.ts'
import { runPictureIndex } from './picture-index.ts'
import { serveTasks } from './task-thread.ts'

/** What the thread is asked to do. */
export type PictureIndexTask = { kind: 'index' }

serveTasks<PictureIndexTask, IndexReport>('pictures', ({ config, log }) =>
  runPictureIndex(config, log, {}),
)
