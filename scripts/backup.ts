// A backup of the data folder, while the server serves.
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

Copies both database files and the secret of DATA_DIR to DIR/cardstock-TIME, consistent and checked, while
others read and write. DIR is made where it is not there; best on another disk.`

await runCommand(async () => {
  const { values, positionals } = parseArguments(
    USAGE,
    { help: { type: 'boolean', default: false } },
    1,
  )
  if (values.help) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  const [dir] = positionals
  if (dir === undefined || dir === '') throw new UsageError(USAGE)
  const { dataDir, logLevel } = commandConfig()
  // Requests come first where the machine has no processor to spare.
  setPriority(constants.priority.PRIORITY_LOW)
  const bar = createProgress('backup')
  try {
    const deps = { dataDir, log: openLog(logLevel), now: () => new Date() }
    const report = await backUp(deps, { dir, onProgress: bar.show })
    bar.end()
    printResult(report)
    if (!report.files.includes('app-secret')) {
      process.stderr.write('APP_SECRET is not in it: keep your own one beside it.\n')
    }
    return 0
  } finally {
    bar.end()
  }
})
