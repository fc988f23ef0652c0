// The thread that indexes the cards' pictures, so that neither a request nor a sync waits for it.
import type { IndexReport } from '#actions/photos/build-picture-index.ts'
import { runPictureIndex } from './picture-index.ts'
import { serveTasks } from './task-thread.ts'

/** What the thread is asked to do. */
export type PictureTask = { kind: 'index' }

serveTasks<PictureTask, IndexReport>('pictures', ({ config, log }) =>
  runPictureIndex(config, log, {}),
)
