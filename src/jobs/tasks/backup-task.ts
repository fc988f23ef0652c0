import { backUpOnSchedule } from '#actions/operations/back-up.ts'
import type { Config } from '#config.ts'
import type { Log } from '#log.ts'

/** Creates the scheduled backup. */
export function writeBackup(config: Config, log: Log): Promise<object> {
  const { backups, dataDir, ledgerDatabase } = config
  if (backups === undefined) throw new Error('a backup task was started although backups are off')
  const isLedgerShared = ledgerDatabase !== undefined
  return backUpOnSchedule({ dataDir, isLedgerShared, log, now: () => new Date() }, backups)
}
