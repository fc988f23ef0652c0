// The thread that makes backups: copying and checking are many milliseconds at a time, for which no
// request waits.
import { backUpOnSchedule, type ScheduledBackupReport } from '#actions/operations/back-up.ts'
import { serveTasks } from './task-thread.ts'

/** What the thread is asked to do. */
export type BackupTask = { kind: 'backup' }

serveTasks<BackupTask, ScheduledBackupReport>('backup', async ({ config, log }) => {
  const { backups, dataDir } = config
  if (backups === undefined) throw new Error('a backup was asked for although none are made')
  return backUpOnSchedule({ dataDir, log, now: () => new Date() }, backups)
})
