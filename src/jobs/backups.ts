import type { ScheduledReport } from '#actions/operations/back-up.ts'
import type { Deps } from '#deps.ts'
import type { BackupTask } from './backup-thread.ts'
import { openTaskThread, type TaskThread } from './task-thread.ts'

/** The server's hold on the thread that makes backups. */
export function openBackupThread(deps: Pick<Deps, 'config' | 'log'>): BackupThread {
  return openTaskThread('backup', deps, {
    start: () => new Worker(new URL('./backup-thread.ts', import.meta.url)),
    // Whoever asks for their age looks at the folder.
    ended: () => {},
  })
}

export type BackupThread = TaskThread<BackupTask, ScheduledReport>
