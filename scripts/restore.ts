// Restores a backup, or the catalog from the bucket, into the data folder.
import { type RestoreReport, restoreBackup } from '#actions/operations/restore-backup.ts'
import { restoreSnapshot } from '#actions/operations/restore-snapshot.ts'
import type { Config } from '#config.ts'
import { openBucket } from '#outbound/bucket/bucket.ts'
import { RESTORE } from './cli/data-commands.ts'
import { UsageError } from './cli/parse.ts'
import { PROGRAM } from './cli/program.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, printResult } from './cli/terminal.ts'
import { formatBytes } from './cli/text.ts'

await runCommand(RESTORE, async ({ dir, version, force, json }) => {
  if (version !== undefined && dir !== undefined) {
    throw new UsageError('--version needs --snapshot.')
  }
  const config = commandConfig()
  const { dataDir, ledgerDatabase } = config
  const report =
    dir === undefined
      ? await restoreFromBucket(config, { version, force })
      : restoreBackup(dataDir, { from: dir, force })
  const { backup, taken_at, files, bytes } = report
  const text = `Restored ${backup} of ${taken_at}: ${files.join(', ')} (${formatBytes(bytes)})`
  printResult(report, { json, text })
  if (ledgerDatabase !== undefined && files.includes('ledger.db')) {
    process.stderr.write(
      `The restored ledger.db is not used while LEDGER_URL is set. "${PROGRAM} admin move-ledger" moves it to the database.\n`,
    )
  }
  return 0
})

function restoreFromBucket(
  { dataDir, snapshots, catalogSource }: Config,
  options: { version: number | undefined; force: boolean },
): Promise<RestoreReport> {
  const settings = snapshots ?? catalogSource
  if (settings === undefined) throw new UsageError('--snapshot requires SNAPSHOTS_URL.')
  return restoreSnapshot({ dataDir, bucket: openBucket(settings) }, options)
}
