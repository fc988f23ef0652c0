// Backs the data folder up while the server runs.
import { constants, setPriority } from 'node:os'
import { backUp } from '#actions/operations/back-up.ts'
import { openLog } from '#log.ts'
import {
  commandConfig,
  createProgress,
  parseArguments,
  printResult,
  runCommand,
  UsageError,
} from './cli/terminal.ts'

const USAGE = `Usage: bun run backup DIR

Copies both database files and the secret of DATA_DIR to DIR/cardstock-TIME and checks the copy. The server
may run. Creates DIR if it does not exist; use another disk. A ledger on PostgreSQL (LEDGER_URL) is not copied:
its own tools back it up.`

await runCommand(USAGE, async () => {
  const { positionals } = parseArguments({}, 1)
  const [dir] = positionals
  if (dir === undefined || dir === '') throw new UsageError('Name the folder of the backup.')
  const { dataDir, logLevel, ledgerDatabase } = commandConfig()
  const isLedgerShared = ledgerDatabase !== undefined
  // Requests come first if the machine is busy.
  setPriority(constants.priority.PRIORITY_LOW)
  const bar = createProgress('backup')
  try {
    const deps = { dataDir, isLedgerShared, log: openLog(logLevel), now: () => new Date() }
    const report = await backUp(deps, { dir, onProgress: bar.show })
    bar.end()
    printResult(report)
    if (!report.files.includes('app-secret')) {
      process.stderr.write(
        'APP_SECRET is set in the environment and not in the backup. Keep a copy of it.\n',
      )
    }
    if (isLedgerShared) {
      process.stderr.write(
        'Accounts, quotas and money are in the database of LEDGER_URL and not in the backup. Back it up with its own tools (docs/guides/operations/scale.md).\n',
      )
    }
    return 0
  } finally {
    bar.end()
  }
})
