import type { IndexReport } from '#actions/photos/build-picture-index.ts'
import type { Deps } from '#deps.ts'
import type { PictureTask } from './picture-thread.ts'
import { openTaskThread, type TaskThread } from './task-thread.ts'

/** The server's hold on the thread that indexes pictures: beside the intake's, for it runs for hours. */
export function openPictureThread(deps: Pick<Deps, 'config' | 'log'>): PictureThread {
  return openTaskThread('pictures', deps, {
    start: () => new Worker(new URL('./picture-thread.ts', import.meta.url)),
    // Whoever searches asks the index itself whether it has changed.
    ended: () => {},
  })
}

export type PictureThread = TaskThread<PictureTask, IndexReport>
