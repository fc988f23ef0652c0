// Backs up the data folder while the server runs.
import { constants, setPriority } from 'node:os'
import { backUp } from '#actions/operations/back-up.ts'
import { openLog } from '#log.ts'
import { BACKUP } from './cli/data-commands.ts'
import { runCommand } from './cli/run-command.ts'
import { commandConfig, createProgress, printResult } from './cli/terminal.ts'
import { count, formatBytes } from './cli/text.ts'

await runCommand(BACKUP, async ({ dir, json }) => {
  const { dataDir, logLevel, ledgerDatabase } = commandConfig()
  const isLedgerShared = ledgerDatabase !== undefined
  // If the machine is busy, requests take precedence.
  setPriority(constants.priority.PRIORITY_LOW)
  const bar = createProgress('backup')
  try {
    const deps = { dataDir, isLedgerShared, log: openLog(logLevel), now: () => new Date() }
    const report = await backUp(deps, { dir, onProgress: bar.show })
    bar.end()
    const { folder, files, bytes, ms } = report
    const size = `${count(files.length, 'file')}, ${formatBytes(bytes)}`
    printResult(report, { json, text: `Saved ${folder}: ${size} in ${(ms / 1000).toFixed(1)} s` })
    if (!files.includes('app-secret')) {
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
