// Restores a backup, or the catalog from the bucket, into the data folder.
import { type RestoreReport, restoreBackup } from '#actions/operations/restore-backup.ts'
import { restoreSnapshot } from '#actions/operations/restore-snapshot.ts'
import type { Config } from '#config.ts'
import { openBucket } from '#outbound/bucket/bucket.ts'
import {
  commandConfig,
  parseArguments,
  parseWholeNumber,
  printResult,
  runCommand,
  UsageError,
} from './cli/terminal.ts'

const USAGE = `Usage: bun run restore DIR [--force]
       bun run restore --snapshot [--version N] [--force]

Checks the backup in DIR and copies its files into DATA_DIR. Stop every program that uses DATA_DIR first.
If DIR holds several backups, restores the newest.
  --snapshot   restore the catalog alone, from the bucket of SNAPSHOTS_URL or CATALOG_FROM
  --version N  a version that the bucket still has; the newest by default
  --force      replace existing files`

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArguments(
    {
      snapshot: { type: 'boolean', default: false },
      version: { type: 'string' },
      force: { type: 'boolean', default: false },
    },
    1,
  )
  const [from] = positionals
  const { snapshot, version, force } = values
  if (snapshot === (from !== undefined && from !== '')) {
    throw new UsageError('Name the backup to restore, or --snapshot.')
  }
  if (version !== undefined && !snapshot) throw new UsageError('Only --snapshot has a --version.')
  const config = commandConfig()
  const { dataDir, ledgerDatabase } = config
  const wanted = version === undefined ? undefined : parseWholeNumber('--version', version)
  const report =
    from === undefined
      ? await restoreFromBucket(config, { version: wanted, force })
      : restoreBackup(dataDir, { from, force })
  printResult(report)
  if (ledgerDatabase !== undefined && report.files.includes('ledger.db')) {
    process.stderr.write(
      'The restored ledger.db is not used while LEDGER_URL is set. "bun run admin move-ledger" moves it to the database.\n',
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
