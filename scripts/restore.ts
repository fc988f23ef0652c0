// Restores a backup into the data folder.
import { restoreBackup } from '#actions/operations/restore-backup.ts'
import {
  commandConfig,
  parseArguments,
  printResult,
  runCommand,
  UsageError,
} from './cli/terminal.ts'

const USAGE = `Usage: bun run restore DIR [--force]

Checks the backup in DIR and copies its files into DATA_DIR. Stop every program that uses DATA_DIR first.
If DIR holds several backups, restores the newest.
  --force  replace existing files`

await runCommand(USAGE, () => {
  const { values, positionals } = parseArguments(
    {
      force: { type: 'boolean', default: false },
    },
    1,
  )
  const [from] = positionals
  if (from === undefined || from === '') throw new UsageError('Name the backup to restore.')
  const { dataDir, ledgerDatabase } = commandConfig()
  const report = restoreBackup(dataDir, { from, force: values.force })
  printResult(report)
  if (ledgerDatabase !== undefined && report.files.includes('ledger.db')) {
    process.stderr.write(
      'The restored ledger.db is not used while LEDGER_URL is set. "bun run admin move-ledger" moves it to the database.\n',
    )
  }
  return 0
})
