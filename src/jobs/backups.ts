import type { ScheduledBackupReport } from '#actions/operations/back-up.ts'
import type { Deps } from '#deps.ts'
import type { BackupTask } from './backup-thread.ts'
import { createTaskWorker, type TaskWorker } from './task-thread.ts'

/** The server's hold on the thread that makes backups. */
export function createBackupWorker(deps: Pick<Deps, 'config' | 'log'>): BackupWorker {
  return createTaskWorker('backup', deps, {
    start: () => new Worker(new URL('./backup-thread.ts', import.meta.url)),
    // Whoever asks for their age looks at the folder.
    ended: () => {},
  })
}

export type BackupWorker = TaskWorker<BackupTask, ScheduledBackupReport>
