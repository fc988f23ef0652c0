// Puts a backup into the data folder.
import { restoreBackup } from '#actions/operations/restore-backup.ts'
import {
  commandConfig,
  parseArguments,
  printResult,
  runCommand,
  UsageError,
} from './cli/terminal.ts'

const USAGE = `Usage: bun run restore DIR [--force]

Checks the backup in DIR and puts its files into DATA_DIR. Nothing may be running on DATA_DIR. Where DIR has
several backups, the newest one is taken.
  --force  replace the files that are there`

await runCommand(() => {
  const { values, positionals } = parseArguments(
    USAGE,
    {
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    1,
  )
  if (values.help) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  const [from] = positionals
  if (from === undefined || from === '') throw new UsageError(USAGE)
  printResult(restoreBackup(commandConfig().dataDir, { from, force: values.force }))
  return 0
})
