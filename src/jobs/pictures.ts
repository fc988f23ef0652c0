import type { IndexReport } from '#actions/photos/build-picture-index.ts'
import type { Deps } from '#deps.ts'
import type { PictureIndexTask } from './picture-thread.ts'
import { createTaskWorker, type TaskWorker } from './task-thread.ts'

/** The server's hold on the thread that indexes pictures: beside the intake's, for it runs for hours. */
export function createPictureWorker(deps: Pick<Deps, 'config' | 'log'>): PictureWorker {
  return createTaskWorker('pictures', deps, {
    start: () => new Worker(new URL('./picture-thread.ts', import.meta.url)),
    // Whoever searches asks the index itself whether it has changed.
    ended: () => {},
  })
}

export type PictureWorker = TaskWorker<PictureIndexTask, IndexReport>
